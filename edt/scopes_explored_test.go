//go:build explore

package edt

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
)

// TestExploredScopes: two workers run EDTs of a finish scope and of a scope inside it. Each scope closes once, when the
// last EDT in it has ended.
func TestExploredScopes(t *testing.T) {
	explore.Bounded(t, 2, func(r *explore.Run) {
		s := newStage(r)
		alive, in := 1, 0 // EDTs of the outer scope, of the inner one
		inside := s.template("inside", 0, func(c *Ctx, _ Args) {
			in--
		})
		beside := s.template("beside", 0, func(c *Ctx, _ Args) {
			alive--
		})
		nested := s.template("nested", 0, func(c *Ctx, _ Args) {
			in++
			c.NewEDT(inside, nil)
			in--
		})
		behind := s.template("behind nested", 1, func(*Ctx, Args) {
			if alive--; in != 0 {
				s.Fail("the inner scope is closed with %d EDTs in it", in)
			}
		})
		outer := s.template("outer", 0, func(c *Ctx, _ Args) {
			alive++
			c.NewEDT(beside, nil)
			closed := c.NewEvent(Once)
			alive++
			c.NewEDT(behind, nil, reads(closed))
			in++
			c.Spawn(nested, &Spec{Finish: true, OutputEvent: closed})
			alive--
		})
		closed := s.first.NewEvent(Once)
		s.first.NewEDT(s.template("behind outer", 1, func(*Ctx, Args) {
			if alive != 0 {
				s.Fail("the outer scope is closed with %d EDTs in it", alive)
			}
			s.finish()
		}), nil, reads(closed))
		s.hands(2, func(c *Ctx) {
			c.Spawn(outer, &Spec{Finish: true, OutputEvent: closed})
		})
	})
}

// TestExploredRecording: a recorded graph runs twice. It has a source, two nodes behind it, a node behind both, and one
// behind the source alone.
func TestExploredRecording(t *testing.T) {
	for _, workers := range []int{2, 3} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			explore.Bounded(t, heldUp(), func(r *explore.Run) { exploreRecording(newStage(r), workers) })
		})
	}
}

func exploreRecording(s *stage, workers int) {
	const runs = 2
	rec, began, ended := s.first.NewRecording(), [5]int{}, [5]int{}
	before := [5][]int{1: {0}, 2: {0}, 3: {1, 2}, 4: {0}}
	var step word.Uint32
	var nodes [5]Node
	for k := range nodes {
		nodes[k] = rec.Add(s.template(fmt.Sprint("node ", k), 0, func(*Ctx, Args) {
			began[k]++
			run := began[k]
			for _, b := range before[k] {
				if ended[b] < run {
					s.Fail("run %d of node %d begins before node %d has ended", run, k, b)
				}
			}
			for other := range nodes {
				if ended[other] < run-1 {
					s.Fail("run %d of node %d begins before run %d of node %d has ended", run, k, run-1, other)
				}
			}
			step.Load()
			ended[k]++
		}), nil)
		for _, b := range before[k] {
			nodes[k].After(nodes[b])
		}
	}
	rec.Seal(s.first)
	done := s.first.NewEvent(Once)
	s.first.NewEDT(s.template("behind", 1, func(*Ctx, Args) {
		if ended != [5]int{runs, runs, runs, runs, runs} {
			s.Fail("the nodes have run %v times", ended)
		}
		s.finish()
	}), nil, From(done, datablock.Null))
	s.hands(workers, func(c *Ctx) { rec.Run(c, runs, done) })
}

// A use is blocks, and how many EDTs hold each of them, by mode.
type use struct {
	*stage
	blocks []guid.GUID
	by     map[guid.GUID]*[datablock.Null + 1]int
	step   word.Uint32
}

func newUse(s *stage) *use {
	u := &use{stage: s, blocks: s.blocks(2), by: make(map[guid.GUID]*[datablock.Null + 1]int)}
	for _, b := range u.blocks {
		u.by[b] = new([datablock.Null + 1]int)
	}
	return u
}

