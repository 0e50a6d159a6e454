package edt_test

import (
	"errors"
	"reflect"
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

const createOp = "create EDT"

// counts is a creation with numbers that do not fit the template.
func counts(name string, paramc, depc int, call func(c *edt.Ctx, f *fault, t *edt.Template)) misuse {
	return misuse{name, createOp, edt.ErrCount, func(c *edt.Ctx, f *fault) {
		call(c, f, c.NewTemplate("counted", paramc, depc, body(nothing)))
	}}
}

func TestMisuseCounts(t *testing.T) {
	plain := func(params []uint64, deps ...edt.Source) func(*edt.Ctx, *fault, *edt.Template) {
		return func(c *edt.Ctx, f *fault, t *edt.Template) {
			f.at(c, guid.Null, func() { c.NewEDT(t, params, deps...) })
		}
	}
	full := func(s edt.Spec) func(*edt.Ctx, *fault, *edt.Template) {
		return func(c *edt.Ctx, f *fault, t *edt.Template) {
			f.at(c, guid.Null, func() { c.Spawn(t, &s) })
		}
	}
	null := rw(guid.Null)
	checkMisuses(t, []misuse{
		counts("too few parameters", 2, 0, plain(edt.Params(1))),
		counts("too many parameters", 2, 0, plain(edt.Params(1, 2, 3))),
		counts("no parameters", 1, 1, plain(nil)),
		counts("parameters where there are none", 0, 1, plain(edt.Params(1))),
		counts("too few dependences", 0, 2, plain(nil, null)),
		counts("too many dependences", 0, 1, plain(nil, null, null)),
		counts("dependences where there are no slots", 0, 0, plain(nil, null)),
		counts("slots unknown at both", 0, edt.Unknown, plain(nil)),
		counts("all unknown at both", edt.Unknown, edt.Unknown, plain(nil)),
		counts("spec: too few parameters", 5, 0, full(edt.Spec{Params: edt.Params(1, 2, 3, 4)})),
		counts("spec: too many dependences", 0, 1, full(edt.Spec{Deps: []edt.Source{null, null}})),
		counts("spec: another DepCount", 0, 1, full(edt.Spec{DepCount: 2})),
		counts("spec: slots unknown at both", 0, edt.Unknown, full(edt.Spec{DepCount: edt.Unknown})),
		counts("spec: DepCount below 0", 0, edt.Unknown, full(edt.Spec{DepCount: -7})),
		counts("spec: DepCount and list disagree", 0, edt.Unknown, full(edt.Spec{DepCount: 3, Deps: []edt.Source{null}})),
		counts("spec: too many slots", 0, edt.Unknown, full(edt.Spec{DepCount: edt.MaxDeps + 1})),
	})
}

func TestMisuseOutput(t *testing.T) {
	output := func(name string, cause *edt.Condition, make func(c *edt.Ctx) guid.GUID, also bool) misuse {
		return misuse{name, createOp, cause, func(c *edt.Ctx, f *fault) {
			g := make(c)
			s := edt.Spec{Output: also, OutputEvent: g, DepCount: 1}
			tmpl := c.NewTemplate("outputs", 0, 1, body(nothing))
			f.at(c, g, func() { c.Spawn(tmpl, &s) })
		}}
	}
	checkMisuses(t, []misuse{
		output("both", edt.ErrCount, func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }, true),
		output("stale", edt.ErrStale, staleEvent, false),
		output("foreign", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().event }, false),
	})
	checkMisuses(t, wrongKinds(createOp, []string{"Null", "event"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		tmpl := c.NewTemplate("outputs", 0, 1, body(nothing))
		f.at(c, g, func() { c.Spawn(tmpl, &edt.Spec{OutputEvent: g}) })
	}))
}

func TestMisuseDependenceList(t *testing.T) {
	checkMisuses(t, wrongKinds(createOp, []string{"Null", "Uninitialized", "event", "block"},
		func(c *edt.Ctx, f *fault, g guid.GUID) {
			tmpl := c.NewTemplate("lists", 0, 2, body(nothing))
			f.at(c, g, func() { c.NewEDT(tmpl, nil, rw(guid.Null), rw(g)) })
		}))
	listed := func(name string, cause *edt.Condition, source func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, createOp, cause, func(c *edt.Ctx, f *fault) {
			g, tmpl := source(c), c.NewTemplate("lists", 0, 2, body(nothing))
			f.at(c, g, func() { c.NewEDT(tmpl, nil, edt.Open, rw(g)) })
		}}
	}
	checkMisuses(t, []misuse{
		listed("stale event", edt.ErrStale, staleEvent),
		listed("stale block", edt.ErrStale, staleBlock),
		listed("foreign event", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().event }),
		listed("foreign block", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().block }),
	})
}

