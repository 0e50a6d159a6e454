package overhead

import (
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
)

func loopRows() []*Row {
	return []*Row{call{act: keepGUID}.row("empty-loop",
		"the loop around every call, keeping a GUID, and the clock: not subtracted from any row",
		functionCall, atomicAdd, mutex(false))}
}

func keepGUID(_ *edt.Ctx, l *lane) {
	for k := range l.n {
		l.objects[k] = guid.Null
	}
}

// functionCall is a call that is not inlined.
var functionCall = loop("function-call", peerLen, func(n int) (sum int) {
	for range n {
		sum = increment(sum)
	}
	return sum
})

//go:noinline
func increment(v int) int { return v + 1 }

// atomicAdd adds to a word of the worker's own.
var atomicAdd = loopPeer("atomic-add", peerLen, func() func(n int) int {
	w := new(struct {
		atomic.Int64
		_ [120]byte
	})
	return func(n int) int {
		before := w.Load()
		for range n {
			w.Add(1)
		}
		return int(w.Load() - before)
	}
})

// guarded is a word under a lock, lines away from the next.
type guarded struct {
	mu    sync.Mutex
	read  sync.RWMutex
	value int
	_     [88]byte
}

// guardedPeer takes a lock: of the worker's own, or one for all.
func guardedPeer(name string, shared bool, loop func(g *guarded, n int) int) Peer {
	var one guarded
	return loopPeer(name, peerLen, func() func(n int) int {
		g := new(guarded)
		if shared {
			g = &one
		}
		return func(n int) int { return loop(g, n) }
	})
}

func mutex(shared bool) Peer {
	return guardedPeer("mutex", shared, func(g *guarded, n int) (done int) {
		for range n {
			g.mu.Lock()
			g.value++
			g.mu.Unlock()
			done++
		}
		return done
	})
}

// rwMutex reads under a read-write mutex.
func rwMutex(shared bool) Peer {
	return guardedPeer("rwmutex-rlock", shared, func(g *guarded, n int) (done int) {
		for range n {
			g.read.RLock()
			done += 1 + g.value // 0
			g.read.RUnlock()
		}
		return done
	})
}