// hold is part of the body of an EDT that holds blocks in mode m. It fails if another EDT's mode excludes that.
func (u *use) hold(m datablock.Mode, blocks ...guid.GUID) {
	for _, b := range blocks {
		n := u.by[b]
		if n[m]++; n[datablock.EW] > 1 || n[datablock.EW] > 0 && n[datablock.RW] > 0 {
			u.Fail("a block is held in modes that exclude each other")
		}
	}
	u.step.Add(1) // a step that depends on those of other holders, so they are tried in between
	for _, b := range blocks {
		u.by[b][m]--
	}
}

// acquires adds an EDT that acquires blocks when a thread has satisfied its last slot.
func (u *use) acquires(name string, m datablock.Mode, blocks ...guid.GUID) {
	var sources []Source
	for _, b := range blocks {
		sources = append(sources, From(b, m))
	}
	u.lastSlot(name, u.edt(name, func(*Ctx, Args) { u.hold(m, blocks...) }, append(sources, Open)...), len(blocks))
}

func (s *stage) lastSlot(name string, edt guid.GUID, slot int) {
	s.calls(name+"'s last slot", func(c *Ctx) { c.AddDependence(guid.Null, edt, slot, datablock.Null) })
}

// TestExploredAcquisition: two EDTs acquire two blocks, named in different orders; a third one acquires the second
// block. (One of them is missing in small cases.) EDTs hold a block at the same time only in modes that allow it.
func TestExploredAcquisition(t *testing.T) {
	const rw, ew, ro, missing = datablock.RW, datablock.EW, datablock.RO, datablock.Null
	for _, modes := range [][]datablock.Mode{{rw, ew, missing}, {missing, ew, rw}, {rw, ew, ro}, {ew, ew, ew}} {
		ok := t.Run(fmt.Sprint(modes), func(t *testing.T) {
			explore.Bounded(t, heldUp(), func(r *explore.Run) {
				u := newUse(newStage(r))
				for k, of := range [][]guid.GUID{{u.blocks[0], u.blocks[1]}, {u.blocks[1], u.blocks[0]}, {u.blocks[1]}} {
					if modes[k] != missing {
						u.acquires(fmt.Sprint("EDT ", k), modes[k], of...)
					}
				}
			})
		})
		if !ok {
			return // the larger cases would take minutes to fail too
		}
	}
}

// TestExploredPass: an EDT passes a block on while an EDT that waits for its event gets its last other slot. Beside
// them another EDT comes to wait for the event, or acquires the block and the other block of the EDT that waits.
func TestExploredPass(t *testing.T) {
	for _, waiters := range []int{1, 2} {
		t.Run(fmt.Sprint("waiters: ", waiters), func(t *testing.T) {
			explore.Bounded(t, heldUp(), func(r *explore.Run) { explorePass(newUse(newStage(r)), waiters) })
		})
	}
}

func explorePass(u *use, waiters int) {
	const rw = datablock.RW
	passed, other, event, got := u.blocks[0], u.blocks[1], u.first.NewEvent(Sticky), 0
	gets := func(slot int, blocks ...guid.GUID) func(c *Ctx, in Args) {
		return func(c *Ctx, in Args) {
			if u.hold(rw, blocks...); in.Dep(slot).GUID() != passed {
				u.Fail("another block was passed")
			}
			if got++; got == waiters {
				c.DestroyEvent(event)
			}
		}
	}
	u.lastSlot("waits", u.edt("waits", gets(1, other, passed), From(other, rw), From(event, rw), Open), 2)
	if waiters == 1 {
		u.acquires("beside", datablock.EW, passed, other)
	} else {
		late := u.edt("comes", gets(0, passed), Open)
		u.calls("comes to wait", func(c *Ctx) { c.AddDependence(event, late, 0, rw) })
	}
	giver := u.edt("giver", func(c *Ctx, in Args) {
		u.hold(rw, passed)
		c.Pass(event, 0)
	}, From(passed, rw), Open)
	u.first.AddDependence(guid.Null, giver, 1, datablock.Null)
}