func TestMisuseTemplate(t *testing.T) {
	checkMisuses(t, []misuse{
		{"destroyed", createOp, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			tmpl, g := staleTemplate(c)
			f.at(c, g, func() { c.NewEDT(tmpl, nil) })
		}},
		{"destroyed, in a spec", createOp, edt.ErrStale, func(c *edt.Ctx, f *fault) {
			tmpl, g := staleTemplate(c)
			f.at(c, g, func() { c.Spawn(tmpl, &edt.Spec{}) })
		}},
		{"of another run", createOp, edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.NewEDT(otherRun().template, nil) })
		}},
		{"GUID of a destroyed one", "find template", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			_, g := staleTemplate(c)
			f.at(c, g, func() { c.Template(g) })
		}},
		{"forged GUID", "find template", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			hi, _ := c.TemplateGUID(registered).Words()
			g := guid.FromWords(hi, 1<<63|1<<18)
			f.at(c, g, func() { c.Template(g) })
		}},
		{"foreign GUID", "find template", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().templateID, func() { c.Template(otherRun().templateID) })
		}},
	})
	checkMisuses(t, wrongKinds("find template", []string{"template"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.Template(g) })
	}))
	for name, make := range map[string]func(c *edt.Ctx){
		"no name":             func(c *edt.Ctx) { c.NewTemplate("", 0, 0, body(nothing)) },
		"no body":             func(c *edt.Ctx) { c.NewTemplate("x", 0, 0, nil) },
		"negative parameters": func(c *edt.Ctx) { c.NewTemplate("x", -2, 0, body(nothing)) },
		"negative slots":      func(c *edt.Ctx) { c.NewTemplate("x", 0, -2, body(nothing)) },
		"too many slots":      func(c *edt.Ctx) { c.NewTemplate("x", 0, edt.MaxDeps+1, body(nothing)) },
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				tr.want = func(err error) { wantCondition(tr, err, edt.ErrCount) }
				return body(func(c *edt.Ctx, _ edt.Args) { make(c) })
			})
		})
	}
}

func TestMisuseCreateEvent(t *testing.T) {
	for _, typ := range []edt.EventType{0, edt.NoArg, edt.Latch, edt.Counted, edt.Channel, edt.Channel + 1, 99,
		edt.Latch | edt.NoArg} {
		checkMisuses(t, []misuse{{"type " + typ.String(), "create event", edt.ErrEventType, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() { c.NewEvent(typ) })
		}}})
	}
	checkMisuses(t, []misuse{
		{"counted for 0", "create counted event", edt.ErrCount,
			func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewCounted(0) }) }},
		{"counted for -1", "create counted event", edt.ErrCount,
			func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewCounted(-1) }) }},
		{"channel bound -1", "create channel event", edt.ErrCount,
			func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewChannel(-1) }) }},
	})
}

func TestMisuseReturn(t *testing.T) {
	returned := func(name string, cause *edt.Condition, output bool, value func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, "return", cause, func(c *edt.Ctx, f *fault) {
			f.noCall, f.template = true, "returns"
			task, _ := create(c, c.NewTemplate("returns", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				g := value(c)
				f.at(c, g, func() {})
				return g
			}), edt.Spec{Output: output})
			c.AddDependence(guid.Null, task, 0, datablock.RW)
		}}
	}
	for name, output := range map[string]bool{"": false, ", with output event": true} {
		checkMisuses(t, []misuse{
			returned("EDT"+name, edt.ErrKind, output, func(c *edt.Ctx) guid.GUID { return c.Self() }),
			returned("stale block"+name, edt.ErrStale, output, staleBlock),
			returned("reserved"+name, edt.ErrKind, output, func(*edt.Ctx) guid.GUID { return guid.Uninitialized }),
			returned("foreign block"+name, edt.ErrForeign, output, func(*edt.Ctx) guid.GUID { return otherRun().block }),
			returned("foreign event"+name, edt.ErrForeign, output, func(*edt.Ctx) guid.GUID { return otherRun().event }),
		})
	}
}

// wantCondition checks an error whose place and objects do not matter.
func wantCondition(tr *trial, err error, cause *edt.Condition) {
	if e := new(edt.Error); !errors.As(err, &e) || !errors.Is(err, cause) || !errors.Is(err, codeOf[cause]) {
		tr.Errorf("error %v, want %v [%v]", err, cause, codeOf[cause])
	}
}

// The zero Template is none, though it is easily had.
func TestMisuseZeroTemplate(t *testing.T) {
	zero := func(name, op string, call func(c *edt.Ctx, t *edt.Template)) misuse {
		return misuse{name, op, edt.ErrKind, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() {
				f.line = lineOf(call)
				call(c, new(edt.Template))
			})
		}}
	}
	one := edt.Params(1)
	all := []misuse{
		zero("new", createOp, func(c *edt.Ctx, t *edt.Template) { c.NewEDT(t, nil) }),
		zero("new with parameters", createOp, func(c *edt.Ctx, t *edt.Template) { c.NewEDT(t, edt.Params(1)) }),
		zero("new with slots", createOp, func(c *edt.Ctx, t *edt.Template) { c.NewEDT(t, nil, rw(guid.Null)) }),
		zero("spawn", createOp, func(c *edt.Ctx, t *edt.Template) { c.Spawn(t, &edt.Spec{}) }),
		zero("spawn with parameters", createOp, func(c *edt.Ctx, t *edt.Template) { c.Spawn(t, &edt.Spec{Params: one}) }),
		zero("destroy", "destroy template", func(c *edt.Ctx, t *edt.Template) { c.DestroyTemplate(t) }),
		zero("GUID", "template GUID", func(c *edt.Ctx, t *edt.Template) { c.TemplateGUID(t) }),
		zero("GUID of nil", "template GUID", func(c *edt.Ctx, _ *edt.Template) { c.TemplateGUID(nil) }),
	}
	for name, tmpl := range map[string]*edt.Template{"zero": new(edt.Template), "nil": nil} {
		all = append(all, misuse{name + " under a label", "create labelled EDT", edt.ErrKind, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEDT), 0)
			f.at(c, guid.Null, func() { _ = c.NewLabelledEDT(g, tmpl, nil) })
		}})
	}
	checkMisuses(t, all)
}

// lineOf returns where a function literal of one line stands.
func lineOf(f any) int {
	pc := reflect.ValueOf(f).Pointer()
	_, line := goruntime.FuncForPC(pc).FileLine(pc)
	return line
}
