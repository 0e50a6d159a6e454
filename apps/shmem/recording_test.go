package shmem_test

import (
	"sync"
	"testing"

	"ocr/apps/shmem"
	"ocr/internal/proof/testrun"
)

// A recorder is a transport that counts the calls of one PE.
type recorder struct {
	shmem.Transport
	calls map[string]int
}

func newRecorder(s shmem.Site) *recorder { return &recorder{shmem.NewMemory(s), map[string]int{}} }

func (r *recorder) Put(to, dst int, src []byte) {
	r.calls["put"]++
	r.Transport.Put(to, dst, src)
}

func (r *recorder) Signal(to, dst, width int, v uint64) {
	r.calls["signal"]++
	r.Transport.Signal(to, dst, width, v)
}

func (r *recorder) Flush() {
	r.calls["flush"]++
	r.Transport.Flush()
}

func (r *recorder) Barrier() {
	r.calls["barrier"]++
	r.Transport.Barrier()
}

func (r *recorder) Stopped() bool {
	r.calls["stopped"]++
	return r.Transport.Stopped()
}

// A PE reaches the others by its transport alone, whatever that is.
func TestTransportIsReplaceable(t *testing.T) {
	var mu sync.Mutex
	recorders := map[int]*recorder{}
	cfg := shmem.Config{PEs: 2, Bytes: 1024, Transport: func(s shmem.Site) shmem.Transport {
		mu.Lock()
		defer mu.Unlock()
		recorders[s.Rank] = newRecorder(s)
		return recorders[s.Rank]
	}}
	err := onPEs(t.Context(), 2, cfg, func(pe *shmem.PE) {
		message := make([]byte, 16)
		message[15] = 1
		pe.Put(1-pe.Rank(), 0, message)
		pe.Quiet()
		pe.PutFlag(1-pe.Rank(), 64, message)
		pe.WaitFlag(pe.Rank(), 64, message)
		pe.Barrier()
	})
	testrun.OK(t, err)
	want := map[string]int{"put": 2, "signal": 1, "flush": 1, "barrier": 1}
	for pe, r := range recorders {
		delete(r.calls, "stopped") // as often as the wait was long
		testrun.Same(t, want, r.calls, "PE %d: calls", pe)
	}
}

// A wait that is long yields as its Waiter says, and asks its transport whether it is to end.
func TestLongWaitsYield(t *testing.T) {
	for name, wait := range map[string]func(pe *shmem.PE){
		"notification": func(pe *shmem.PE) { pe.Wait(0) },
		"flag":         func(pe *shmem.PE) { pe.WaitFlag(1, 0, []byte{1, 0, 0, 0}) },
	} {
		released, yields := make(chan struct{}), 0
		waiter := shmem.Waiter{Polls: 64, Yield: func() {
			if yields++; yields == 3 {
				close(released)
			}
		}}
		var waiting *recorder
		cfg := shmem.Config{PEs: 2, Bytes: 64, Wait: waiter, Transport: func(s shmem.Site) shmem.Transport {
			r := newRecorder(s)
			if s.Rank == 1 {
				waiting = r
			}
			return r
		}}
		err := onPEs(t.Context(), 2, cfg, func(pe *shmem.PE) {
			if pe.Rank() == 1 {
				wait(pe)
				return
			}
			<-released // which a wait without yields never closes
			pe.Notify(1)
			pe.PutFlag(1, 0, []byte{1, 0, 0, 0})
		})
		if asked := waiting.calls["stopped"]; err != nil || yields < 3 || name == "flag" && asked < 3 {
			t.Errorf("%s: error %v, %d yields, asked %d times", name, err, yields, asked)
		}
	}
}
