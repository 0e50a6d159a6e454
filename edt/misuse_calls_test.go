package edt_test

import (
	"iter"
	"strconv"
	"strings"
	"sync"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

type (
	maker  = func(c *edt.Ctx) guid.GUID
	caller = func(c *edt.Ctx, g guid.GUID)
	verb   = func(s *scene)
)

// kinds has an object of each kind. A row that says "not A" is for all the others.
var kinds = []string{"Null", "Uninitialized", "Error", "EDT", "sticky", "block", "template"}

// make makes an object that the table names. A number behind its name is its size.
func (s *scene) make(name string) guid.GUID {
	switch name {
	case "x":
		return s.x
	case "z":
		return s.z
	}
	if kind, ok := strings.CutPrefix(name, "foreign "); ok {
		return s.foreign(kind)
	}
	if kind, ok := strings.CutPrefix(name, "forged "); ok { // an object that never existed
		hi, lo := s.make(kind).Words()
		return guid.FromWords(hi, lo&^(1<<32-1)|1<<31|77)
	}
	if kind, ok := strings.CutPrefix(name, "satisfied "); ok {
		g := s.make(kind)
		s.Satisfy(g, guid.Null)
		return g
	}
	if kind, ok := strings.CutPrefix(name, "gone "); ok { // another object has its record
		g := s.make(kind)
		if endOf[strings.Fields(kind)[0]](s, g); kind == "template" {
			return g
		}
		return s.mustBeReplaced(g, s.make(kind))
	}
	n := 1
	if at := strings.LastIndexByte(name, ' '); at > 0 {
		if size, err := strconv.Atoi(name[at+1:]); err == nil {
			n, name = size, name[:at]
		}
	}
	if objects[name] == nil {
		panic("no object is named " + name)
	}
	return objects[name](s, n)
}

// endOf destroys the objects that can be "gone".
var endOf = map[string]func(s *scene, g guid.GUID){
	"sticky":   func(s *scene, g guid.GUID) { s.DestroyEvent(g) },
	"once":     func(s *scene, g guid.GUID) { s.Satisfy(g, guid.Null) },
	"block":    func(s *scene, g guid.GUID) { s.DestroyBlock(g) },
	"held":     func(s *scene, g guid.GUID) { s.DestroyBlock(g) },
	"EDT":      func(s *scene, g guid.GUID) { s.DestroyEDT(g) },
	"template": func(s *scene, _ guid.GUID) { s.DestroyTemplate(s.t) },
}

// objects makes the objects of the table. Most ignore the size n.
var objects map[string]func(s *scene, n int) guid.GUID

func init() {
	objects = map[string]func(s *scene, n int) guid.GUID{
		"Null":             func(*scene, int) guid.GUID { return guid.Null },
		"Uninitialized":    func(*scene, int) guid.GUID { return guid.Uninitialized },
		"Error":            func(*scene, int) guid.GUID { return guid.Error },
		"sticky":           func(s *scene, _ int) guid.GUID { return s.NewEvent(edt.Sticky) },
		"once":             func(s *scene, _ int) guid.GUID { return s.NewEvent(edt.Once) },
		"idempotent":       func(s *scene, _ int) guid.GUID { return s.NewEvent(edt.Idempotent) },
		"far sticky":       func(s *scene, _ int) guid.GUID { return s.NewEvent(edt.Sticky, s.Place(s.Workers()-1)) },
		"latch":            func(s *scene, n int) guid.GUID { return s.NewLatch(int64(n)) },
		"counted":          func(s *scene, n int) guid.GUID { return s.NewCounted(n) },
		"channel":          func(s *scene, n int) guid.GUID { return s.NewChannel(n) },
		"channel of main":  func(s *scene, n int) guid.GUID { return s.NewChannel(n, s.Place(0)) },
		"EDT":              func(s *scene, n int) guid.GUID { return open(s.Ctx, n, nothing) },
		"block":            func(s *scene, n int) guid.GUID { return s.NewBlockNoAcquire(8 * n) },
		"held block":       func(s *scene, _ int) guid.GUID { g, _ := s.NewBlock(8); return g },
		"EDT of this rank": func(s *scene, n int) guid.GUID { return s.NewEDTAt(s.Bind(s.Worker()), s.template(0, n), nil) },
		"half open EDT":    func(s *scene, _ int) guid.GUID { return launch(s.Ctx, nothing, rw(s.make("once")), edt.Open) },
		"itself":           func(s *scene, _ int) guid.GUID { return s.Self() },
		"output":           func(s *scene, _ int) guid.GUID { return s.Output() },
		"slot":             func(s *scene, n int) guid.GUID { return s.in.Dep(n).GUID() },
		"EDT with names of slots": func(s *scene, _ int) guid.GUID {
			return s.NewEDT(s.NewTemplate("joins", 0, 2, body(nothing)).NameSlots("left", "right"), nil)
		},
		"EDT that waits for a block": func(s *scene, _ int) guid.GUID {
			return launch(s.Ctx, nothing, ew(s.make("held block")))
		},

		"template":            func(s *scene, _ int) guid.GUID { return s.use(s.NewTemplate("object", 0, 1, body(nothing))) },
		"replaced template":   func(s *scene, _ int) guid.GUID { return s.replaced() },
		"registered template": func(s *scene, _ int) guid.GUID { return s.use(registered) },
		"zero template":       func(s *scene, _ int) guid.GUID { s.t = new(edt.Template); return guid.Null },
		"nil template":        func(*scene, int) guid.GUID { return guid.Null },

		"GUID behind the last template": func(s *scene, _ int) guid.GUID {
			hi, lo := s.make("template").Words()
			return guid.FromWords(hi, lo+1)
		},

		// Of a recorded graph: slots have names as objects have.
		"a":                     func(s *scene, _ int) guid.GUID { return s.r.a },
		"b":                     func(s *scene, _ int) guid.GUID { return s.r.b },
		"n":                     func(s *scene, n int) guid.GUID { return s.r.n.Slot(n) },
		"slot of another graph": func(s *scene, _ int) guid.GUID { return newDraft(s.Ctx).n.Slot(0) },
	}
}

func (s *scene) use(t *edt.Template) guid.GUID {
	s.t = t
	return s.TemplateGUID(t)
}

// replaced returns a destroyed template whose number another template has.
func (s *scene) replaced() guid.GUID {
	g := s.make("gone template")
	_, was := g.Words()
	for range 3 {
		_, lo := s.TemplateGUID(s.NewTemplate("new", 0, 0, body(nothing))).Words()
		if uint32(lo) == uint32(was) {
			return g
		}
	}
	panic("the place of a destroyed template is not used again")
}

func (s *scene) mustBeReplaced(old, new guid.GUID) guid.GUID {
	_, a := old.Words()
	_, b := new.Words()
	if here := s.Self().Home(); old.Home() != here || new.Home() != here {
		return old // an object of another rank gets a name in stock
	}
	if uint32(a) != uint32(b) || old == new {
		panic(old.String() + " was not replaced by " + new.String())
	}
	return old
}

// foreign returns an object of another run.
func (s *scene) foreign(kind string) guid.GUID {
	other := otherRun()
	s.t = other.t
	return other.all[kind]
}

type foreign struct {
	t   *edt.Template
	all map[string]guid.GUID
}

var otherRun func() foreign

func makeOtherRun() (f foreign) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		s := &scene{Ctx: c}
		f.all = make(map[string]guid.GUID)
		for _, kind := range kinds[3:] {
			f.all[kind] = s.make(kind)
		}
		f.t = s.t
		c.Shutdown()
	}))
	if err != nil {
		panic(err)
	}
	return f
}

