package block_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ocr/datablock"
	"ocr/internal/core/block"
)

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const}

// compatible is the table of ocr-model.md.
func compatible(a, b datablock.Mode) bool {
	switch {
	case a == datablock.RO || b == datablock.RO:
		return true
	case a == datablock.RW || a == datablock.Const:
		return a == b
	}
	return false
}

// openStore makes an empty store.
func openStore(limit uint64) *block.Store {
	s := new(block.Store)
	s.Open(limit)
	return s
}

func newStore(t testing.TB, limit uint64, locals int) (*block.Store, []*block.Local) {
	s := openStore(limit)
	t.Cleanup(s.Close)
	all := make([]*block.Local, locals)
	for k := range all {
		all[k] = new(block.Local)
		all[k].Init(s)
	}
	return s, all
}

func create(t testing.TB, l *block.Local, size int, acquire bool) (uint32, *block.Record) {
	t.Helper()
	i, r, err := l.Create(size, acquire)
	if err != nil {
		t.Fatal(err)
	}
	return i, r
}

func TestModesMatrix(t *testing.T) {
	_, locals := newStore(t, 0, 1)
	l := locals[0]
	for _, held := range modes {
		for _, wanted := range modes {
			for _, again := range modes {
				t.Run(fmt.Sprintf("%v, %v, %v", held, wanted, again), func(t *testing.T) {
					i, r := create(t, l, 8, false)
					if !r.TryAcquire(held) {
						t.Fatalf("%v refused on a free block", held)
					}
					got := r.TryAcquire(wanted)
					if got != compatible(held, wanted) {
						t.Errorf("%v beside %v: %v", wanted, held, got)
					}
					want := compatible(held, again) && (!got || compatible(wanted, again))
					third := r.TryAcquire(again)
					if third != want {
						t.Errorf("%v beside %v and %v: %v", again, held, wanted, third)
					}
					if third {
						l.Release(i, r, again, nil)
					}
					if got {
						l.Release(i, r, wanted, nil)
					}
					l.Release(i, r, held, nil)
					if !r.TryAcquire(datablock.EW) {
						t.Error("the block is not free after all released it")
					}
				})
			}
		}
	}
}

func TestTryRW(t *testing.T) {
	_, locals := newStore(t, 0, 1)
	l := locals[0]
	for _, held := range append([]datablock.Mode{datablock.Null}, modes...) {
		i, r := create(t, l, 8, false)
		if held != datablock.Null {
			r.TryAcquire(held)
		}
		want := held == datablock.Null || held == datablock.RW
		if got := r.TryRW(); got != want {
			t.Errorf("beside %v: %v", held, got)
		} else if got {
			if r.TryAcquire(datablock.Const) {
				t.Errorf("beside %v: Const granted beside RW", held)
			}
			l.Release(i, r, datablock.RW, nil)
		}
		if held != datablock.Null {
			l.Release(i, r, held, nil)
		}
		if !r.TryAcquire(datablock.EW) {
			t.Errorf("beside %v: not free at the end", held)
		}
	}
}

// An EDT in the queue is not overtaken by one that comes later, except in mode RO; and a
// destroyed block gets no new holders, in any mode.
func TestOnlyReadersPassTheQueue(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	l := locals[0]
	for _, waits := range []datablock.Mode{datablock.EW, datablock.Const} {
		i, r := create(t, l, 8, true) // held in mode RW
		if got := s.Wait(r.Low(i), r, block.Waiter{EDT: 1, Mode: waits}); got != block.Queued {
			t.Fatalf("%v beside RW: %v", waits, got)
		}
		if r.TryRW() {
			t.Errorf("TryRW passes a queued %v", waits)
		}
		for _, m := range modes {
			if r.TryAcquire(m) != (m == datablock.RO) {
				t.Errorf("%v beside RW, before a queued %v", m, waits)
			}
		}
		l.Release(i, r, datablock.RO, nil)
		granted := l.Release(i, r, datablock.RW, nil)
		if len(granted) != 1 || granted[0].EDT != 1 {
			t.Fatalf("granted to %v", granted)
		}
		l.Release(i, r, waits, nil)
	}
	i, r := create(t, l, 8, false)
	r.TryAcquire(datablock.RO)
	l.Destroy(i, r)
	if r.TryRW() {
		t.Error("TryRW holds a destroyed block")
	}
	for _, m := range modes { // beside a holder in mode RO, which excludes no mode
		if r.TryAcquire(m) {
			t.Errorf("a destroyed block is held in mode %v", m)
		}
	}
}

// access is the model of one block: its holders, and its queue.
type access struct {
	holders map[uint32]datablock.Mode
	queue   []block.Waiter
}

func (a *access) admits(m datablock.Mode) bool {
	for _, h := range a.holders {
		if !compatible(h, m) {
			return false
		}
	}
	return true
}

// settle grants the block to the head of the queue and those behind it.
func (a *access) settle() (granted []block.Waiter) {
	for len(a.queue) > 0 && a.admits(a.queue[0].Mode) {
		w := a.queue[0]
		a.queue = a.queue[1:]
		a.holders[w.EDT] = w.Mode
		granted = append(granted, w)
	}
	return granted
}

