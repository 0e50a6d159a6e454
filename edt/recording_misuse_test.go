package edt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

const (
	opSeal     = "seal recorded graph"
	opReplay   = "run recorded graph"
	opUnrecord = "destroy recorded graph"
)

func ew(g guid.GUID) edt.Source { return edt.From(g, datablock.EW) }

// A draft is a recording with a template for any number of slots and two blocks.
type draft struct {
	*edt.Recording
	c    *edt.Ctx
	t    *edt.Template
	a, b guid.GUID
	n    edt.Node // it has slots for the two blocks
}

func newDraft(c *edt.Ctx, f action) *draft {
	r := &draft{Recording: c.NewRecording(), c: c, t: c.NewTemplate("node", 0, edt.Unknown, body(f))}
	r.a, r.b = wordBlock(c, 1), wordBlock(c, 2)
	r.n = r.Add(r.t, nil, rw(r.a), rw(r.b))
	return r
}

// inBothWays checks misuses in runs of which sites are recorded, too: those are watched.
func inBothWays(t *testing.T, cases []misuse) {
	checkMisuses(t, cases)
	for _, m := range cases {
		t.Run(m.name+", watched", func(t *testing.T) {
			for seed := range uint64(2) {
				var f fault
				tr := &trial{t: t, workers: 2, sites: true, where: fmt.Sprintf("seed %d, watched", seed)}
				tr.want = func(err error) { m.check(tr, &f, err) }
				tr.simulate(seed, func(*trial) edt.Func { return body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) }) })
			}
		})
	}
}

// TestMisuseSeal: what is wrong in a graph is found by Seal, and blamed on the line that described it.
func TestMisuseSeal(t *testing.T) {
	ro := datablock.RO
	var cases []misuse
	add := func(name string, cause *edt.Condition, mistake func(r *draft, f *fault)) {
		cases = append(cases, misuse{name, opSeal, cause, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			r := newDraft(c, nothing)
			mistake(r, f)
			r.Seal(c)
		}})
	}
	source := func(name string, cause *edt.Condition, source func(c *edt.Ctx) guid.GUID) {
		add("source: "+name, cause, func(r *draft, f *fault) {
			g := source(r.c)
			f.at(r.c, g, func() { r.Add(r.t, nil, rw(r.a), rw(g)) })
		})
	}
	template := func(name string, cause *edt.Condition, t func(c *edt.Ctx) *edt.Template) {
		add("template: "+name, cause, func(r *draft, f *fault) {
			tmpl := t(r.c)
			f.at(r.c, guid.Null, func() { r.Add(tmpl, nil) })
		})
	}
	add("node after itself", edt.ErrCycle, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { n := r.Add(r.t, nil); n.After(n) })
	})
	add("two nodes after each other", edt.ErrCycle, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { a, b := r.Add(r.t, nil), r.Add(r.t, nil); a.After(b); b.After(a) })
	})
	add("node after the one that it passes to", edt.ErrCycle, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { a := r.Add(r.t, nil, rw(r.a)); a.After(r.Add(r.t, nil, rw(a.Slot(0)))) })
	})
	add("slot passed to itself", edt.ErrCycle, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { a := r.Add(r.t, nil, edt.Open); a.Set(0, rw(a.Slot(0))) })
	})
	add("slots passed to each other", edt.ErrCycle, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { a := r.Add(r.t, nil, edt.Open); a.Set(0, rw(r.Add(r.t, nil, rw(a.Slot(0))).Slot(0))) })
	})
	add("open slot", edt.ErrNoSource, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, rw(r.a), edt.Open) })
	})
	add("open slot, passed on", edt.ErrNoSource, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, rw(r.Add(r.t, nil, edt.Open).Slot(0))) })
	})
	add("slot with two sources", edt.ErrSlotTaken, func(r *draft, f *fault) {
		n := r.Add(r.t, nil, edt.Open)
		n.Set(0, rw(r.a))
		f.at(r.c, guid.Null, func() { n.Set(0, rw(r.b)) })
	})
	for _, slot := range []int{-1, 2, 1 << 40} {
		add(fmt.Sprintf("set slot %d of 2", slot), edt.ErrSlotRange, func(r *draft, f *fault) {
			f.at(r.c, guid.Null, func() { r.n.Set(slot, rw(r.a)) })
		})
		add(fmt.Sprintf("pass slot %d of 2", slot), edt.ErrSlotRange, func(r *draft, f *fault) {
			f.at(r.c, guid.Null, func() { r.n.Slot(slot) })
		})
	}
	add("pass a slot beyond those with names", edt.ErrSlotRange, func(r *draft, f *fault) {
		n := r.Add(r.t, nil, make([]edt.Source, edt.MaxPassed+1)...)
		f.at(r.c, guid.Null, func() { n.Slot(edt.MaxPassed) })
	})
	add("the first of two mistakes", edt.ErrSlotRange, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.n.Slot(7) })
		r.n.Set(0, rw(r.a))
	})
	add("parameters", edt.ErrCount, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, edt.Params(1)) })
	})
	add("slots", edt.ErrCount, func(r *draft, f *fault) {
		two := r.c.NewTemplate("two", 0, 2, body(nothing))
		f.at(r.c, guid.Null, func() { r.Add(two, nil, rw(r.a)) })
	})
	add("mode", edt.ErrMode, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, edt.From(r.a, datablock.Null+1)) })
	})
	template("nil", edt.ErrKind, func(*edt.Ctx) *edt.Template { return nil })
	template("zero", edt.ErrKind, func(*edt.Ctx) *edt.Template { return new(edt.Template) })
	template("destroyed", edt.ErrStale, func(c *edt.Ctx) *edt.Template { t, _ := staleTemplate(c); return t })
	template("of another run", edt.ErrForeign, func(*edt.Ctx) *edt.Template { return otherRun().template })
	for _, kind := range []string{"Error", "EDT", "event", "template", "affinity"} {
		source(kind, edt.ErrKind, func(c *edt.Ctx) guid.GUID { return oneOfEach(c)[kind] })
	}
	source("block that is gone", edt.ErrStale, staleBlock)
	source("block that never was", edt.ErrStale, func(c *edt.Ctx) guid.GUID { return forged(wordBlock(c, 1)) })
	source("block of another run", edt.ErrForeign, func(*edt.Ctx) guid.GUID { return otherRun().block })
	source("slot of another recording", edt.ErrForeign, func(c *edt.Ctx) guid.GUID {
		return newDraft(c, nothing).n.Slot(0)
	})
	source("input of another recording", edt.ErrForeign, func(c *edt.Ctx) guid.GUID { return c.NewRecording().Input() })
	add("after a node of another recording", edt.ErrForeign, func(r *draft, f *fault) {
		other := newDraft(r.c, nothing).n
		f.at(r.c, guid.Null, func() { r.n.After(other) })
	})
	add("hint", edt.ErrHint, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil).SetHint(edt.Hint{Affinity: edt.BindTo(99)}) })
	})
	add("hint of the template", edt.ErrHint, func(r *draft, f *fault) {
		r.t.SetHint(edt.Hint{Affinity: edt.PlaceOn(99)})
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil) })
	})
	add("one block in two modes", edt.ErrMixedModes, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, rw(r.a), ew(r.a)).After(r.n) })
	})
	add("one block in two modes, by a slot", edt.ErrMixedModes, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, edt.From(r.n.Slot(0), ro), rw(r.a)) })
	})
	add("no path", edt.ErrUnordered, func(r *draft, f *fault) {
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, ew(r.b)) })
	})
	add("no path, of the block of a slot", edt.ErrUnordered, func(r *draft, f *fault) {
		n := r.Add(r.t, nil, edt.From(r.n.Slot(0), datablock.Const))
		n.After(r.n)
		f.at(r.c, guid.Null, func() { r.Add(r.t, nil, rw(r.n.Slot(0))) })
	})
	inBothWays(t, cases)
}

