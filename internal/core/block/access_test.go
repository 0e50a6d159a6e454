package block_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/testrun"
)

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const}

// compatible reports whether two EDTs may hold a block in these modes at the same time.
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
		all[k].Init(s, nil)
	}
	return s, all
}

func create(t testing.TB, l *block.Local, size int, acquire bool) (uint32, *block.Record) {
	t.Helper()
	i, r, err := l.Create(size, acquire)
	testrun.OK(t, err)
	return i, r
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

// settle grants the block to the first waiters of the queue, until one is not compatible.
func (a *access) settle() (granted []block.Waiter) {
	for len(a.queue) > 0 && a.admits(a.queue[0].Mode) {
		w := a.queue[0]
		a.queue = a.queue[1:]
		a.holders[w.EDT] = w.Mode
		granted = append(granted, w)
	}
	return granted
}

// Random acquisitions, releases, downgrades and a destruction, compared with the model: the block is granted in the
// order of arrival, and only readers pass the queue. An EDT that keeps the block can acquire it after its destruction.
func TestAccessAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := openStore(0)
		defer s.Close()
		l := new(block.Local)
		l.Init(s, nil)
		i, r, err := l.Create(8, true)
		testrun.OK(t, err)
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
		before := block.Waiter{EDT: 1 << 20} // is in the list to which the store appends
		served := func(t *rapid.T, got []block.Waiter) {
			want := append([]block.Waiter{before}, m.settle()...)
			if !slices.Equal(got, want) {
				t.Fatalf("granted %v, want %v", got, want)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"acquire the quick way": func(t *rapid.T) {
				want := !gone && keepers == 0 && len(m.queue) == 0 // else an EDT takes the general way
				for _, h := range m.holders {
					want = want && h == datablock.RW
				}
				if got := r.TryRW(); got != want {
					t.Fatalf("RW beside %v, behind %v, destroyed: %v: %v", m.holders, m.queue, gone, got)
				} else if got {
					m.holders[next] = datablock.RW
					next++
				}
			},
			"acquire": func(t *rapid.T) {
				if gone {
					if mode := rapid.SampledFrom(modes).Draw(t, "mode"); r.TryAcquire(mode) {
						t.Fatalf("a destroyed block is acquired in mode %v", mode)
					}
					return
				}
				w := block.Waiter{EDT: next, Cursor: next * 3, Mode: rapid.SampledFrom(modes).Draw(t, "mode")}
				next++
				want := m.admits(w.Mode) && (len(m.queue) == 0 || w.Mode == datablock.RO)
				got := rapid.Bool().Draw(t, "one try first") && r.TryAcquire(w.Mode)
				if !got {
					got = s.Wait(r.Low(i), r, w) == block.Granted
				}
				if got != want {
					t.Fatalf("%v beside %v, behind %v: %v", w.Mode, m.holders, m.queue, got)
				}
				if got {
					m.holders[w.EDT] = w.Mode
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
				served(t, l.Release(i, r, mode, []block.Waiter{before}))
			},
			"downgrade": func(t *rapid.T) {
				id := holder(t)
				mode := m.holders[id]
				m.holders[id] = datablock.RO
				if mode == datablock.RO {
					t.Skip("reads already")
				}
				served(t, l.Downgrade(i, r, mode, []block.Waiter{before}))
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
					served(t, l.DestroyHeld(i, r, mode, []block.Waiter{before}))
					return
				}
				l.Destroy(i, r)
			},
			"create another": func(t *rapid.T) {
				if !gone || len(m.holders) > 0 || keepers > 0 {
					t.Skip("in use")
				}
				i, r, err = l.Create(8, false)
				testrun.OK(t, err)
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
