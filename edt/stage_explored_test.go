//go:build explore

package edt

import (
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
	"ocr/internal/proof/testrun"
)

// A stage is a graph whose calls are made by the threads of an exploration, each with a worker of its own.
type stage struct {
	*explore.Run
	g     *Graph
	first *Ctx // for calls before the threads begin
	ready map[uint32]*word.Uint64
	cast  []string       // the EDTs that run once each
	ran   map[string]int // how often each has run
	queue []Ready        // EDTs for the threads of hands
	waits word.Uint32    // length of queue
	over  bool           // the threads of hands are to end
	check []func() error
	ends  func(err error) // called if the run ends with an error; by default a failure
}

const stageWorkers = 8

func newStage(r *explore.Run) *stage {
	s := &stage{Run: r, g: NewGraph(Config{Workers: stageWorkers}), ready: make(map[uint32]*word.Uint64),
		ran: make(map[string]int), ends: func(err error) { r.Fail("%v", err) }}
	s.first = s.worker()
	r.Cleanup(s.g.Close)
	r.Finally(s.end)
	return s
}

// end returns what is wrong when all threads have ended.
func (s *stage) end() error {
	for _, name := range s.cast {
		if s.ran[name] != 1 {
			return fmt.Errorf("%s has run %d times", name, s.ran[name])
		}
	}
	if n := s.g.Counters(); n.EventCreated != n.EventDestroyed || n.EDTCreated != n.EDTRun {
		return fmt.Errorf("%d events of %d are destroyed, %d EDTs of %d have run", n.EventDestroyed, n.EventCreated,
			n.EDTRun, n.EDTCreated)
	}
	for _, check := range s.check {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// after adds a check for when all threads have ended.
func (s *stage) after(check func() error) { s.check = append(s.check, check) }

func (s *stage) worker() *Ctx { return s.g.NewWorker(s).Ctx() }

// Ready implements [Host].
func (s *stage) Ready(k Ready) {
	if w := s.ready[k.index()]; w == nil {
		s.queue = append(s.queue, k)
		s.waits.Add(1)
	} else if w.Swap(uint64(k)) != 0 {
		s.Fail("EDT %d is ready twice", k.index())
	}
}

// Stop implements [Host]: the run has ended with an error.
func (s *stage) Stop() {}

// calls has a thread run f.
func (s *stage) calls(name string, f func(c *Ctx)) {
	c := s.worker()
	s.Go(name, func() {
		defer func() {
			switch v := recover().(type) {
			case nil:
			case unwind:
				s.ends(v.err)
			default:
				panic(v)
			}
		}()
		f(c)
	})
}

// edt creates an EDT, and a thread that runs it once it is ready.
func (s *stage) edt(name string, body func(c *Ctx, in Args), deps ...Source) guid.GUID {
	id := s.first.NewEDT(s.template(name, len(deps), body), nil, deps...)
	_, lo := id.Words()
	ready := new(word.Uint64)
	s.ready[uint32(lo)] = ready
	s.cast = append(s.cast, name)
	s.calls(name, func(c *Ctx) {
		ready.Await(func(k uint64) bool { return k != 0 })
		if k := workerOf(c).Execute(Ready(ready.Swap(0))); k != 0 {
			s.Ready(k)
		}
	})
	return id
}

func (s *stage) template(name string, slots int, body func(c *Ctx, in Args)) *Template {
	return s.first.NewTemplate(name, 0, slots, func(c *Ctx, in Args) guid.GUID {
		s.ran[name]++
		body(c, in)
		return guid.Null
	})
}

// hands adds threads that run EDTs of the queue until the run is over. If the queue is empty they call Idle.
func (s *stage) hands(n int, first func(c *Ctx)) {
	for k := range n {
		s.calls(fmt.Sprint("worker ", k), func(c *Ctx) {
			if k == 0 {
				first(c)
			}
			for !s.over {
				n := s.waits.Load()
				switch {
				case n == 0:
					workerOf(c).Idle()
					s.waits.Await(func(n uint32) bool { return n > 0 })
				case s.waits.CompareAndSwap(n, n-1):
					if s.over {
						s.waits.Add(1)
						return
					}
					k := s.queue[0]
					s.queue = s.queue[1:]
					for k != 0 {
						k = workerOf(c).Execute(k)
					}
				}
			}
		})
	}
}

// finish ends the threads of hands.
func (s *stage) finish() {
	s.over = true
	s.waits.Add(1)
}

// heldUp is the largest number of hold-ups in an order of the large explorations.
func heldUp() int { return testrun.Sized(1, 2, 2) }

// blocks makes n blocks.
func (s *stage) blocks(n int) (all []guid.GUID) {
	for range n {
		all = append(all, s.first.NewBlockNoAcquire(8))
	}
	return all
}

// blockNumber returns the number, from 1, of the block that came on a slot; 0 for another block.
func blockNumber(blocks []guid.GUID, in Args, slot int) int {
	return 1 + slices.Index(blocks, in.Dep(slot).GUID())
}

func reads(event guid.GUID) Source { return From(event, datablock.RO) }
