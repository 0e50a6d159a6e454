//go:build mpi

package mpi

/*
#cgo nocallback ocr_pull
#cgo nocallback ocr_slot
#cgo nocallback ocr_send
#cgo nocallback ocr_sending
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A process is this process's part of MPI.
//
// Concurrency: the mutex calls is held during each call of MPI. It guards engines, and what MPI reads and writes. A
// sender sets due. If it then finds the mutex locked it returns: the holder checks due after unlocking.
type process struct {
	rank, ranks int

	calls   sync.Mutex
	due     atomic.Bool // messages or news are to be sent
	engines []*Engine
	window  *opened
	pushes  sync.WaitGroup // goroutines of [Engine.push]

	finalize, finalized chan struct{}
}

// initialize initializes MPI in this process. One thread calls MPI_Init and MPI_Finalize.
func initialize() (*process, error) {
	p := &process{finalize: make(chan struct{}), finalized: make(chan struct{})}
	// Go's signal handlers stay: a fault in Go code must become Go's panic.
	if err := os.Setenv("UCX_ERROR_SIGNALS", ""); err != nil {
		return nil, err
	}
	ready := make(chan error)
	go func() {
		goruntime.LockOSThread() // never unlocked
		var rank, ranks C.int
		if wrong := C.ocr_init(&rank, &ranks); wrong != nil {
			ready <- errors.New("mpi: " + C.GoString(wrong))
			return
		}
		p.rank, p.ranks = int(rank), int(ranks)
		ready <- nil
		<-p.finalize
		p.calls.Lock() // never unlocked
		if p.window != nil {
			p.closeWindow()
		}
		C.ocr_finalize()
		close(p.finalized)
	}()
	if err := <-ready; err != nil {
		return nil, err
	}
	return p, nil
}

// end finalizes MPI: each process waits for the others. The engines of this process must be closed.
func (p *process) end() {
	var engines []*Engine
	p.call(func() { engines = p.engines })
	for _, e := range engines {
		<-e.drained
	}
	p.pushes.Wait() // a push that ran on would wait for ever for calls, which stays locked
	close(p.finalize)
	<-p.finalized
}

// call calls f, which calls MPI.
func (p *process) call(f func()) {
	p.calls.Lock()
	f()
	p.calls.Unlock()
	p.send()
}

// send calls MPI for all that is due. If another goroutine is calling MPI, that goroutine checks due again afterwards.
func (p *process) send() {
	for p.due.Load() && p.calls.TryLock() {
		p.due.Store(false)
		for _, e := range p.engines {
			e.flush()
		}
		p.calls.Unlock()
	}
}

// open opens an engine. Each rank opens the same number of engines, in the same order: the number of an engine is the
// tag of its packets.
func (p *process) open() (*Engine, error) {
	e := &Engine{process: p, rank: p.rank, drained: make(chan struct{}), closed: make(chan struct{})}
	for k := range p.ranks {
		e.incoming = append(e.incoming, &incoming{engine: e, from: k})
		e.outgoing = append(e.outgoing, &outgoing{engine: e, to: k})
	}
	p.call(func() {
		if e.c = C.ocr_open(C.int(len(p.engines)), packetBytes); e.c != nil {
			p.engines = append(p.engines, e)
		}
	})
	if e.c == nil {
		return nil, fmt.Errorf("mpi: no memory for packets of %d bytes", packetBytes)
	}
	return e, nil
}

// A backoff is the time to wait before the next try; each call of next returns a longer one.
type backoff time.Duration

const (
	firstLook = 20 * time.Microsecond
	lastLook  = time.Millisecond
)

func (b *backoff) next() time.Duration {
	*b = backoff(min(max(2*time.Duration(*b), firstLook), lastLook))
	return time.Duration(*b)
}