var registered = edt.NewTemplate("edt_test.registered", 0, 1, body(nothing))

// verbs are the calls of the table, each in one line. They have the names of the methods of Ctx, and their arguments.
var verbs map[string]verb

func init() {
	otherRun = sync.OnceValue(makeOtherRun)
	null, one, beyond := rw(guid.Null), edt.Params(1), edt.Hint{Affinity: edt.PlaceOn(99)}
	verbs = map[string]verb{
		"Satisfy":                          func(s *scene) { s.Satisfy(s.at(0), s.at(1)) },
		"SatisfySlot":                      func(s *scene) { s.SatisfySlot(s.at(0), guid.Null, s.num()) },
		"AddDependence":                    func(s *scene) { s.AddDependence(s.at(0), s.at(1), s.num(), s.mode(0)) },
		"wait":                             func(s *scene) { launch(s.Ctx, nothing, rw(s.at(0))) },
		"feed":                             func(s *scene) { s.z = s.NewEvent(edt.Once); s.AddDependence(s.z, s.x, 0, 0) },
		"Pass":                             func(s *scene) { s.Pass(s.at(0), s.num()) },
		"PassDep":                          func(s *scene) { s.PassDep(s.at(0), s.in.Dep(s.num())) },
		"Release":                          func(s *scene) { s.Release(s.at(0)) },
		"ReleaseDep":                       func(s *scene) { s.ReleaseDep(s.in.Dep(s.num())) },
		"release a copy of the dependence": func(s *scene) { s.ReleaseDep(s.copied()) },
		"pass a copy of the dependence":    func(s *scene) { s.PassDep(s.NewEvent(edt.Sticky), s.copied()) },
		"Downgrade":                        func(s *scene) { s.Downgrade(s.at(0)) },
		"BlockMode":                        func(s *scene) { s.BlockMode(s.at(0)) },
		"Synchronised":                     func(s *scene) { s.Synchronised(s.at(0)) },
		"AllowUnordered":                   func(s *scene) { s.AllowUnordered(s.at(0), edt.ReadsAndWrites) },
		"DestroyEvent":                     func(s *scene) { s.DestroyEvent(s.at(0)) },
		"DestroyEDT":                       func(s *scene) { s.DestroyEDT(s.at(0)) },
		"DestroyBlock":                     func(s *scene) { s.DestroyBlock(s.at(0)) },
		"DestroyTemplate":                  func(s *scene) { s.DestroyTemplate(s.t) },
		"SetHint":                          func(s *scene) { s.SetHint(s.at(0), edt.Hint{}) },
		"hint a worker that is not there":  func(s *scene) { s.SetHint(s.at(0), beyond) },
		"Place":                            func(s *scene) { s.Place(s.num()) },
		"Bind":                             func(s *scene) { s.Bind(s.num()) },

		"NewBlock":                   func(s *scene) { s.NewBlock(s.num()) },
		"NewBlockNoAcquire":          func(s *scene) { s.NewBlockNoAcquire(s.num()) },
		"NewBlockNear":               func(s *scene) { s.NewBlockNear(s.num(), 0) },
		"block near the last worker": func(s *scene) { s.NewBlockNear(s.num(), s.Place(s.Workers()-1)) },
		"block near no worker":       func(s *scene) { s.NewBlockNear(8, edt.PlaceOn(30_000)) },
		"held block":                 func(s *scene) { s.NewBlock(8) },
		"another block":              func(s *scene) { s.mustBeReplaced(s.x, s.NewBlockNoAcquire(8)) },
		"another held block":         func(s *scene) { g, _ := s.NewBlock(8); s.mustBeReplaced(s.x, g) },
		"wait on one that goes":      func(s *scene) { s.AddDependence(s.at(0), s.x, s.num(), 0); s.DestroyEvent(s.at(0)) },
		"wait on one that triggers":  func(s *scene) { s.AddDependence(s.at(0), s.x, s.num(), 0); satisfy(s.Ctx, s.at(0)) },
		"NewEvent":                   func(s *scene) { s.NewEvent(edt.EventType(s.num())) },
		"event near the last worker": func(s *scene) { s.NewEvent(edt.EventType(s.num()), s.Place(s.Workers()-1)) },
		"event near no worker":       func(s *scene) { s.NewEvent(edt.Sticky, edt.PlaceOn(30_000)) },
		"NewLatch":                   func(s *scene) { s.NewLatch(int64(s.num())) },
		"NewCounted":                 func(s *scene) { s.NewCounted(s.num()) },
		"NewChannel":                 func(s *scene) { s.NewChannel(s.num()) },
		"NewExternal":                func(s *scene) { s.NewExternal(s.num()) },

		// Creations of EDTs. A template is that of the row, or one with numbers of parameters and slots.
		"NewEDT":                   func(s *scene) { s.NewEDT(s.t, nil) },
		"Spawn":                    func(s *scene) { s.Spawn(s.t, &edt.Spec{}) },
		"new EDT with a parameter": func(s *scene) { s.NewEDT(s.t, one) },
		"new EDT with a source":    func(s *scene) { s.NewEDT(s.t, nil, null) },
		"spawn with a parameter":   func(s *scene) { s.Spawn(s.t, &edt.Spec{Params: one}) },
		"new EDT that waits for":   func(s *scene) { s.NewEDT(s.template(0, 2), nil, null, rw(s.at(0))) },
		"new EDT, slot 0 open":     func(s *scene) { s.NewEDT(s.template(0, 2), nil, edt.Open, rw(s.at(0))) },
		"counts":                   func(s *scene) { s.NewEDT(s.template(s.n[0], s.n[1]), s.params(2), nulls(s.n[3])...) },
		"counts of a spec":         func(s *scene) { s.Spawn(s.template(s.n[0], s.n[1]), s.spec()) },
		"new EDT in mode":          func(s *scene) { s.NewEDT(s.template(0, 1), nil, edt.From(guid.Null, s.mode(0))) },
		"EDT bound to no worker":   func(s *scene) { s.NewEDTAt(edt.BindTo(-1), s.template(0, 0), nil) },
		"EDT near no worker":       func(s *scene) { s.NewEDTAt(edt.PlaceOn(99), registered, nil, null) },

		"EDT with a hint at no worker": func(s *scene) { s.Spawn(registered, &edt.Spec{Hint: beyond, Deps: nulls(1)}) },
		"spawn with output event":      func(s *scene) { s.Spawn(s.template(0, 1), &edt.Spec{OutputEvent: s.at(0)}) },
		"spawn with two output events": func(s *scene) { s.Spawn(registered, &edt.Spec{OutputEvent: s.at(0), Output: true}) },
		"EDT with slots":               func(s *scene) { s.z = s.blockInSlots() },
		"two modes in the list":        func(s *scene) { s.NewEDT(s.template(0, s.num()), nil, s.twoModes()...) },

		"AddDependence to an EDT that has run": func(s *scene) { s.afterRun() },
		"DestroyEDT of the taker":              func(s *scene) { s.destroyTaker() },
		"Template":                             func(s *scene) { s.Template(s.at(0)) },
		"TemplateGUID":                         func(s *scene) { s.TemplateGUID(s.t) },
		"NewTemplate":                          func(s *scene) { s.NewTemplate("x", s.n[0], s.n[1], body(nothing)) },
		"template without a name":              func(s *scene) { s.NewTemplate("", 0, 0, body(nothing)) },
		"template without a body":              func(s *scene) { s.NewTemplate("x", 0, 0, nil) },

		"Again":               func(s *scene) { s.Again() },
		"again from":          func(s *scene) { s.Again(edt.Change{Slot: s.num(), Source: s.at(0)}) },
		"again from z":        func(s *scene) { s.z = s.make("sticky"); s.Again(edt.Change{Slot: s.num(), Source: s.z}) },
		"again, slot 0 twice": func(s *scene) { s.Again(edt.Change{Slot: 0, Source: s.x}, edt.Change{Slot: 0, Source: s.x}) },

		"return":                 func(s *scene) { s.returnX(edt.Spec{}) },
		"return with output":     func(s *scene) { s.returnX(edt.Spec{Output: true}) },
		"node returns":           func(s *scene) { s.nodeReturns() },
		"release in an iterator": func(s *scene) { s.pulled() },
		"release far down":       func(s *scene) { s.deep(5000) },

		// Recorded graphs: newDraft has made one.
		"Add":                   func(s *scene) { s.r.Add(s.r.t, nil, rw(s.r.a), rw(s.at(0))) },
		"add after itself":      func(s *scene) { n := s.r.Add(s.r.t, nil); n.After(n) },
		"add two in a circle":   func(s *scene) { a, b := s.r.Add(s.r.t, nil), s.r.Add(s.r.t, nil); a.After(b); b.After(a) },
		"add early":             func(s *scene) { s.addEarly() },
		"add with an open slot": func(s *scene) { s.r.Add(s.r.t, nil, rw(s.r.a), edt.Open) },
		"add with a parameter":  func(s *scene) { s.r.Add(s.r.t, one) },

		"add with one of two slots": func(s *scene) { s.r.Add(s.template(0, 2), nil, rw(s.r.a)) },
		"add in mode":               func(s *scene) { s.r.Add(s.r.t, nil, edt.From(s.at(0), s.mode(0))) },
		"add in modes":              func(s *scene) { s.r.Add(s.r.t, nil, s.inModes()...) },
		"add in modes after n":      func(s *scene) { s.r.Add(s.r.t, nil, s.inModes()...).After(s.r.n) },
		"add reader after n":        func(s *scene) { s.r.Add(s.r.t, nil, edt.From(s.at(0), datablock.Const)).After(s.r.n) },
		"add node of template":      func(s *scene) { s.r.Add(s.t, nil) },

		"add with a hint at no worker": func(s *scene) { s.r.Add(s.r.t, nil).SetHint(edt.Hint{Affinity: edt.BindTo(99)}) },
		"the template gets a hint":     func(s *scene) { s.r.t.SetHint(beyond) },
		"add":                          func(s *scene) { s.r.Add(s.r.t, nil) },
		"seal":                         func(s *scene) { s.r.Seal(s.Ctx) },
		"destroy":                      func(s *scene) { s.r.Destroy(s.Ctx) },
		"run":                          func(s *scene) { s.r.Run(s.Ctx, s.num(), guid.Null) },
		"run, then satisfy":            func(s *scene) { s.f.noCall = true; s.r.Run(s.Ctx, 3, s.at(0)) },
		"nil recording":                func(s *scene) { s.r.Recording = nil },
		"zero recording":               func(s *scene) { s.r.Recording = new(edt.Recording) },
		"foreign recording":            func(s *scene) { s.r.Recording = ofAnotherRun() },
		"ended recording":              func(s *scene) { s.r.Recording = ofEndedRun },
		"block that main holds":        func(s *scene) { s.r.Add(s.r.t, nil, ew(s.make("held block"))) },
		"new EDT from":                 func(s *scene) { s.NewEDT(s.r.t, nil, rw(s.at(0))) },
	}
}

