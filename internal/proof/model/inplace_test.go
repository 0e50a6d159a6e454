package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// inPlaceSystem is edt/away_inplace.go: EDTs of two ranks want one block. Those of its home use the word and the queue,
// those of the other rank the word only, by compare-and-swap; what they have to say about the queue home's courier
// handles, in order: WANT, and SERVE. Modes of EDTs at home come first.
func inPlaceSystem(home, other []access) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprint("block in place, at home ", home, ", elsewhere ", other))
		modes := append(append([]access{0}, home...), other...)
		edts := &edtsModel{modes, s.Words("granted", len(modes))}
		b := newBlockModel(s, weak, "block", edts)
		net := newNetwork(s, 2)
		const serve, over = 40, 41 // else the EDT of a WANT
		for k, a := range home {
			s.Go(fmt.Sprintf("EDT%d at home", k+1), func(p *model.Process) {
				b.acquire(p, k+1, a)
				p.Again("holds", func(p *model.Process) { b.release(p, a) })
			})
		}
		tell := func(p *model.Process, message int) {
			p.Atomically("send", func(m model.Memory) int { net.send(m, 1, 0, message); return 0 })
		}
		for k := range other {
			edt := len(home) + k + 1
			a := modes[edt]
			s.Go(fmt.Sprintf("EDT%d", edt), func(p *model.Process) {
				if !b.tryAcquire(p, a, true) {
					tell(p, edt)
					p.Await(edts.granted[edt], 1)
				}
				p.Again("holds", func(p *model.Process) {
					p.Add(b.holding[a], -1)
					next := 0
					for {
						old := p.Load(b.state)
						if next = leave(old, a); p.CAS(b.state, old, next) {
							if weak == "SERVE goes by what was there before leaving" {
								next = old
							}
							break
						}
					}
					if next&blockQueued != 0 && next&blockOnes == 0 && weak != "no SERVE" {
						tell(p, serve)
					}
					tell(p, over)
				})
			})
		}
		var courier func(left int) func(p *model.Process)
		courier = func(left int) func(p *model.Process) {
			return func(p *model.Process) {
				if left == 0 {
					return
				}
				said := p.When("take", func(m model.Memory) bool {
					return net.next(m, 1, 0) != 0
				}, func(m model.Memory) int { return net.take(m, 1, 0) })
				still := left
				switch {
				case said == over:
					still--
				case said == serve:
					b.serve(p)
				case b.wait(p, said, modes[said], false):
					p.Store(edts.granted[said], 1)
				}
				p.Again(fmt.Sprint("courier ", still), courier(still))
			}
		}
		s.Go("courier at home", courier(len(other)))
		b.excluding(s)
		return s
	}
}

func TestBlockInPlace(t *testing.T) {
	for _, modes := range [][2][]access{{{ew}, {rw, rw}}, {{constant}, {ro, ew}}} {
		explore(t, inPlaceSystem(modes[0], modes[1]))
	}
	explore(t, inPlaceSystem([]access{ew}, []access{ew}),
		variant{"no SERVE", "deadlock"},
		variant{"SERVE goes by what was there before leaving", "deadlock"},
		variant{"a waiter queues without looking again", "deadlock"},
		variant{"the queued bit is set without a compare-and-swap", "deadlock"},
		variant{"a hold is taken with a load and a store", "hold"})
}
