package edt_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestParametersAreCopied(t *testing.T) {
	for _, n := range []int{0, 1, 4, 5, 6, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			everywhere(t, counting("EDT", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
				params, want := make([]uint64, n), make([]uint64, n)
				for k := range params {
					params[k] = uint64(k) * 0x9e3779b97f4a7c15
					want[k] = params[k]
				}
				check := body(func(_ *edt.Ctx, in edt.Args) {
					ran.add()
					if !slices.Equal(in.Params(), want) || n > 0 && in.Param(n-1) != want[n-1] {
						tr.Errorf("parameters %v, want %v", in.Params(), want)
					}
				})
				c.NewEDT(c.NewTemplate("def", n, 0, check), params)
				task := c.NewEDT(c.NewTemplate("unk", edt.Unknown, 6, check), params)
				for k := range params {
					params[k] = 0
				}
				for k := range 6 {
					c.AddDependence(guid.Null, task, k, datablock.RW)
				}
			}))
		})
	}
}

func TestRecordsAreReusedClean(t *testing.T) {
	everywhere(t, counting("EDTs", 60, func(tr *trial, c *edt.Ctx, ran *tally) {
		var next func(c *edt.Ctx, round int)
		next = func(c *edt.Ctx, round int) {
			if round == 60 {
				return
			}
			slots, params := round*7%9, round*5%7
			block := wordBlock(c, uint64(round))
			deps := make([]edt.Source, slots)
			for k := range deps {
				deps[k] = edt.From(guid.Null, datablock.RW)
			}
			if slots > 0 {
				deps[round%slots] = rw(block)
			}
			values := make([]uint64, params)
			for k := range values {
				values[k] = uint64(round + k)
			}
			tmpl := c.NewTemplate("round", params, slots, body(func(c *edt.Ctx, in edt.Args) {
				ran.add()
				if !slices.Equal(in.Params(), values) {
					tr.Errorf("round %d: parameters %v, want %v", round, in.Params(), values)
				}
				for k := range in.Deps() {
					d := in.Dep(k)
					if k != round%slots && !d.IsNull() {
						tr.Errorf("round %d: slot %d holds %v", round, k, d.GUID())
					}
					if k == round%slots && (d.GUID() != block || wordOf(d) != uint64(round)) {
						tr.Errorf("round %d: slot %d holds %v, want %v", round, k, d.GUID(), block)
					}
				}
				next(c, round+1)
			}))
			c.NewEDT(tmpl, values, deps...)
		}
		next(c, 0)
	}))
}

func TestUnknownCounts(t *testing.T) {
	for _, tc := range []struct {
		name string
		make func(c *edt.Ctx, t *edt.Template)
		want int
	}{
		{"no slots", func(c *edt.Ctx, t *edt.Template) { create(c, t, edt.Spec{DepCount: 0}) }, 0},
		{"one Null", func(c *edt.Ctx, t *edt.Template) { c.NewEDT(t, nil, rw(guid.Null)) }, 1},
		{"one once event", func(c *edt.Ctx, t *edt.Template) {
			e := c.NewEvent(edt.Once)
			c.NewEDT(t, nil, rw(e))
			c.Satisfy(e, guid.Null)
		}, 1},
		{"open, counted by the spec", func(c *edt.Ctx, t *edt.Template) {
			g, _ := create(c, t, edt.Spec{DepCount: 2})
			c.AddDependence(guid.Null, g, 1, datablock.RW)
			c.AddDependence(guid.Null, g, 0, datablock.RW)
		}, 2},
		{"listed and counted", func(c *edt.Ctx, t *edt.Template) {
			create(c, t, edt.Spec{DepCount: 1, Deps: []edt.Source{rw(guid.Null)}})
		}, 1},
		{"parameters", func(c *edt.Ctx, t *edt.Template) {
			c.NewEDT(t, edt.Params(1, 2, 3), rw(guid.Null))
		}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			everywhere(t, counting("EDT", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
				tc.make(c, c.NewTemplate("unknown", edt.Unknown, edt.Unknown, body(func(_ *edt.Ctx, in edt.Args) {
					ran.add()
					testrun.Equal(tr, tc.want, len(in.Deps()), "slots")
				})))
			}))
		})
	}
}

func TestTemplateMayBeDestroyedWhileItsEDTsWait(t *testing.T) {
	everywhere(t, counting("EDTs", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
		tmpl := c.NewTemplate("doomed", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() }))
		c.NewEDT(tmpl, nil, rw(guid.Null))
		task := c.NewEDT(tmpl, nil)
		id := c.TemplateGUID(tmpl)
		if !c.Exists(id) || c.Template(id) != tmpl {
			tr.Errorf("the template is not found by its GUID")
		}
		c.DestroyTemplate(tmpl)
		if c.Exists(id) {
			tr.Errorf("the template exists after its destruction")
		}
		c.AddDependence(guid.Null, task, 0, datablock.RW)
	}))
}
