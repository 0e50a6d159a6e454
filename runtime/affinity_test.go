package runtime

import (
	"slices"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// TestSoftAffinityIsStolen: while a worker is busy, another one steals the EDTs that are placed on the busy one.
func TestSoftAffinityIsStolen(t *testing.T) {
	for _, prio := range []int8{0, 2} {
		stolen := make(chan bool)
		mustRun(t, starting(func(c *edt.Ctx) {
			c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
				// This EDT keeps worker 1 busy until worker 0 has run an EDT that is placed on worker 1.
				c.Spawn(body(c, func(c *edt.Ctx) {
					testrun.Equal(t, 0, c.Worker(), "worker, the only one that is not busy")
					close(stolen)
				}), &edt.Spec{Hint: edt.Hint{Priority: prio, Affinity: c.Place(1)}})
				<-stolen
			}), nil)
		}), Workers(2), stealsAtOnce())
	}
}

// prioritised creates EDTs with these priorities, all ready at the same time, on one worker. It returns the priorities
// in the order in which the EDTs ran.
func prioritised(t *testing.T, prios []int8, affinity func(c *edt.Ctx, k int) edt.Affinity) []int8 {
	t.Helper()
	var order []int8
	mustRun(t, starting(func(c *edt.Ctx) {
		ranked := c.NewTemplate("ranked", 1, 0, does(func(_ *edt.Ctx, in edt.Args) {
			order = append(order, int8(in.Param(0)))
		}))
		for k, p := range prios {
			c.Spawn(ranked, &edt.Spec{Params: edt.Params(uint64(uint8(p))),
				Hint: edt.Hint{Priority: p, Affinity: affinity(c, k)}})
		}
	}), Workers(1))
	return order
}

// TestPriorityOrder: on one worker the higher priority runs first.
func TestPriorityOrder(t *testing.T) {
	prios := []int8{1, -5, 7, 2, 127, -128, 3, -1, 7, 0}
	want := slices.Clone(prios)
	slices.Sort(want)
	slices.Reverse(want)
	for name, affinity := range map[string]func(c *edt.Ctx, k int) edt.Affinity{
		"anywhere": func(*edt.Ctx, int) edt.Affinity { return 0 },
		"placed":   func(c *edt.Ctx, _ int) edt.Affinity { return c.Place(0) },
		"bound":    func(c *edt.Ctx, _ int) edt.Affinity { return c.Bind(0) },
		"mixed": func(c *edt.Ctx, k int) edt.Affinity {
			return []edt.Affinity{0, c.Bind(0), c.Place(0)}[k%3]
		},
	} {
		testrun.Same(t, want, prioritised(t, prios, affinity), "%s: order", name)
	}
}

// TestStrictAffinity: a bound EDT runs on its worker, with or without a priority, even if other workers are idle.
func TestStrictAffinity(t *testing.T) {
	for _, workers := range []int{2, 3, 8} {
		for _, opts := range [][]Option{{Spin(DefaultSpin)}, {Spin(0), queueCapacities(2, 2)}} {
			var wrong, ran atomic.Int64
			n := shortened(4000)
			mustRun(t, starting(func(c *edt.Ctx) {
				bound := c.NewTemplate("bound", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
					ran.Add(1)
					if c.Worker() != int(in.Param(0)) {
						wrong.Add(1)
					}
				}))
				for k := range n {
					// The first half is for the last worker, so that the others try to steal.
					w := c.Workers() - 1
					if k > n/2 {
						w = k % c.Workers()
					}
					prio := []int8{0, 0, 3, -3}[k%4]
					c.Spawn(bound, &edt.Spec{Params: edt.Params(uint64(w)), Hint: edt.Hint{Priority: prio, Affinity: c.Bind(w)}})
				}
			}), append(opts, Workers(workers), stealsAtOnce())...)
			if wrong.Load() != 0 || ran.Load() != int64(n) {
				t.Errorf("%d workers: %d of %d ran, %d of them elsewhere", workers, ran.Load(), n, wrong.Load())
			}
		}
	}
}