// inModes returns the arguments of a call, two objects with their modes, as sources.
func (s *scene) inModes() []edt.Source {
	return []edt.Source{edt.From(s.g[0], s.m[0]), edt.From(s.g[1], s.m[1])}
}

func (s *scene) addEarly() {
	r := s.r
	s.f.at(s.Ctx, guid.Null, func() { a := r.Add(r.t, nil, rw(r.a)); a.After(r.Add(r.t, nil, rw(a.Slot(0)))) })
}

func (s *scene) template(params, slots int) *edt.Template {
	return s.NewTemplate("counted", params, slots, body(nothing))
}

// params makes the number of parameters that argument k says.
func (s *scene) params(k int) []uint64 { return make([]uint64, s.n[k]) }

func nulls(n int) (all []edt.Source) {
	for range n {
		all = append(all, rw(guid.Null))
	}
	return all
}

// spec makes a Spec with the numbers of parameters, slots and sources that arguments 2 to 4 say.
func (s *scene) spec() *edt.Spec {
	return &edt.Spec{Params: s.params(2), DepCount: s.n[3], Deps: nulls(s.n[4])}
}

// blockInSlots creates an EDT with the row's block on all slots but the last, which is open.
func (s *scene) blockInSlots() guid.GUID {
	task := open(s.Ctx, s.num(), nothing)
	for k := range s.num() - 1 {
		s.AddDependence(s.x, task, k, s.mode(0))
	}
	return task
}

