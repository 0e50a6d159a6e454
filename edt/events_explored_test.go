//go:build explore

package edt

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
)

// TestExploredEvents: two EDTs wait for a sticky, idempotent, once or counted event. The dependences race with the
// satisfaction (but on a once event). The EDT that runs last destroys an event that lasts, and makes another one in the
// record.
func TestExploredEvents(t *testing.T) {
	for _, typ := range []EventType{Sticky, Idempotent, Once, Counted} {
		t.Run(typ.String(), func(t *testing.T) {
			explore.Bounded(t, heldUp(), func(r *explore.Run) { exploreTrigger(newStage(r), typ) })
		})
	}
}

func exploreTrigger(s *stage, typ EventType) {
	blocks, event := s.blocks(2), guid.Null
	if typ == Counted {
		event = s.first.NewCounted(2)
	} else {
		event = s.first.NewEvent(typ)
	}
	satisfactions := 1
	if typ == Idempotent {
		satisfactions = 2
	}
	var added, ended word.Uint32
	ran, got := 0, 0
	for k := range 2 {
		edt := s.edt(fmt.Sprint("EDT ", k), func(c *Ctx, in Args) {
			n := blockNumber(blocks, in, 0)
			if n == 0 || got != 0 && got != n {
				s.Fail("the EDTs got blocks %d and %d", got, n)
			}
			if typ == Once && c.Exists(event) {
				s.Fail("the event is still there")
			}
			if got = n; ran == 0 {
				ran++
				return
			}
			switch typ {
			case Idempotent:
				ended.Await(func(n uint32) bool { return n == 2 })
				c.DestroyEvent(event)
			case Sticky:
				c.DestroyEvent(event)
			}
			next := c.NewCounted(1) // in the record of the other event
			c.AddDependence(next, c.NewEvent(Once), Decr, datablock.Null)
			c.Satisfy(next, guid.Null)
		}, Open)
		s.calls(fmt.Sprint("dependence ", k), func(c *Ctx) {
			c.AddDependence(event, edt, 0, datablock.RO)
			added.Add(1)
		})
	}
	for k := range satisfactions {
		s.calls(fmt.Sprint("satisfaction ", k), func(c *Ctx) {
			if typ == Once {
				added.Await(func(n uint32) bool { return n == 2 })
			}
			c.Satisfy(event, blocks[k])
			ended.Add(1)
		})
	}
}

// TestExploredOveruse: one dependence too many on a counted event is reported, and does not destroy the event.
func TestExploredOveruse(t *testing.T) {
	explore.Every(t, func(r *explore.Run) {
		s := newStage(r)
		event, reported := s.first.NewCounted(1), 0
		s.ends = func(err error) {
			if reported++; !errors.Is(err, ErrCount) {
				s.Fail("%v", err)
			}
		}
		for k := range 2 {
			edt := s.first.NewEDT(idleTemplate(s.first, 1), nil)
			s.calls(fmt.Sprint("dependence ", k), func(c *Ctx) { c.AddDependence(event, edt, 0, datablock.RO) })
		}
		r.Finally(func() error {
			if reported != 1 || !s.first.Exists(event) {
				return fmt.Errorf("%d dependences are reported, the event exists: %v", reported, s.first.Exists(event))
			}
			return nil
		})
	})
}

// TestExploredLatch: a latch begins at 2. Its creator adds a dependence and counts it down. Another EDT, to which the
// other count belongs, counts it up and down, and adds a dependence in between.
func TestExploredLatch(t *testing.T) {
	explore.Every(t, func(r *explore.Run) {
		s := newStage(r)
		latch := s.first.NewLatch(2)
		none := func(*Ctx, Args) {}
		edts := []guid.GUID{s.edt("EDT 0", none, Open), s.edt("EDT 1", none, Open)}
		s.calls("creator", func(c *Ctx) {
			c.AddDependence(latch, edts[0], 0, datablock.RO)
			c.Satisfy(latch, guid.Null)
		})
		s.calls("other", func(c *Ctx) {
			c.SatisfySlot(latch, guid.Null, Incr)
			c.AddDependence(latch, edts[1], 0, datablock.RO)
			c.Satisfy(latch, guid.Null)
			c.Satisfy(latch, guid.Null)
		})
	})
}