// Random acquisitions, releases, downgrades and a destruction against the model: the block is granted in the order of
// arrival, and only readers pass the queue. An EDT that keeps the block can acquire it after its destruction.
func TestAccessAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := openStore(0)
		defer s.Close()
		l := new(block.Local)
		l.Init(s)
		i, r, err := l.Create(8, true)
		if err != nil {
			t.Fatal(err)
		}
		low := r.Low(i)
		m := access{holders: map[uint32]datablock.Mode{0: datablock.RW}}
		next, gone, keepers := uint32(1), false, 0
		holder := func(t *rapid.T) uint32 {
			if len(m.holders) == 0 {
				t.Skip("the block has no holder")
			}
			ids := make([]uint32, 0, len(m.holders))
			for id := range m.holders {
				ids = append(ids, id)
			}
			slices.Sort(ids)
			return rapid.SampledFrom(ids).Draw(t, "holder")
		}
		served := func(t *rapid.T, got []block.Waiter) {
			if want := m.settle(); !slices.Equal(got, want) {
				t.Fatalf("granted %v, want %v", got, want)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				if gone {
					t.Skip("destroyed")
				}
				w := block.Waiter{EDT: next, Cursor: next * 3, Mode: rapid.SampledFrom(modes).Draw(t, "mode")}
				next++
				want := m.admits(w.Mode) && (len(m.queue) == 0 || w.Mode == datablock.RO)
				got := r.TryAcquire(w.Mode)
				if got != want {
					t.Fatalf("%v beside %v, behind %v: %v", w.Mode, m.holders, m.queue, got)
				}
				if got {
					m.holders[w.EDT] = w.Mode
				} else if s.Wait(r.Low(i), r, w) != block.Queued {
					t.Fatalf("%v granted on the second try", w.Mode)
				} else {
					m.queue = append(m.queue, w)
				}
			},
			"keep": func(t *rapid.T) {
				if got := r.Keep(); got == gone {
					t.Fatalf("kept: %v, destroyed: %v", got, gone)
				} else if got {
					keepers++
				}
			},
			"acquire what is kept": func(t *rapid.T) {
				if keepers == 0 {
					t.Skip("no EDT keeps the block")
				}
				keepers--
				w := block.Waiter{EDT: next, Cursor: next * 3, Mode: rapid.SampledFrom(modes).Draw(t, "mode"), Kept: true}
				next++
				want := m.admits(w.Mode) && (len(m.queue) == 0 || w.Mode == datablock.RO)
				got := rapid.Bool().Draw(t, "one try first") && r.TryKept(w.Mode)
				if !got {
					got = s.Wait(low, r, w) == block.Granted
				}
				if w.Kept = false; got != want {
					t.Fatalf("%v beside %v, behind %v: %v", w.Mode, m.holders, m.queue, got)
				} else if got {
					m.holders[w.EDT] = w.Mode
				} else {
					m.queue = append(m.queue, w)
				}
			},
			"release": func(t *rapid.T) {
				id := holder(t)
				mode := m.holders[id]
				delete(m.holders, id)
				served(t, l.Release(i, r, mode, nil))
			},
			"downgrade": func(t *rapid.T) {
				id := holder(t)
				mode := m.holders[id]
				m.holders[id] = datablock.RO
				if mode == datablock.RO {
					t.Skip("reads already")
				}
				served(t, l.Downgrade(i, r, mode, nil))
			},
			"destroy": func(t *rapid.T) {
				if gone || len(m.holders) == 0 && keepers == 0 {
					t.Skip("destroyed or free")
				}
				gone = true
				if len(m.holders) > 0 && rapid.Bool().Draw(t, "held") {
					id := holder(t)
					mode := m.holders[id]
					delete(m.holders, id)
					served(t, l.DestroyHeld(i, r, mode, nil))
					return
				}
				l.Destroy(i, r)
			},
			"create another": func(t *rapid.T) {
				if !gone || len(m.holders) > 0 || keepers > 0 {
					t.Skip("in use")
				}
				if i, r, err = l.Create(8, false); err != nil {
					t.Fatal(err)
				}
				low, gone = r.Low(i), false
			},
			"": func(t *rapid.T) {
				if found := s.Lookup(low) != nil; found == gone {
					t.Fatalf("found: %v, destroyed: %v", found, gone)
				}
				freed := gone && len(m.holders) == 0 && len(m.queue) == 0 && keepers == 0
				if (r.Size() == 0) != freed {
					t.Fatalf("size %d with holders %v, destroyed: %v", r.Size(), m.holders, gone)
				}
				var waiting []block.Waiter
				s.Waiting(func(block uint32, w block.Waiter) {
					if block != i {
						t.Fatalf("%v waits for block %d", w, block)
					}
					waiting = append(waiting, w)
				})
				if !slices.Equal(waiting, m.queue) {
					t.Fatalf("waiting %v, want %v", waiting, m.queue)
				}
			},
		})
	})
}

// An EDT that is about to queue acquires the block if it has become free.
func TestWaitTakesAFreeBlock(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], 8, false)
	for _, m := range modes {
		if s.Wait(r.Low(i), r, block.Waiter{EDT: 1, Mode: m}) != block.Granted {
			t.Errorf("%v waits for a free block", m)
		}
		locals[0].Release(i, r, m, nil)
	}
	s.Waiting(func(_ uint32, w block.Waiter) { t.Errorf("%v waits", w) })
}

// Granted waiters are appended to the caller's list.
func TestGrantsAreAppended(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	i, r := create(t, locals[0], 8, true)
	first := block.Waiter{EDT: 9}
	for id := uint32(1); id <= 3; id++ {
		s.Wait(r.Low(i), r, block.Waiter{EDT: id, Mode: datablock.Const})
	}
	got := locals[0].Release(i, r, datablock.RW, []block.Waiter{first})
	if len(got) != 4 || got[0] != first || got[1].EDT != 1 || got[3].EDT != 3 {
		t.Errorf("granted %v", got)
	}
}
