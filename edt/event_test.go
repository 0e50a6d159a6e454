package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestChannelPairsInOrder: the k-th satisfaction meets the k-th dependence, whichever comes first, in sequences of
// sends and receives that the bound allows (OCR tests Channel0 and Channel1Unbounded).
func TestChannelPairsInOrder(t *testing.T) {
	for _, bound := range []int{1, 2, 5, edt.Unbounded} {
		for _, runs := range [][]int{{1, -1}, {-1, 1}, {1, -2, 1}, {2, -2, -1, 1}, {5, -10, 5}, {3, -1, 1, -3}, {30, -30},
			{-30, 30}} {
			if bound != edt.Unbounded && longest(runs) > bound {
				continue
			}
			t.Run(fmt.Sprintf("bound %d, %v", bound, runs), func(t *testing.T) {
				total := 0
				for _, n := range runs {
					total += max(n, 0)
				}
				everywhere(t, counting("receivers", total, func(tr *trial, c *edt.Ctx, got *tally) {
					ch, sent, received := c.NewChannel(bound), uint64(0), uint64(0)
					for _, n := range runs {
						for range n {
							c.Satisfy(ch, wordBlock(c, sent))
							sent++
						}
						for range -n {
							launch(c, tr.reads(got, received), rw(ch))
							received++
						}
					}
					if !c.Exists(ch) {
						tr.Errorf("the channel is gone before it was destroyed")
					}
					c.DestroyEvent(ch)
				}))
			})
		}
	}
}

// longest returns the largest number of calls without a partner in runs.
func longest(runs []int) int {
	level, most := 0, 0
	for _, n := range runs {
		level += n
		most = max(most, level, -level)
	}
	return most
}

// spawn creates an EDT with one open slot, so that a dependence on its output event can be added. start satisfies the
// slot.
func spawn(c *edt.Ctx, s edt.Spec, f edt.Func) (start func(), output guid.GUID) {
	s.DepCount = 1
	task, output := create(c, c.NewTemplate("producer", 0, 1, f), s)
	return func() { c.AddDependence(guid.Null, task, 0, datablock.RW) }, output
}

func TestOwnOutputEvent(t *testing.T) {
	for _, tc := range []struct {
		name  string
		event maker
		late  bool // a dependence may be added after the trigger
		block bool
	}{
		{"once", eventOf(edt.Once), false, true}, {"sticky", eventOf(edt.Sticky), true, true},
		{"idempotent", eventOf(edt.Idempotent), true, true}, {"counted", countedFor(2), true, true},
		{"latch", latchAt(1), false, false}, {"channel", channelOf(2), false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			consumers := map[bool]int{false: 1, true: 2}[tc.late]
			everywhere(t, counting("consumers", consumers, func(tr *trial, c *edt.Ctx, ran *tally) {
				own, block := tc.event(c), wordBlock(c, 3)
				start, out := spawn(c, edt.Spec{OutputEvent: own}, func(c *edt.Ctx, _ edt.Args) guid.GUID {
					testrun.Equal(tr, own, c.Output(), "Output()")
					return block
				})
				testrun.Equal(tr, own, out, "output, the caller's own")
				launch(c, func(c *edt.Ctx, in edt.Args) {
					if ran.add(); in.Dep(0).IsNull() == tc.block {
						tr.Errorf("got %v", in.Dep(0).GUID())
					}
					if tc.late {
						launch(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(out))
					}
				}, rw(out))
				start()
			}))
		})
	}
}

// TestOutputOfDestroyedEDT: an output event that the runtime made for an EDT is destroyed with the EDT.
func TestOutputOfDestroyedEDT(t *testing.T) {
	for _, finish := range []bool{false, true} {
		oneRank(t, 10, program(func(tr *trial, c *edt.Ctx) {
			never := c.NewTemplate("never", 0, 1, body(nothing))
			task, out := create(c, never, edt.Spec{DepCount: 1, Output: true, Finish: finish})
			if c.DestroyEDT(task); c.Exists(out) {
				tr.Errorf("finish EDT %v: the output event is left", finish)
			}
		}))
	}
}
