package edt_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func TestMisusePlace(t *testing.T) {
	one := func(c *edt.Ctx) *edt.Template { return c.NewTemplate("one", 0, 0, body(nothing)) }
	far := edt.PlaceOn(30_000)
	checkMisuses(t, []misuse{
		without("bound below the workers", createOp, edt.ErrHint,
			func(c *edt.Ctx) { c.NewEDTAt(edt.BindTo(-1), one(c), nil) }),
		without("block near no worker", "create data block", edt.ErrHint, func(c *edt.Ctx) { c.NewBlockNear(8, far) }),
		without("event near no worker", "create event", edt.ErrHint, func(c *edt.Ctx) { c.NewEvent(edt.Sticky, far) }),
	})
}

func TestBindIsStrongerThanTheTemplatesHint(t *testing.T) {
	everywhere(t, counting("bound EDT on the last worker", 5, func(_ *trial, c *edt.Ctx, ran *tally) {
		last := c.Workers() - 1
		hinted := c.NewTemplate("hinted", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			if c.Worker() == last {
				ran.add()
			}
		})).SetHint(edt.Hint{Affinity: c.Place(0)})
		for range 5 {
			c.NewEDTAt(c.Bind(last), hinted, nil)
		}
	}))
}

// Destroying an EDT does not satisfy an output event of the caller's own, whether it is a finish EDT or not.
func TestDestroyedEDTDoesNotSatisfyItsOutput(t *testing.T) {
	for _, finish := range []bool{false, true} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				if _, ok := err.(*edt.StuckError); !ok {
					tr.Errorf("finish %v: %v, want the waiter to be stuck", finish, err)
				}
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				out := c.NewEvent(edt.Sticky)
				launch(c, nothing, rw(out))
				one := c.NewTemplate("one", 0, 1, body(nothing))
				task, _ := c.Spawn(one, &edt.Spec{OutputEvent: out, Finish: finish})
				c.DestroyEDT(task)
			})
		})
	}
}

func TestTemplatesOfARunAreLimited(t *testing.T) {
	tr := &trial{t: t, workers: 1, where: "seed 1"}
	tr.want = func(err error) {
		var e *edt.Error
		if e, _ = err.(*edt.Error); e == nil || e.Cause != edt.ErrMemory {
			tr.Errorf("%v, want %v", err, edt.ErrMemory)
		}
		testrun.Contains(tr, fmt.Sprint(err), "one of many: a run has at most 524288 templates, tasks and recordings",
			"Ctx.DestroyTemplate frees one", "(misuse_place_test.go:")
	}
	tr.simulate(1, func(*trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 1 << 19 {
				c.NewTemplate("one of many", 0, 0, body(nothing))
			}
		})
	})
}

func TestAffinitiesExist(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		if !c.Exists(c.CurrentAffinity()) {
			tr.Errorf("an affinity does not exist")
		}
	}))
}
