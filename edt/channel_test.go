package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The k-th satisfaction meets the k-th dependence, whichever comes first: runs of
// sends and receives of every length up to the bound (OCR tests Channel0 and
// Channel1Unbounded).
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

// longest returns the largest number of unmatched calls in runs.
func longest(runs []int) int {
	level, most := 0, 0
	for _, n := range runs {
		level += n
		most = max(most, level, -level)
	}
	return most
}

// A sender and a receiver that clone themselves, with an acknowledgement channel
// back: salvos of two messages (OCR test Channel0).
func TestChannelSalvos(t *testing.T) {
	const salvos = 30
	everywhere(t, counting("salvos", salvos, func(tr *trial, c *edt.Ctx, got *tally) {
		data, ack := c.NewChannel(2), c.NewChannel(1)
		var send, receive *edt.Template
		send = c.NewTemplate("send", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
			n := in.Param(0)
			c.Satisfy(data, wordBlock(c, 2*n))
			c.Satisfy(data, wordBlock(c, 2*n+1))
			if n+1 < salvos {
				c.NewEDT(send, edt.Params(n+1), rw(ack))
			}
		}))
		receive = c.NewTemplate("receive", 1, 2, body(func(c *edt.Ctx, in edt.Args) {
			n := in.Param(0)
			got.add()
			if a, b := wordOf(in.Dep(0)), wordOf(in.Dep(1)); a != 2*n || b != 2*n+1 {
				tr.Errorf("salvo %d: %d, %d", n, a, b)
			}
			c.DestroyBlock(in.Dep(0).GUID())
			c.DestroyBlock(in.Dep(1).GUID())
			if n+1 < salvos {
				c.NewEDT(receive, edt.Params(n+1), rw(data), rw(data))
				c.Satisfy(ack, guid.Null)
			}
		}))
		c.NewEDT(send, edt.Params(0), rw(guid.Null))
		c.NewEDT(receive, edt.Params(0), rw(data), rw(data))
	}))
}

func TestChannelFeedsEvents(t *testing.T) {
	everywhere(t, counting("waiters", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
		ch := c.NewChannel(2)
		for k := range uint64(2) {
			e := c.NewEvent(edt.Sticky)
			launch(c, tr.reads(ran, k), rw(e))
			if k == 0 {
				c.Satisfy(ch, wordBlock(c, k))
				c.AddDependence(ch, e, 0, datablock.RW)
			} else {
				c.AddDependence(ch, e, 0, datablock.RW)
				c.Satisfy(ch, wordBlock(c, k))
			}
		}
	}))
}

// A channel that takes the place of a destroyed one starts empty.
func TestChannelsAreReusedEmpty(t *testing.T) {
	everywhere(t, counting("receivers", 20, func(tr *trial, c *edt.Ctx, ran *tally) {
		for k := range uint64(20) {
			ch := c.NewChannel(edt.Unbounded)
			c.Satisfy(ch, wordBlock(c, k))
			launch(c, tr.reads(ran, k), rw(ch))
			for range 5 {
				c.Satisfy(ch, guid.Null)
			}
			c.DestroyEvent(ch)
		}
	}))
}

func TestChannelWithUnorderedPartners(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		const n = 100
		sum, ran := new(tally), tr.times("receivers", n)
		tr.after(func() {
			if sum.get() != n*(n-1)/2 {
				tr.Errorf("the messages add up to %d, want %d", sum.get(), n*(n-1)/2)
			}
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			ch := c.NewChannel(edt.Unbounded)
			for k := range uint64(n) {
				launch(c, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(ch, wordBlock(c, k)) })
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					launch(c, func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						sum.n.Add(int64(wordOf(in.Dep(0))))
					}, rw(ch))
				})
			}
		})
	})
}
