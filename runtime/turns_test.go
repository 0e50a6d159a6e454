package runtime

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestGoesOnAfterWhatItMadeReady: on one worker, what a body makes ready after it has called
// Again runs before the EDT that it becomes, and that before what was ready earlier.
func TestGoesOnAfterWhatItMadeReady(t *testing.T) {
	here := func(c *edt.Ctx) edt.Affinity { return c.Bind(0) }
	soft := func(c *edt.Ctx) edt.Affinity { return c.Place(0) }
	none := func(*edt.Ctx) edt.Affinity { return 0 }
	for name, place := range map[string]func(c *edt.Ctx) edt.Affinity{"bound": here, "placed": soft, "anywhere": none} {
		for _, children := range []int{0, 1, 2, 3, 200} {
			t.Run(name, func(t *testing.T) {
				const rounds = 4
				var order []int
				mustRun(t, starting(func(c *edt.Ctx) {
					note := func(n int) *edt.Template { return body(c, func(*edt.Ctx) { order = append(order, n) }) }
					round := 0
					c.NewEDTAt(place(c), body(c, func(c *edt.Ctx) {
						round++
						order = append(order, 0)
						c.NewEDTAt(place(c), note(-round), nil)
						if round < rounds {
							c.Again()
						}
						for range children {
							c.NewEDTAt(place(c), note(round), nil)
						}
					}), nil)
				}), Workers(1))
				checkOrder(t, order, rounds, children)
			})
		}
	}
}

// TestPriorityBeforeTurn: an EDT with a priority goes on before all without one, or after all.
func TestPriorityBeforeTurn(t *testing.T) {
	for priority, want := range map[int8]string{1: "rrrccc", -1: "rcrcrc"} {
		for name, at := range map[string]edt.Affinity{"bound": edt.BindTo(0), "placed": edt.PlaceOn(0), "anywhere": 0} {
			var order strings.Builder
			mustRun(t, starting(func(c *edt.Ctx) {
				child := body(c, func(*edt.Ctx) { order.WriteByte('c') })
				c.Spawn(body(c, func(c *edt.Ctx) {
					order.WriteByte('r')
					if strings.Count(order.String(), "r") < 3 {
						c.Again()
					}
					c.NewEDTAt(at, child, nil)
				}), &edt.Spec{Hint: edt.Hint{Affinity: at, Priority: priority}})
			}), Workers(1))
			testrun.Equal(t, want, order.String(), "%s, priority %d: order", name, priority)
		}
	}
}

// checkOrder finds each round's children (its number) before the next round (0). A long run
// of the newest may be interrupted for the oldest now and then, so few are looked at.
func checkOrder(t *testing.T, order []int, rounds, children int) {
	t.Helper()
	round, before := 0, 0
	for _, n := range order {
		switch {
		case n == 0:
			if round > 0 && before < min(children, 3) {
				t.Errorf("%d of %d children of round %d ran before the next: %v", before, children, round,
					order[:min(len(order), 20)])
			}
			round, before = round+1, 0
		case n == round:
			before++
		}
	}
	if want := rounds * (2 + children); len(order) != want || round != rounds {
		t.Errorf("%d EDTs and %d rounds, want %d and %d", len(order), round, want, rounds)
	}
	if first := slices.Index(order, -1); children < 4 && first < len(order)-rounds {
		t.Errorf("what was ready before the call ran in place %d of %d: %v", first, len(order), order)
	}
}

// TestPipelineOfEDTsThatGoOn: each stage sends to the next and goes on. On one worker no stage runs ahead of the
// next, though all it needs is there. There are fewer rounds than bring the turn of the oldest.
func TestPipelineOfEDTsThatGoOn(t *testing.T) {
	const stages, rounds = 6, 8
	for _, workers := range []int{1, 2, 3, 8} {
		for _, bind := range []bool{false, true} {
			var came [stages]atomic.Int64
			var ahead atomic.Int64
			mustRun(t, starting(func(c *edt.Ctx) {
				var links [stages]guid.GUID
				for s := range links {
					links[s] = c.NewChannel(edt.Unbounded)
				}
				for s := range stages {
					tmpl := c.NewTemplate("stage", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
						came[s].Add(1)
						in.Params()[0]++
						if in.Param(0) < rounds {
							c.Again(edt.Change{Slot: 0, Source: links[s]})
						}
						if s < stages-1 {
							c.Satisfy(links[s+1], guid.Null)
							ahead.Store(max(ahead.Load(), came[s].Load()-came[s+1].Load()))
						}
					}))
					at := edt.Affinity(0)
					if bind {
						at = c.Bind(s % c.Workers())
					}
					c.NewEDTAt(at, tmpl, edt.Params(0), edt.From(links[s], datablock.RW))
				}
				for range rounds {
					c.Satisfy(links[0], guid.Null)
				}
			}), Workers(workers))
			testrun.Equal(t, rounds, came[stages-1].Load(),
				"%d workers, bound %v: messages that came through", workers, bind)
			if n := ahead.Load(); workers == 1 && n > 1 {
				t.Errorf("bound %v: a stage was %d rounds ahead of the next", bind, n)
			}
		}
	}
}