// TestMisuseOfRecording: calls that a recording refuses when they are made.
func TestMisuseOfRecording(t *testing.T) {
	var cases []misuse
	add := func(name, op string, cause *edt.Condition, mistake func(r *draft, f *fault)) {
		cases = append(cases, misuse{name, op, cause, func(c *edt.Ctx, f *fault) { mistake(newDraft(c, nothing), f) }})
	}
	for _, times := range []int{0, -1} {
		add(fmt.Sprintf("%d runs", times), opReplay, edt.ErrCount, func(r *draft, f *fault) {
			f.at(r.c, guid.Null, func() { r.Run(r.c, times, guid.Null) })
		})
	}
	for _, inputs := range [][]guid.GUID{nil, make([]guid.GUID, 2)} {
		add(fmt.Sprintf("%d inputs for 1", len(inputs)), opReplay, edt.ErrCount, func(r *draft, f *fault) {
			r.Input()
			f.at(r.c, guid.Null, func() { r.Run(r.c, 1, guid.Null, inputs...) })
		})
	}
	input := func(name string, cause *edt.Condition, in func(r *draft) guid.GUID) {
		add("input: "+name, opReplay, cause, func(r *draft, f *fault) {
			r.Add(r.t, nil, rw(r.Input()))
			g := in(r)
			f.at(r.c, g, func() { r.Run(r.c, 1, guid.Null, g) })
		})
	}
	for _, kind := range []string{"Null", "Uninitialized", "Error", "EDT", "event", "template", "affinity"} {
		input(kind, edt.ErrKind, func(r *draft) guid.GUID { return oneOfEach(r.c)[kind] })
	}
	input("gone", edt.ErrStale, func(r *draft) guid.GUID { return staleBlock(r.c) })
	input("of another run", edt.ErrForeign, func(*draft) guid.GUID { return otherRun().block })
	input("a block of the graph", edt.ErrUnordered, func(r *draft) guid.GUID { return r.a })
	add("block destroyed between runs", opReplay, edt.ErrStale, func(r *draft, f *fault) {
		r.Seal(r.c)
		r.c.DestroyBlock(r.b)
		f.at(r.c, r.b, func() { r.Run(r.c, 1, guid.Null) })
	})
	for op, call := range map[string]func(r *draft, f *fault){
		opReplay:   func(r *draft, f *fault) { f.at(r.c, guid.Null, func() { r.Run(r.c, 1, guid.Null) }) },
		opSeal:     func(r *draft, f *fault) { f.at(r.c, guid.Null, func() { r.Seal(r.c) }) },
		opUnrecord: func(r *draft, f *fault) { f.at(r.c, guid.Null, func() { r.Destroy(r.c) }) },
	} {
		refused := func(when string, cause *edt.Condition, prepare func(r *draft)) {
			add(op+" "+when, op, cause, func(r *draft, f *fault) {
				prepare(r)
				call(r, f)
			})
		}
		refused("while it runs", edt.ErrRuns, func(r *draft) {
			held, _ := r.c.NewBlock(8) // so that the run cannot end before the call
			r.Add(r.t, nil, edt.From(held, datablock.EW))
			r.Run(r.c, 1, guid.Null)
		})
		refused("nil", edt.ErrKind, func(r *draft) { r.Recording = nil })
		refused("zero", edt.ErrKind, func(r *draft) { r.Recording = new(edt.Recording) })
		refused("destroyed", edt.ErrKind, func(r *draft) { r.Destroy(r.c) })
		refused("of a run beside this one", edt.ErrForeign, func(r *draft) { r.Recording = ofAnotherRun() })
		ended := ofAnotherRun() // the next run may get its Graph
		refused("of a run before this one", edt.ErrForeign, func(r *draft) { r.Recording = ended })
	}
	add("an ordinary EDT gets the slot of a node", createOp, edt.ErrKind, func(r *draft, f *fault) {
		g := r.n.Slot(0)
		f.at(r.c, g, func() { r.c.NewEDT(r.t, nil, rw(g)) })
	})
	add("an ordinary EDT gets an input", createOp, edt.ErrKind, func(r *draft, f *fault) {
		g := r.Input()
		f.at(r.c, g, func() { r.c.NewEDT(r.t, nil, rw(g)) })
	})
	inBothWays(t, cases)
}

