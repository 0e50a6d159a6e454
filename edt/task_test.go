package edt_test

import (
	"context"
	"fmt"
	"os"
	goruntime "runtime"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
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

func TestTemplateMayBeDestroyedWhileItsEDTsWait(t *testing.T) {
	everywhere(t, counting("EDTs", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
		tmpl := c.NewTemplate("doomed", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() }))
		c.NewEDT(tmpl, nil, rw(guid.Null))
		task := c.NewEDT(tmpl, nil)
		id := c.TemplateGUID(tmpl)
		exists := c.Exists(id)
		if c.DestroyTemplate(tmpl); !exists || c.Exists(id) {
			tr.Errorf("the template exists: %t, after its destruction: %t", exists, c.Exists(id))
		}
		c.AddDependence(guid.Null, task, 0, datablock.RW)
	}))
}

func TestHintsAreInherited(t *testing.T) {
	everywhere(t, counting("EDTs", 4, func(tr *trial, c *edt.Ctx, ran *tally) {
		last := c.Workers() - 1
		hinted := func(worker int) *edt.Template {
			return c.NewTemplate("hinted", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				testrun.Equal(tr, worker, c.Worker(), "worker")
			})).SetHint(edt.Hint{Priority: -3, Affinity: c.Bind(last)})
		}
		own := edt.Hint{Priority: 9, Affinity: c.Bind(0)}
		plain := c.NewEDT(hinted(last), nil)
		inherited, _ := create(c, hinted(last), edt.Spec{})
		overridden, _ := create(c, hinted(0), edt.Spec{Hint: own})
		later := c.NewEDTAt(c.Place(0), hinted(0), nil)
		c.SetHint(later, own)
		for _, g := range []guid.GUID{plain, inherited, overridden, later} {
			c.AddDependence(guid.Null, g, 0, datablock.Null)
		}
	}))
}

func TestRegistrationPanics(t *testing.T) {
	for name, f := range map[string]func(){
		`"edt_test.registered": the name is taken (misuse_calls_test.go:`: func() {
			edt.NewTemplate("edt_test.registered", 0, 0, body(nothing))
		},
		"needs a name":                func() { edt.NewTemplate("", 0, 0, body(nothing)) },
		`"edt_test.x": no body`:       func() { edt.NewTemplate("edt_test.x", 0, 0, nil) },
		`"edt_test.y": -2 parameters`: func() { edt.NewTemplate("edt_test.y", -2, 0, body(nothing)) },
		`"edt_test.z": 0 parameters, 4194304 slots`: func() {
			edt.NewTemplate("edt_test.z", 0, edt.MaxDeps+1, body(nothing))
		},
	} {
		func() {
			defer func() { testrun.Contains(t, fmt.Sprint(recover()), name) }()
			f()
		}()
	}
	if edt.Lookup("edt_test.x") != nil {
		t.Error("a template that could not be made is registered")
	}
}

// TestShortLivedNamesTakeNoMemory makes and destroys 30 000 templates, events and EDTs in one run, and 10^7 of each
// with OCR_NIGHTLY=1. If names took memory, the tables alone would keep 3 MB for 30 000 of each.
func TestShortLivedNamesTakeNoMemory(t *testing.T) {
	n := uint64(30_000)
	if os.Getenv("OCR_NIGHTLY") == "1" {
		n = 10_000_000
	}
	heap := func() uint64 {
		var m goruntime.MemStats
		goruntime.GC()
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	ran := tally{}
	var before, after uint64
	main := body(func(c *edt.Ctx, _ edt.Args) {
		var next *edt.Template
		next = c.NewTemplate("next", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
			k := in.Param(0)
			if k == n/10 {
				before = heap()
			}
			if k == n {
				after = heap()
				return
			}
			tmpl := c.NewTemplate("short-lived", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				c.NewEDT(next, edt.Params(k+1)) // only now: the newest EDT runs first, so these EDTs would pile up
			}))
			g := c.NewEvent(edt.Once)
			c.NewEDT(tmpl, nil, rw(g))
			c.DestroyTemplate(tmpl)
			c.Satisfy(g, guid.Null)
		}))
		c.NewEDT(next, edt.Params(1))
	})
	testrun.OK(t, runtime.Run(context.Background(), main, runtime.Workers(2)))
	testrun.Equal(t, int(n-1), ran.get(), "EDTs of short-lived templates")
	if after > before+1<<20 {
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	t.Logf("heap %d bytes after %d rounds, %d after %d", before, n/10, after, n)
}
