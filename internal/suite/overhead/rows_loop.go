package overhead

import (
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
)

func loopRows() []*Row {
	return []*Row{{
		Section: Loop, Name: "empty-loop",
		What:    "the loop around every call, keeping a GUID, and the clock: not subtracted from any row",
		measure: call{act: keepGUID}.measure,
		Peers:   []Peer{functionCall, atomicAdd, mutexLock},
	}}
}

func keepGUID(_ *edt.Ctx, l *lane) {
	for k := range l.n {
		l.events[k] = guid.Null
	}
}

// functionCall is a call that is not inlined.
var functionCall = peerSets("function-call", func(workers int) peerLoop {
	sums := make([]uint64, 8*workers) // a line each
	return peerLoop{
		work: func(worker int) func(int) int64 {
			return func(n int) int64 {
				sum := sums[8*worker]
				for range n {
					sum = increment(sum)
				}
				sums[8*worker] = sum
				return 0
			}
		},
		check: func(uint64) (sum uint64) {
			for _, v := range sums {
				sum += v
			}
			return sum
		},
	}
})

//go:noinline
func increment(v uint64) uint64 { return v + 1 }

// mutexLock locks and unlocks a mutex of the worker's own.
var mutexLock = peerSets("mutex", func(workers int) peerLoop {
	all := make([]guarded, workers)
	return peerLoop{
		work: func(worker int) func(int) int64 { return all[worker].lockAndAdd },
		check: func(uint64) (sum uint64) {
			for k := range all {
				sum += all[k].sum
			}
			return sum
		},
	}
})

// mutexContended is one mutex for all.
var mutexContended = peerSets("mutex", func(int) peerLoop {
	var one guarded
	return peerLoop{
		work:  func(int) func(int) int64 { return one.lockAndAdd },
		check: func(uint64) uint64 { return one.sum },
	}
})

// guarded is a sum under a mutex, lines away from the next.
type guarded struct {
	mu  sync.Mutex
	sum uint64
	_   [112]byte
}

func (g *guarded) lockAndAdd(n int) int64 {
	for range n {
		g.mu.Lock()
		g.sum++
		g.mu.Unlock()
	}
	return 0
}

// rwMutex reads under a read-write mutex: of the worker's own, or one for all.
func rwMutex(shared bool) Peer {
	return peerSets("rwmutex-rlock", func(workers int) peerLoop {
		type read struct {
			mu  sync.RWMutex
			one uint64
			_   [88]byte
		}
		all := make([]read, workers)
		var seen atomic.Uint64
		for k := range all {
			all[k].one = 1
		}
		return peerLoop{
			work: func(worker int) func(int) int64 {
				r := &all[worker]
				if shared {
					r = &all[0]
				}
				return func(n int) int64 {
					sum := uint64(0)
					for range n {
						r.mu.RLock()
						sum += r.one
						r.mu.RUnlock()
					}
					seen.Add(sum)
					return 0
				}
			},
			check: func(uint64) uint64 { return seen.Load() },
		}
	})
}

// atomicAdd adds to a word of the worker's own.
var atomicAdd = peerSets("atomic-add", func(workers int) peerLoop {
	words := make([]atomic.Uint64, 16*workers)
	return peerLoop{
		work: func(worker int) func(int) int64 {
			w := &words[16*worker]
			return func(n int) int64 {
				for range n {
					w.Add(1)
				}
				return 0
			}
		},
		check: func(uint64) (sum uint64) {
			for k := range words {
				sum += words[k].Load()
			}
			return sum
		},
	}
})

// atomicSwap sets words by compare-and-swap, each once.
var atomicSwap = peerSets("atomic-cas", func(workers int) peerLoop {
	type set struct {
		words [peerLen]atomic.Uint64
		done  uint64
		_     [120]byte
	}
	all := make([]set, workers)
	return peerLoop{
		work: func(worker int) func(int) int64 {
			s := &all[worker]
			turn := uint64(0)
			return func(n int) int64 {
				turn++
				for k := range n {
					if s.words[k].CompareAndSwap(turn-1, turn) {
						s.done++
					}
				}
				return 0
			}
		},
		check: func(uint64) (sum uint64) {
			for k := range all {
				sum += all[k].done
			}
			return sum
		},
	}
})