func ofAnotherRun() (r *edt.Recording) {
	if err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		d := newDraft(c, nothing)
		d.Seal(c)
		r = d.Recording
		c.Shutdown()
	})); err != nil {
		panic(err)
	}
	return r
}

// TestRecordingRefusals: calls that have no Ctx panic at the app's line.
func TestRecordingRefusals(t *testing.T) {
	calls := map[string]func(r *draft){
		"Add": func(r *draft) { r.Add(r.t, nil) }, "Input": func(r *draft) { r.Input() },
		"Slot":  func(r *draft) { r.n.Slot(0) },
		"After": func(r *draft) { r.n.After() }, "NotAfter": func(r *draft) { r.n.NotAfter() },
		"Set": func(r *draft) { r.n.Set(0, rw(r.a)) }, "SetHint": func(r *draft) { r.n.SetHint(edt.Hint{Priority: 1}) },
	}
	for when, prepare := range map[string]func(r *draft){
		"a recorded graph was changed while it runs": func(r *draft) { r.Run(r.c, 1, guid.Null) },
		"the recorded graph was destroyed":           func(r *draft) { r.Destroy(r.c) },
		"no recorded graph":                          func(r *draft) { r.Recording, r.n = nil, edt.Node{} },
	} {
		for name, call := range calls {
			err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
				r := newDraft(c, nothing)
				prepare(r)
				call(r)
			}))
			var panicked *edt.PanicError
			if !errors.As(err, &panicked) || !strings.Contains(fmt.Sprint(panicked.Value), when) ||
				!strings.HasPrefix(panicked.Site, "recording_misuse_test.go:") {
				t.Errorf("%s: %v, want a panic in this file: %s", name, err, when)
			}
		}
	}
}

