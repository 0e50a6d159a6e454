package edt_test

import (
	"fmt"
	"testing"

	"ocr/edt"
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
				everywhere(t, func(tr *trial) edt.Func {
					total := 0
					for _, n := range runs {
						total += max(n, 0)
					}
					got := tr.times("receivers", total)
					return body(func(c *edt.Ctx, _ edt.Args) {
						ch, sent, received := c.NewChannel(bound), uint64(0), uint64(0)
						for _, n := range runs {
							for range n {
								c.Satisfy(ch, wordBlock(c, sent))
								sent++
							}
							for range -n {
								want := received
								launch(c, tr.reads(got, want), rw(ch))
								received++
							}
						}
						if !c.Exists(ch) {
							tr.Errorf("the channel is gone before it was destroyed")
						}
						c.DestroyEvent(ch)
					})
				})
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