// twoModes lists sources, of which the first and the last are the row's block.
func (s *scene) twoModes() []edt.Source {
	deps := nulls(s.num())
	deps[0], deps[len(deps)-1] = edt.From(s.x, s.mode(0)), edt.From(s.x, s.mode(1))
	return deps
}

// afterRun makes the mistake with an EDT that has run.
func (s *scene) afterRun() {
	s.f.template = "launched"
	var task guid.GUID
	first := s.NewTemplate("first", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { task = c.Self() }))
	_, out := s.Spawn(first, &edt.Spec{OutputEvent: s.NewEvent(edt.Sticky), Finish: true})
	launch(s.Ctx, func(c *edt.Ctx, _ edt.Args) {
		s.f.at(c, task, func() { c.AddDependence(guid.Null, task, 0, datablock.RW) })
	}, rw(out))
}

// destroyTaker destroys an EDT that got a block by Pass and waits for another block.
func (s *scene) destroyTaker() {
	other, e := wordBlock(s.Ctx, 1), s.NewEvent(edt.Sticky)
	s.f.template = "launched"
	launch(s.Ctx, func(c *edt.Ctx, _ edt.Args) {
		taker := launch(c, nothing, rw(other), rw(e))
		launch(c, nothing, ew(other))
		c.Pass(e, 0)
		s.f.at(c, taker, func() { c.DestroyEDT(taker) })
	}, rw(wordBlock(s.Ctx, 2)), rw(other)) // so that no EDT has it in mode EW before this one ends
}