// TestMisuseInNode: what the body of a node must not do.
func TestMisuseInNode(t *testing.T) {
	var cases []misuse
	add := func(name, op string, cause *edt.Condition, mistake func(c *edt.Ctx, in edt.Args, f *fault)) {
		cases = append(cases, misuse{name, op, cause, func(c *edt.Ctx, f *fault) {
			f.template = "node"
			r := newDraft(c, func(c *edt.Ctx, in edt.Args) { mistake(c, in, f) })
			r.Run(c, 2, guid.Null)
		}})
	}
	add("goes on", "go on", edt.ErrGoesOn, func(c *edt.Ctx, _ edt.Args, f *fault) {
		f.at(c, c.Self(), func() { c.Again() })
	})
	add("goes on behind an event", "go on", edt.ErrGoesOn, func(c *edt.Ctx, _ edt.Args, f *fault) {
		e := c.NewEvent(edt.Sticky)
		f.at(c, c.Self(), func() { c.Again(edt.Change{Slot: 0, Source: e}) })
	})
	add("passes a block of the graph", "pass", edt.ErrHeldByGraph, func(c *edt.Ctx, in edt.Args, f *fault) {
		e := c.NewEvent(edt.Sticky)
		f.at(c, in.Dep(1).GUID(), func() { c.Pass(e, 1) })
	})
	add("passes its dependence", "pass", edt.ErrHeldByGraph, func(c *edt.Ctx, in edt.Args, f *fault) {
		e := c.NewEvent(edt.Once)
		f.at(c, in.Dep(0).GUID(), func() { c.PassDep(e, in.Dep(0)) })
	})
	add("passes a slot that it lacks", "pass", edt.ErrSlotRange, func(c *edt.Ctx, _ edt.Args, f *fault) {
		e := c.NewEvent(edt.Once)
		f.at(c, c.Self(), func() { c.Pass(e, 2) })
	})
	add("destroys a block of the graph", "destroy data block", edt.ErrHeldByGraph,
		func(c *edt.Ctx, in edt.Args, f *fault) {
			f.at(c, in.Dep(1).GUID(), func() { c.DestroyBlock(in.Dep(1).GUID()) })
		})
	add("destroys one that it has released", "destroy data block", edt.ErrHeldByGraph,
		func(c *edt.Ctx, in edt.Args, f *fault) {
			b := in.Dep(0).GUID()
			c.Release(b)
			f.at(c, b, func() { c.DestroyBlock(b) })
		})
	add("releases twice", "release", edt.ErrNotHeld, func(c *edt.Ctx, in edt.Args, f *fault) {
		b := in.Dep(0).GUID()
		c.Release(b)
		f.at(c, b, func() { c.Release(b) })
	})
	add("releases its dependence twice", "release", edt.ErrNotHeld, func(c *edt.Ctx, in edt.Args, f *fault) {
		c.ReleaseDep(in.Dep(1))
		f.at(c, in.Dep(1).GUID(), func() { c.ReleaseDep(in.Dep(1)) })
	})
	add("connects itself", "add dependence", edt.ErrSlotTaken, func(c *edt.Ctx, _ edt.Args, f *fault) {
		f.at(c, c.Self(), func() { c.AddDependence(guid.Null, c.Self(), 0, datablock.RW) })
	})
	add("destroys itself", "destroy EDT", edt.ErrRunnable, func(c *edt.Ctx, _ edt.Args, f *fault) {
		f.at(c, c.Self(), func() { c.DestroyEDT(c.Self()) })
	})
	add("sets its hint", "set hint", edt.ErrRunnable, func(c *edt.Ctx, _ edt.Args, f *fault) {
		f.at(c, c.Self(), func() { c.SetHint(c.Self(), edt.Hint{Priority: 1}) })
	})
	add("has no output event", "satisfy", edt.ErrKind, func(c *edt.Ctx, _ edt.Args, f *fault) {
		f.at(c, guid.Null, func() { c.Satisfy(c.Output(), guid.Null) })
	})
	cases = append(cases, misuse{"returns an EDT", "return", edt.ErrKind, func(c *edt.Ctx, f *fault) {
		f.template, f.noCall, f.anyTarget = "node", true, true
		r := c.NewRecording()
		r.Add(c.NewTemplate("node", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			f.edt = c.Self()
			return c.Self()
		}), nil)
		r.Run(c, 1, guid.Null)
	}}, misuse{"done is satisfied", "satisfy", edt.ErrSatisfied, func(c *edt.Ctx, f *fault) {
		f.later = true
		r, e := newDraft(c, nothing), c.NewEvent(edt.Sticky)
		c.Satisfy(e, guid.Null)
		f.noCall = true // it is found when the run has ended
		f.at(c, e, func() { r.Run(c, 3, e) })
	}}, misuse{"done is a block", "satisfy", edt.ErrKind, func(c *edt.Ctx, f *fault) {
		r := newDraft(c, nothing)
		f.noCall = true
		f.at(c, r.a, func() { r.Run(c, 3, r.a) })
	}})
	inBothWays(t, cases)
}
