package edt_test

import (
	"context"
	"fmt"
	"os"
	goruntime "runtime"
	"slices"
	"testing"

	"github.com/google/uuid"

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

func TestBoundEDTsRunOnTheirWorker(t *testing.T) {
	everywhere(t, counting("EDTs", 60, func(tr *trial, c *edt.Ctx, ran *tally) {
		for k := range 60 {
			w := k % c.Workers()
			tmpl := c.NewTemplate("bound", 0, k%2, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				testrun.Equal(tr, w, c.Worker(), "worker")
			}))
			g := c.NewEDTAt(c.Bind(w), tmpl, nil)
			if k%2 == 1 {
				c.AddDependence(guid.Null, g, 0, datablock.RW)
			}
		}
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

func TestExistsOfOtherGUIDs(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		for _, g := range []guid.GUID{guid.Null, guid.Uninitialized, guid.Error} {
			if c.Exists(g) {
				tr.Errorf("%v exists", g)
			}
		}
		if hi, _ := c.Self().Words(); c.Exists(guid.FromWords(hi, 1<<63|5<<32|9999)) {
			tr.Errorf("a forged EDT exists")
		}
	}))
}

func TestRegisteredTemplatesAreFoundByName(t *testing.T) {
	if edt.Lookup("edt_test.registered") != registered || registered.Name() != "edt_test.registered" {
		t.Error("the template is not found")
	}
	if edt.Lookup("edt_test.nobody") != nil {
		t.Error("a template that was never registered is found")
	}
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
			defer func() {
				testrun.Contains(t, fmt.Sprint(recover()), name)
			}()
			f()
		}()
	}
	if edt.Lookup("edt_test.x") != nil {
		t.Error("a template that could not be made is registered")
	}
}

// TestTemplateGUIDIsAUUID: GUIDs of templates are UUIDs like those of all other objects.
func TestTemplateGUIDIsAUUID(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		g := c.TemplateGUID(c.NewTemplate("some", 0, 0, body(nothing)))
		if u, err := uuid.Parse(g.String()); err != nil || u.Variant() != uuid.RFC4122 {
			tr.Errorf("%v: %v, variant %v", g, err, u.Variant())
		}
	}))
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