// returnX creates an EDT that returns the row's object.
func (s *scene) returnX(spec edt.Spec) {
	s.f.noCall, s.f.template = true, "returns"
	task, _ := s.Spawn(s.NewTemplate("returns", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		there := s.with(c, edt.Args{})
		there.makeX(true)
		s.f.at(c, there.x, func() {})
		return there.x
	}), &spec)
	s.AddDependence(guid.Null, task, 0, datablock.RW)
}

// nodeReturns runs a node that returns itself.
func (s *scene) nodeReturns() {
	s.f.noCall, s.f.template = true, "node"
	r := s.NewRecording()
	r.Add(s.NewTemplate("node", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		s.f.at(c, c.Self(), func() {})
		return c.Self()
	}), nil)
	r.Run(s.Ctx, 1, guid.Null)
}

// pulled makes the mistake in the EDT, but in a coroutine.
func (s *scene) pulled() {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for range 10_000 { // more than caches have: the coroutine counts as the worker
			s.NewEvent(edt.Once)
		}
		s.f.at(s.Ctx, guid.Null, func() { s.Release(guid.Null) })
	})
	defer stop()
	next()
}

func (s *scene) deep(n int) {
	if n > 0 {
		s.deep(n - 1)
		return
	}
	s.f.at(s.Ctx, guid.Null, func() { s.Release(guid.Null) })
}

