//go:build explore

package block

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
)

// A stage is a block in an exploration: EDTs, each on a worker of its own, acquire and release it.
type stage struct {
	*explore.Run
	store   Store
	index   uint32
	block   *Record
	low     uint64
	holding [datablock.Null + 1]int
	granted [8]word.Uint32 // by EDT
}

// newStage makes a block that its creator holds in mode RW, if held is set.
func newStage(r *explore.Run, held bool) (*stage, *Local) {
	s := &stage{Run: r}
	s.store.Open(0)
	l := s.worker()
	var err error
	if s.index, s.block, err = l.Create(64, held); err != nil {
		panic(err)
	}
	s.low = s.block.Low(s.index)
	if held {
		s.holding[datablock.RW]++
	}
	r.Cleanup(s.store.Close)
	r.Finally(func() error {
		if s.block.state.Load()&^destroyed != 0 || s.block.first[0].edt != 0 {
			return fmt.Errorf("the block is not free at the end: state %x", s.block.state.Load())
		}
		if destroyed := s.block.state.Load()&destroyed != 0; destroyed != (s.block.size == 0) {
			return fmt.Errorf("destroyed: %v, %d bytes are left", destroyed, s.block.size)
		}
		return nil
	})
	return s, l
}

func (s *stage) worker() *Local {
	l := new(Local)
	l.Init(&s.store, nil)
	return l
}

// hold records that an EDT has acquired the block. It fails if another holder's mode excludes the EDT's.
func (s *stage) hold(m datablock.Mode) {
	s.holding[m]++
	if s.block.size == 0 {
		s.Fail("a freed block is held in mode %v", m)
	}
	for _, other := range []datablock.Mode{datablock.RW, datablock.EW, datablock.Const} {
		both := other != m || m == datablock.EW && s.holding[m] > 1
		if m != datablock.RO && both && s.holding[other] > 0 {
			s.Fail("%v is held beside %v", m, other)
		}
	}
}

// acquire acquires the block for an EDT; if kept is set, the EDT has kept the block.
func (s *stage) acquire(edt uint32, m datablock.Mode, kept bool) {
	switch {
	case kept && s.block.TryKept(m):
	case !kept && (m == datablock.RW && s.block.TryRW() || s.block.TryAcquire(m)):
		if m != datablock.RO && s.block.first[0].edt != 0 {
			s.Fail("EDT %d has passed by the queue", edt)
		}
	default:
		switch s.store.Wait(s.low, s.block, Waiter{EDT: edt, Mode: m, Kept: kept}) {
		case Granted:
		case Gone:
			s.Fail("EDT %d finds the block destroyed", edt)
			return
		default:
			s.granted[edt].Await(func(v uint32) bool { return v != 0 })
			return // the worker that granted the block has called hold
		}
	}
	s.hold(m)
}

// release releases the block. The EDTs that are granted the block hold it from then on, and run.
func (s *stage) release(l *Local, m datablock.Mode) {
	s.holding[m]--
	if m == datablock.RW && s.block.LeaveRW() {
		return
	}
	granted := l.Release(s.index, s.block, m, nil)
	for _, w := range granted {
		s.hold(w.Mode)
	}
	for _, w := range granted {
		s.granted[w.EDT].Store(1)
	}
}

// uses adds an EDT that acquires the block and releases it.
func (s *stage) uses(edt int, m datablock.Mode) {
	l := s.worker()
	s.Go(fmt.Sprintf("EDT %d, %v", edt, m), func() {
		s.acquire(uint32(edt), m, false)
		s.release(l, m)
	})
}

func TestExploredQueue(t *testing.T) {
	const rw, ew, ro, constant = datablock.RW, datablock.EW, datablock.RO, datablock.Const
	for _, modes := range [][]datablock.Mode{
		{ew, rw}, {ew, ro, rw}, {constant, rw}, {rw, rw, constant}, {ew, rw, constant},
	} {
		t.Run(fmt.Sprint(modes), func(t *testing.T) {
			explore.Bounded(t, 2, func(r *explore.Run) {
				s, _ := newStage(r, false)
				for k, m := range modes {
					s.uses(k+1, m)
				}
			})
		})
	}
}

// Two EDTs of one mode wait behind a holder, and meet while both hold the block: the holder's release grants the block
// to both.
func TestExploredQueueTogether(t *testing.T) {
	for _, m := range []datablock.Mode{datablock.RW, datablock.Const} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			explore.Bounded(t, 2, func(r *explore.Run) {
				s, holder := newStage(r, false)
				s.acquire(1, datablock.EW, false)
				r.Go("EDT 1, EW", func() { s.release(holder, datablock.EW) })
				var met word.Uint32
				for _, edt := range []uint32{2, 3} {
					l := s.worker()
					r.Go(fmt.Sprintf("EDT %d, %v", edt, m), func() {
						s.acquire(edt, m, false)
						met.Add(1)
						met.Await(func(v uint32) bool { return v == 2 })
						s.release(l, m)
					})
				}
			})
		})
	}
}

