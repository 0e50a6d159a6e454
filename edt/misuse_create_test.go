package edt_test

import (
	"errors"
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
	tmpl := func(c *edt.Ctx) *edt.Template { return c.NewTemplate("outputs", 0, 1, body(nothing)) }
	plain := func(c *edt.Ctx, g guid.GUID) { c.Spawn(tmpl(c), &edt.Spec{OutputEvent: g}) }
	both := func(c *edt.Ctx, g guid.GUID) { c.Spawn(tmpl(c), &edt.Spec{OutputEvent: g, Output: true}) }
	checkMisuses(t, wrongKinds(createOp, []string{"Null", "event"}, plain))
	checkMisuses(t, []misuse{
		wrong("both", createOp, edt.ErrCount, eventOf(edt.Sticky), both),
		wrong("stale", createOp, edt.ErrStale, staleEvent, plain),
		wrong("foreign", createOp, edt.ErrForeign, foreignEvent, plain),
	})
}

func TestMisuseDependenceList(t *testing.T) {
	tmpl := func(c *edt.Ctx) *edt.Template { return c.NewTemplate("lists", 0, 2, body(nothing)) }
	second := func(first edt.Source) caller {
		return func(c *edt.Ctx, g guid.GUID) { c.NewEDT(tmpl(c), nil, first, rw(g)) }
	}
	checkMisuses(t, wrongKinds(createOp, []string{"Null", "Uninitialized", "event", "block"}, second(rw(guid.Null))))
	checkMisuses(t, []misuse{
		wrong("stale event", createOp, edt.ErrStale, staleEvent, second(edt.Open)),
		wrong("stale block", createOp, edt.ErrStale, staleBlock, second(edt.Open)),
		wrong("foreign event", createOp, edt.ErrForeign, foreignEvent, second(edt.Open)),
		wrong("foreign block", createOp, edt.ErrForeign, foreignBlock, second(edt.Open)),
	})
}

func TestMisuseTemplate(t *testing.T) {
	find := func(c *edt.Ctx, g guid.GUID) { c.Template(g) }
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
		wrong("GUID of a destroyed one", "find template", edt.ErrStale, func(c *edt.Ctx) guid.GUID {
			_, g := staleTemplate(c)
			return g
		}, find),
		wrong("forged GUID", "find template", edt.ErrStale, func(c *edt.Ctx) guid.GUID {
			hi, _ := c.TemplateGUID(registered).Words()
			return guid.FromWords(hi, 1<<63|1<<18)
		}, find),
		wrong("GUID right behind the last", "find template", edt.ErrStale, func(c *edt.Ctx) guid.GUID {
			hi, lo := c.TemplateGUID(c.NewTemplate("last", 0, 0, body(nothing))).Words()
			return guid.FromWords(hi, lo+1)
		}, find),
		wrong("foreign GUID", "find template", edt.ErrForeign,
			func(*edt.Ctx) guid.GUID { return otherRun().templateID }, find),
	})
	checkMisuses(t, wrongKinds("find template", []string{"template"}, find))
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
	for _, typ := range []edt.EventType{0, edt.Latch, edt.Counted, edt.Channel, edt.Channel + 1, 99, 128} {
		checkMisuses(t, []misuse{
			without("type "+typ.String(), "create event", edt.ErrEventType, func(c *edt.Ctx) { c.NewEvent(typ) }),
			without("type "+typ.String()+", near", "create event", edt.ErrEventType,
				func(c *edt.Ctx) { c.NewEvent(typ, c.Place(c.Workers()-1)) }),
		})
	}
	checkMisuses(t, []misuse{
		without("counted for 0", "create counted event", edt.ErrCount, func(c *edt.Ctx) { c.NewCounted(0) }),
		without("counted for -1", "create counted event", edt.ErrCount, func(c *edt.Ctx) { c.NewCounted(-1) }),
		without("channel bound -1", "create channel event", edt.ErrCount, func(c *edt.Ctx) { c.NewChannel(-1) }),
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
			returned("foreign block"+name, edt.ErrForeign, output, foreignBlock),
			returned("foreign event"+name, edt.ErrForeign, output, foreignEvent),
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
	var zero edt.Template
	one, null := edt.Params(1), rw(guid.Null)
	all := []misuse{
		without("new", createOp, edt.ErrKind, func(c *edt.Ctx) { c.NewEDT(&zero, nil) }),
		without("new of nil", createOp, edt.ErrKind, func(c *edt.Ctx) { c.NewEDT(nil, nil) }),
		without("new with parameters", createOp, edt.ErrKind, func(c *edt.Ctx) { c.NewEDT(&zero, edt.Params(1)) }),
		without("new with slots", createOp, edt.ErrKind, func(c *edt.Ctx) { c.NewEDT(&zero, nil, null) }),
		without("spawn", createOp, edt.ErrKind, func(c *edt.Ctx) { c.Spawn(&zero, &edt.Spec{}) }),
		without("spawn of nil", createOp, edt.ErrKind, func(c *edt.Ctx) { c.Spawn(nil, &edt.Spec{}) }),
		without("spawn with parameters", createOp, edt.ErrKind, func(c *edt.Ctx) { c.Spawn(&zero, &edt.Spec{Params: one}) }),
		without("destroy", "destroy template", edt.ErrKind, func(c *edt.Ctx) { c.DestroyTemplate(&zero) }),
		without("destroy nil", "destroy template", edt.ErrKind, func(c *edt.Ctx) { c.DestroyTemplate(nil) }),
		without("GUID", "template GUID", edt.ErrKind, func(c *edt.Ctx) { c.TemplateGUID(&zero) }),
		without("GUID of nil", "template GUID", edt.ErrKind, func(c *edt.Ctx) { c.TemplateGUID(nil) }),
	}
	checkMisuses(t, all)
}
