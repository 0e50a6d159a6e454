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

// TestExploredAcquisition: two EDTs acquire two blocks, named in different orders; a third one acquires the second
// block. No two EDTs hold a block at the same time.
func TestExploredAcquisition(t *testing.T) {
	explore.Bounded(t, heldUp(), func(r *explore.Run) {
		s := newStage(r)
		blocks, holds := s.blocks(2), make(map[guid.GUID]int)
		var step word.Uint32
		for k, deps := range [][]guid.GUID{{blocks[0], blocks[1]}, {blocks[1], blocks[0]}, {blocks[1]}} {
			var sources []Source
			for _, b := range deps {
				sources = append(sources, From(b, datablock.EW))
			}
			edt := s.edt(fmt.Sprint("EDT ", k), func(*Ctx, Args) {
				for _, b := range deps {
					if holds[b]++; holds[b] > 1 {
						s.Fail("two EDTs hold a block")
					}
				}
				step.Load()
				for _, b := range deps {
					holds[b]--
				}
			}, append(sources, Open)...)
			s.calls(fmt.Sprint("dependence ", k), func(c *Ctx) {
				c.AddDependence(guid.Null, edt, len(deps), datablock.Null)
			})
		}
	})
}