// The creator of a block releases it, or passes its hold to the next EDT on its worker, while another EDT waits for the
// block.
func TestExploredHandOver(t *testing.T) {
	for _, other := range []datablock.Mode{datablock.RW, datablock.EW, datablock.Const} {
		t.Run(fmt.Sprint(other), func(t *testing.T) {
			explore.Every(t, func(r *explore.Run) {
				s, l := newStage(r, true)
				r.Go("EDTs 1 and 2", func() {
					if s.block.OnlyRW() {
						if s.block.state.Own()&queued != 0 {
							r.Fail("EDT 2 has passed by the queue")
						}
					} else {
						s.release(l, datablock.RW)
						s.acquire(2, datablock.RW, false)
					}
					s.release(l, datablock.RW)
				})
				s.uses(3, other)
			})
		})
	}
}

// A block is destroyed when all EDTs that need it wait for it or hold it.
func TestExploredDestruction(t *testing.T) {
	explore.Bounded(t, 2, func(r *explore.Run) {
		s, l := newStage(r, true)
		reads, waits := s.worker(), s.worker()
		s.block.TryAcquire(datablock.RO)
		s.holding[datablock.RO]++
		var runnable word.Uint32
		r.Go("EDT 1", func() { s.release(l, datablock.RW) })
		r.Go("EDT 2", func() { s.release(reads, datablock.RO) })
		r.Go("EDT 3", func() {
			got := s.block.TryAcquire(datablock.EW)
			if !got {
				got = s.store.Wait(s.low, s.block, Waiter{EDT: 3, Mode: datablock.EW}) == Granted
			}
			if got {
				s.hold(datablock.EW)
			}
			if runnable.Store(1); !got {
				s.granted[3].Await(func(v uint32) bool { return v != 0 })
			}
			s.release(waits, datablock.EW)
		})
		destroys := s.worker()
		r.Go("destroyer", func() {
			runnable.Await(func(v uint32) bool { return v != 0 })
			destroys.Destroy(s.index, s.block)
		})
	})
}

// Two holders of a destroyed block release it, one of them so late that the record may be another block's. EDT 4 waits
// for that block while the block's creator holds it.
func TestExploredRecycled(t *testing.T) {
	explore.Bounded(t, 2, func(r *explore.Run) {
		s, l := newStage(r, false)
		s.block.TryAcquire(datablock.EW)
		s.block.TryAcquire(datablock.RO)
		s.holding[datablock.EW]++
		s.holding[datablock.RO]++
		s.store.Wait(s.low, s.block, Waiter{EDT: 3, Mode: datablock.EW})
		l.Destroy(s.index, s.block)
		var created, waiting word.Uint32
		releases := func(l *Local, m datablock.Mode) {
			if s.release(l, m); s.block.size != 0 || created.Own() != 0 {
				return
			}
			if i, _, err := l.Create(64, true); err != nil || i != s.index {
				s.Fail("the record is not used again: %v", err)
			}
			s.low = s.block.Low(s.index)
			s.holding[datablock.RW]++
			created.Store(1)
			waiting.Await(func(v uint32) bool { return v != 0 })
			s.release(l, datablock.RW)
		}
		for k, m := range []datablock.Mode{datablock.EW, datablock.RO} {
			own := s.worker()
			r.Go(fmt.Sprint("EDT ", k+1), func() { releases(own, m) })
		}
		waits, next := s.worker(), s.worker()
		r.Go("EDT 3", func() {
			s.granted[3].Await(func(v uint32) bool { return v != 0 })
			releases(waits, datablock.EW)
		})
		r.Go("EDT 4", func() {
			created.Await(func(v uint32) bool { return v != 0 })
			s.store.Wait(s.low, s.block, Waiter{EDT: 4, Mode: datablock.EW})
			waiting.Store(1)
			s.granted[4].Await(func(v uint32) bool { return v != 0 })
			s.release(next, datablock.EW)
		})
	})
}

// An EDT keeps a block while it waits for another block. Meanwhile another EDT holds the kept block, and one destroys
// it.
func TestExploredKept(t *testing.T) {
	for _, m := range []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			explore.Bounded(t, 2, func(r *explore.Run) {
				s, l := newStage(r, true)
				keeps, destroys := s.worker(), s.worker()
				var kept word.Uint32
				r.Go("EDT 1", func() { s.release(l, datablock.RW) })
				r.Go("EDT 2", func() {
					if !s.block.Keep() {
						r.Fail("the block is gone")
					}
					kept.Store(1)
					s.acquire(2, m, true)
					s.release(keeps, m)
				})
				r.Go("destroyer", func() {
					kept.Await(func(v uint32) bool { return v != 0 })
					destroys.Destroy(s.index, s.block)
				})
			})
		})
	}
}