func ew(g guid.GUID) edt.Source { return edt.From(g, datablock.EW) }

// A draft is a recording with two blocks, and with a template for any number of slots.
type draft struct {
	*edt.Recording
	c    *edt.Ctx
	t    *edt.Template
	a, b guid.GUID
	n    edt.Node // it has slots for the two blocks
}

func newDraft(c *edt.Ctx) *draft {
	r := &draft{Recording: c.NewRecording(), c: c, t: c.NewTemplate("node", 0, edt.Unknown, body(nothing))}
	r.a, r.b = wordBlock(c, 1), wordBlock(c, 2)
	r.n = r.Add(r.t, nil, rw(r.a), rw(r.b))
	return r
}

// ofEndedRun is a recording of a run that has ended. The next run may get the memory of its graph.
var ofEndedRun = ofAnotherRun()

func ofAnotherRun() (r *edt.Recording) {
	if err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		d := newDraft(c)
		d.Seal(c)
		r = d.Recording
		c.Shutdown()
	})); err != nil {
		panic(err)
	}
	return r
}

// Makers of objects for tests that are not rows of the table.
func eventOf(t edt.EventType) maker  { return func(c *edt.Ctx) guid.GUID { return c.NewEvent(t) } }
func latchAt(n int64) maker          { return func(c *edt.Ctx) guid.GUID { return c.NewLatch(n) } }
func countedFor(n int) maker         { return func(c *edt.Ctx) guid.GUID { return c.NewCounted(n) } }
func channelOf(n int) maker          { return func(c *edt.Ctx) guid.GUID { return c.NewChannel(n) } }
func someBlock(c *edt.Ctx) guid.GUID { return wordBlock(c, 7) }

// then returns a maker that makes an object, and makes calls that change it.
func then(made maker, calls ...caller) maker {
	return func(c *edt.Ctx) guid.GUID {
		g := made(c)
		for _, call := range calls {
			call(c, g)
		}
		return g
	}
}

// copied returns a copy of the dependence on slot 0, which go vet does not find.
func (s *scene) copied() *datablock.Dep { return &append([]datablock.Dep(nil), s.in.Deps()...)[0] }

func satisfy(c *edt.Ctx, g guid.GUID) { c.Satisfy(g, guid.Null) }