// Events wait for an event, and an EDT waits for each of them.
func TestExploredChain(t *testing.T) {
	explore.Bounded(t, 2, func(r *explore.Run) {
		s := newStage(r)
		source, block := s.first.NewEvent(Sticky), s.blocks(1)
		var ran word.Uint32
		for k, middle := range []guid.GUID{s.first.NewEvent(Once), s.first.NewLatch(1)} {
			s.edt(fmt.Sprint("EDT ", k), func(c *Ctx, in Args) {
				if k == 0 && blockNumber(block, in, 0) != 1 {
					s.Fail("the block is lost")
				}
				if ran.Add(1) == 2 {
					c.DestroyEvent(source)
				}
			}, From(middle, datablock.RO))
			s.calls(fmt.Sprint("dependence ", k), func(c *Ctx) { c.AddDependence(source, middle, Decr, datablock.RO) })
		}
		s.calls("satisfaction", func(c *Ctx) { c.Satisfy(source, block[0]) })
	})
}

// TestExploredCountdown: workers fill the slots of an EDT at the same time, with a block, by an event that triggers,
// and by an event that has triggered. The EDT sees all of them, and runs once.
func TestExploredCountdown(t *testing.T) {
	explore.Bounded(t, 2, func(r *explore.Run) {
		s := newStage(r)
		blocks, event, before := s.blocks(3), s.first.NewEvent(Once), s.first.NewEvent(Sticky)
		s.first.Satisfy(before, blocks[2])
		edt := s.edt("EDT", func(c *Ctx, in Args) {
			for k := range blocks {
				link := word.Load(&c.g.slotAt(c.running(), uint32(k)).link)
				if blockNumber(blocks, in, k) != k+1 || link&linkState != slotFilled {
					s.Fail("slot %d has block %d and link %x", k, blockNumber(blocks, in, k), link)
				}
			}
			c.DestroyEvent(before)
		}, Open, Open, Open)
		s.first.AddDependence(event, edt, 1, datablock.RO)
		s.calls("block", func(c *Ctx) { c.AddDependence(blocks[0], edt, 0, datablock.RO) })
		s.calls("event", func(c *Ctx) { c.Satisfy(event, blocks[1]) })
		s.calls("triggered", func(c *Ctx) { c.AddDependence(before, edt, 2, datablock.RO) })
	})
}

// TestExploredAgain: an EDT calls Again with an event that another worker satisfies at any moment.
func TestExploredAgain(t *testing.T) {
	explore.Every(t, func(r *explore.Run) {
		s := newStage(r)
		event, block := s.first.NewEvent(Sticky), s.blocks(1)
		ran := 0
		s.hands(2, func(c *Ctx) {
			c.NewEDT(s.template("EDT", 1, func(c *Ctx, in Args) {
				if ran++; ran == 1 {
					c.Again(Change{0, event})
					return
				}
				if blockNumber(block, in, 0) != 1 {
					s.Fail("the block is lost")
				}
				c.DestroyEvent(event)
				s.finish()
			}), nil, reads(guid.Null))
			c.Satisfy(event, block[0])
		})
	})
}

// TestExploredChannel: a channel event pairs satisfactions with dependences in their order. More of each wait than its
// head has room for.
func TestExploredChannel(t *testing.T) {
	for _, tc := range []struct {
		dependences []int // of each of the threads
		bound       int
	}{{[]int{2, 1}, Unbounded}, {[]int{3}, 3}} {
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			explore.Bounded(t, heldUp(), func(r *explore.Run) {
				s := newStage(r)
				blocks := s.blocks(3)
				channel := s.first.NewChannel(tc.bound)
				s.calls("satisfactions", func(c *Ctx) {
					for _, b := range blocks {
						c.Satisfy(channel, b)
					}
				})
				exploreReceivers(s, channel, blocks, tc.dependences)
			})
		})
	}
}

// exploreReceivers adds threads that add dependences to a channel event, and checks what these get: each block once,
// those of a thread in their order.
func exploreReceivers(s *stage, channel guid.GUID, blocks []guid.GUID, dependences []int) {
	var ran word.Uint32
	total, seen := uint32(0), make(map[int]int)
	for k, n := range dependences {
		total += uint32(n)
		got := make([]int, n)
		var edts []guid.GUID
		for d := range n {
			edts = append(edts, s.edt(fmt.Sprintf("EDT %d of %d", d, k), func(c *Ctx, in Args) {
				got[d] = blockNumber(blocks, in, 0)
				if seen[got[d]]++; seen[got[d]] > 1 {
					s.Fail("two EDTs got block %d", got[d])
				}
				if ran.Add(1) == total {
					c.DestroyEvent(channel)
				}
			}, Open))
		}
		s.calls(fmt.Sprint("dependences ", k), func(c *Ctx) {
			for _, e := range edts {
				c.AddDependence(channel, e, 0, datablock.RO)
			}
		})
		s.after(func() error {
			if !slices.IsSorted(got) {
				return fmt.Errorf("the dependences of thread %d got blocks %v", k, got)
			}
			return nil
		})
	}
}
