package edt_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestMainGetsArguments(t *testing.T) {
	for _, argv := range [][]string{nil, {"prog"}, {"prog", "", "two words", strings.Repeat("x", 300)}} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.argv = argv
			forwarded := tr.times("forwarded", 1)
			return body(func(c *edt.Ctx, in edt.Args) {
				if len(in.Params()) != 0 || len(in.Deps()) != 1 {
					tr.Errorf("main has %d parameters and %d slots", len(in.Params()), len(in.Deps()))
				}
				if got := edt.Argv(in.Dep(0)); !slices.Equal(got, argv) {
					tr.Errorf("argv %q, want %q", got, argv)
				}
				launch(c, func(_ *edt.Ctx, in edt.Args) {
					forwarded.add()
					if got := edt.Argv(in.Dep(0)); !slices.Equal(got, argv) {
						tr.Errorf("forwarded argv %q, want %q", got, argv)
					}
				}, edt.From(in.Dep(0).GUID(), datablock.RO))
			})
		})
	}
}

func TestShutdownEndsRun(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		after := tr.times("code after shutdown, in the EDT that called it", 1)
		never := tr.times("EDT that was not runnable", 0)
		return body(func(c *edt.Ctx, _ edt.Args) {
			open(c, 1, func(*edt.Ctx, edt.Args) { never.add() })
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				c.Shutdown()
				after.add()
			})
		})
	})
}

func TestAbort(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var who guid.GUID
		tr.want = func(err error) {
			var abort *edt.AbortError
			if !errors.As(err, &abort) {
				tr.Errorf("error %v, want an AbortError", err)
				return
			}
			if abort.Code != 125 || abort.EDT != who || abort.Template != "quitter" {
				tr.Errorf("%+v, want code 125 by %v of quitter", abort, who)
			}
			if msg := err.Error(); !strings.Contains(msg, "125") || strings.Contains(msg, "\n") {
				tr.Errorf("message %q", msg)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			c.NewEDT(c.NewTemplate("quitter", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				who = c.Self()
				c.Abort(125)
				c.Abort(3)
			})), nil)
		})
	})
}

func TestAbortZeroIsShutdown(t *testing.T) {
	everywhere(t, counting("EDT that was not runnable", 0, func(_ *trial, c *edt.Ctx, never *tally) {
		open(c, 1, func(*edt.Ctx, edt.Args) { never.add() })
		c.Abort(0)
	}))
}

func TestArgsOutOfRangePanic(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			if p := new(edt.PanicError); !errors.As(err, &p) || p.Template != "main" {
				tr.Errorf("error %v, want a PanicError of main", err)
			}
		}
		return body(func(_ *edt.Ctx, in edt.Args) { in.Param(0) })
	})
}

func TestCounters(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.after(func() {
			want := edt.Counters{
				EDTCreated: 3, EDTRun: 3, EDTDestroyed: 1, EventCreated: 2, EventDestroyed: 1, EventSatisfied: 1,
				BlockCreated: 2, BlockDestroyed: 1, TemplateCreated: 1, TemplateDestroyed: 1, DependenceAdded: 1,
			}
			testrun.Equal(tr, want, tr.counters, "counters")
			for name, n := range tr.counters.Map() {
				if n == 0 {
					tr.Errorf("%s is 0 in the map", name)
				}
			}
			testrun.Equal(tr, 11, len(tr.counters.Map()), "entries of the map")
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			tmpl := c.NewTemplate("counted", 0, 1, body(nothing))
			sticky := c.NewEvent(edt.Sticky)
			c.DestroyEvent(c.NewEvent(edt.Once))
			c.NewEDT(tmpl, nil, rw(sticky))
			late := c.NewEDT(tmpl, nil)
			c.DestroyEDT(c.NewEDT(tmpl, nil))
			c.AddDependence(guid.Null, late, 0, datablock.RW)
			c.Satisfy(sticky, guid.Null)
			c.DestroyBlock(c.NewBlockNoAcquire(1))
			c.NewBlock(1)
			c.DestroyTemplate(tmpl)
		})
	})
}
