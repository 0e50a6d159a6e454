package edt_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// A misuse is a program that makes one mistake.
type misuse struct {
	name  string
	op    string
	cause *edt.Condition
	run   func(c *edt.Ctx, f *fault)
}

type (
	maker  = func(c *edt.Ctx) guid.GUID
	caller = func(c *edt.Ctx, g guid.GUID)
)

// wrong makes a misuse of a call, which stands in one line, on what made returns: on its rank, and on another one.
func wrong(name, op string, cause *edt.Condition, made maker, call caller) misuse {
	mistake := func(c *edt.Ctx, f *fault, g guid.GUID) {
		if f.blame(c, g, call); !strings.HasSuffix(f.file, "_test.go") { // it is a method of Ctx
			f.at(c, g, func() { call(c, g) })
			return
		}
		call(c, g)
	}
	return misuse{name, op, cause, func(c *edt.Ctx, f *fault) {
		if f.crosses = true; !f.across {
			mistake(c, f, made(c))
			return
		}
		c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
			g := made(c)
			c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) { mistake(c, f, g) }), guid.Null)
		}), guid.Null)
	}}
}

// without makes a misuse of a call, which stands in one line, that is on no object.
func without(name, op string, cause *edt.Condition, call func(c *edt.Ctx)) misuse {
	return misuse{name, op, cause, func(c *edt.Ctx, f *fault) {
		f.blame(c, guid.Null, call)
		call(c)
	}}
}

// A fault is where and by whom the mistake is made.
type fault struct {
	edt, target guid.GUID
	template    string
	anyTarget   bool // the object has no GUID yet that the program could know
	file        string
	line        int
	later       bool // of an EDT on another rank it is found when an event triggers, or as another misuse, or never
	oneRank     bool // over ranks the program may be right, or wrong in another way
	fine        bool // over ranks, it is no misuse
	noCall      bool // nothing the app calls is to blame, but a body's end
	crosses     bool // the program can make the mistake on rank 1, with an object of rank 2
	across      bool // and is to do so
}

// at makes the mistake: a call in the line that at is called in.
func (f *fault) at(c *edt.Ctx, target guid.GUID, mistake func()) {
	_, file, line, _ := goruntime.Caller(1)
	f.isAt(c, target, file, line)
	mistake()
}

// blame says that the mistake is the call that a function of one line makes.
func (f *fault) blame(c *edt.Ctx, target guid.GUID, call any) {
	pc := reflect.ValueOf(call).Pointer()
	file, line := goruntime.FuncForPC(pc).FileLine(pc)
	f.isAt(c, target, file, line)
}

func (f *fault) isAt(c *edt.Ctx, target guid.GUID, file string, line int) {
	f.edt, f.target, f.file, f.line = c.Self(), target, filepath.Base(file), line
	if f.template == "" {
		f.template = "main"
	}
}

// codeOf has the code that each cause must have.
var codeOf = map[*edt.Condition]edt.Code{
	edt.ErrCycle:       edt.EINVAL,
	edt.ErrHeldByGraph: edt.EBUSY,
	edt.ErrNoSource:    edt.EINVAL,
	edt.ErrRuns:        edt.EBUSY,
	edt.ErrUnordered:   edt.EINVAL,
	edt.ErrCount:       edt.EINVAL,
	edt.ErrDestroyed:   edt.EPERM,
	edt.ErrEventType:   edt.EINVAL,
	edt.ErrForeign:     edt.EINVAL,
	edt.ErrFull:        edt.ENOSPC,
	edt.ErrGoesOn:      edt.EPERM,
	edt.ErrHint:        edt.EINVAL,
	edt.ErrKind:        edt.EINVAL,
	edt.ErrMemory:      edt.ENOMEM,
	edt.ErrMixedModes:  edt.EINVAL,
	edt.ErrMode:        edt.EINVAL,
	edt.ErrNotHeld:     edt.EACCES,
	edt.ErrRegistered:  edt.EPERM,
	edt.ErrRunnable:    edt.EBUSY,
	edt.ErrSatisfied:   edt.EPERM,
	edt.ErrSize:        edt.EINVAL,
	edt.ErrSlotRange:   edt.EINVAL,
	edt.ErrSlotTaken:   edt.EINVAL,
	edt.ErrStale:       edt.EINVAL,
}

func checkMisuses(t *testing.T, cases []misuse) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			crosses, sites := false, true
			underSeeds(t, 2, func(tr *trial) edt.Func {
				var f fault
				if tr.ranks != 0 {
					sites = !sites
				}
				tr.sites = sites && tr.ranks != 0
				tr.want = func(err error) { tc.check(tr, &f, err) }
				return body(func(c *edt.Ctx, _ edt.Args) {
					tc.run(c, &f)
					crosses = f.crosses
					if f.template == "main" && !f.noCall && !f.fine && tr.ranks == 0 { // over ranks it may be found later
						tr.Errorf("the call returned")
					}
				})
			})
			if crosses {
				tc.checkAcross(t)
			}
		})
	}
}

// checkAcross has rank 1 make the call on an object of rank 2.
func (m *misuse) checkAcross(t *testing.T) {
	for seed := range uint64(6) {
		f := fault{template: "on 1", across: true}
		tr := &trial{t: t, ranks: 3, sites: seed%2 == 0, where: fmt.Sprintf("from rank 1 to rank 2, seed %d", seed)}
		h := edttest.NewRanks(seed, 3, edt.Config{Workers: 1, Sites: tr.sites})
		err := h.Run(body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) }))
		h.Graph.Close()
		m.check(tr, &f, err)
		if e := new(edt.Error); errors.As(err, &e) && e.On != "rank 1" {
			tr.Errorf("%v: it is of %q", err, e.On)
		}
	}
}

// checkOneAtATime is for a mistake that would be a race of calls on real workers.
func checkOneAtATime(t *testing.T, m misuse) {
	var f fault
	tr := &trial{t: t, workers: 1, where: m.name + ", seed 0"}
	tr.want = func(err error) { m.check(tr, &f, err) }
	tr.simulate(0, func(*trial) edt.Func { return body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) }) })
}

func (m *misuse) check(tr *trial, f *fault, err error) {
	if tr.ranks != 0 && (f.oneRank || f.later && f.target.Home() != 0) {
		return
	}
	if f.fine {
		if err != nil {
			tr.Errorf("run: %v", err)
		}
		return
	}
	var e *edt.Error
	if !errors.As(err, &e) {
		tr.Errorf("run: %v (%T), want an Error", err, err)
		return
	}
	code := codeOf[m.cause]
	if !errors.Is(err, m.cause) || !errors.Is(err, code) || e.Code() != code || m.cause.Code() != code {
		tr.Errorf("error %v, want %v [%v]", err, m.cause, code)
	}
	if e.Op != m.op || e.EDT != f.edt || e.Template != f.template {
		tr.Errorf("%q by %v of %q, want %q by %v of %q", e.Op, e.EDT, e.Template, m.op, f.edt, f.template)
	}
	if e.Target != f.target && !f.anyTarget {
		tr.Errorf("target %v, want %v", e.Target, f.target)
	}
	if at := fmt.Sprintf("%s:%d", e.File, e.Line); f.noCall {
		if e.File == "trial_test.go" {
			tr.Errorf("blames %s, where the run was started", at)
		}
	} else if e.File == "" && tr.ranks != 0 && !tr.sites && e.Target.Home() != e.EDT.Home() {
		// another rank has found it
	} else if want := fmt.Sprintf("%s:%d", f.file, f.line); at != want || !strings.Contains(err.Error(), "("+want+")") {
		tr.Errorf("%v: blames %s, want %s", err, at, want)
	}
	msg := err.Error()
	for _, part := range []string{"edt: " + m.op, m.cause.Error(), code.Error(), f.template} {
		testrun.Contains(tr, msg, part)
	}
	if strings.Contains(msg, "\n") {
		tr.Errorf("message %q has several lines", msg)
	}
}

// foreign holds objects of another run.
type foreign struct {
	edt, event, block, affinity, templateID guid.GUID
	template                                *edt.Template
}

var otherRun = sync.OnceValue(func() (f foreign) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		f.template = c.NewTemplate("foreign", 0, 1, body(nothing))
		f.templateID = c.TemplateGUID(f.template)
		f.edt = c.NewEDT(f.template, nil)
		f.event = c.NewEvent(edt.Sticky)
		f.block = c.NewBlockNoAcquire(8)
		f.affinity = c.Affinity(0)
		c.Shutdown()
	}))
	if err != nil {
		panic(err)
	}
	return f
})

// What is of another run.
func foreignEDT(*edt.Ctx) guid.GUID   { return otherRun().edt }
func foreignEvent(*edt.Ctx) guid.GUID { return otherRun().event }
func foreignBlock(*edt.Ctx) guid.GUID { return otherRun().block }

// Objects that calls are wrong with.
func eventOf(t edt.EventType) maker    { return func(c *edt.Ctx) guid.GUID { return c.NewEvent(t) } }
func latchAt(n int64) maker            { return func(c *edt.Ctx) guid.GUID { return c.NewLatch(n) } }
func countedFor(n int) maker           { return func(c *edt.Ctx) guid.GUID { return c.NewCounted(n) } }
func channelOf(n int) maker            { return func(c *edt.Ctx) guid.GUID { return c.NewChannel(n) } }
func openEDT(slots int) maker          { return func(c *edt.Ctx) guid.GUID { return open(c, slots, nothing) } }
func unheldBlock(c *edt.Ctx) guid.GUID { return c.NewBlockNoAcquire(8) }
func someBlock(c *edt.Ctx) guid.GUID   { return wordBlock(c, 7) }
func nullGUID(*edt.Ctx) guid.GUID      { return guid.Null }

// then makes an object, and calls what changes it.
func then(made maker, calls ...caller) maker {
	return func(c *edt.Ctx) guid.GUID {
		g := made(c)
		for _, call := range calls {
			call(c, g)
		}
		return g
	}
}

func satisfy(c *edt.Ctx, g guid.GUID) { c.Satisfy(g, guid.Null) }

// isAwaited has an EDT wait for an event, or for a block.
func isAwaited(c *edt.Ctx, g guid.GUID) { launch(c, nothing, rw(g)) }

// wrongKinds makes a misuse of every kind of object that a call does not take.
func wrongKinds(op string, takes []string, call caller) (all []misuse) {
	for _, kind := range []string{"Null", "Uninitialized", "Error", "EDT", "event", "block", "template",
		"affinity"} {
		if !slices.Contains(takes, kind) {
			one := func(c *edt.Ctx) guid.GUID { return oneOfEach(c)[kind] }
			all = append(all, wrong(op+": "+kind, op, edt.ErrKind, one, call))
		}
	}
	return all
}

// oneOfEach makes an object of every kind.
func oneOfEach(c *edt.Ctx) map[string]guid.GUID {
	tmpl := c.NewTemplate("object", 0, 1, body(nothing))
	return map[string]guid.GUID{
		"Null": guid.Null, "Uninitialized": guid.Uninitialized, "Error": guid.Error,
		"EDT": c.NewEDT(tmpl, nil), "event": c.NewEvent(edt.Sticky), "block": c.NewBlockNoAcquire(8),
		"template": c.TemplateGUID(tmpl), "affinity": c.Affinity(0),
	}
}

// staleEvent and the like return the GUID of an object that is gone and in whose place there is another one.
func staleEvent(c *edt.Ctx) guid.GUID {
	g := c.NewEvent(edt.Sticky)
	c.DestroyEvent(g)
	return mustBeReplaced(g, c.NewEvent(edt.Sticky))
}

func staleBlock(c *edt.Ctx) guid.GUID {
	g := c.NewBlockNoAcquire(8)
	c.DestroyBlock(g)
	return mustBeReplaced(g, c.NewBlockNoAcquire(8))
}

func staleEDT(c *edt.Ctx) guid.GUID {
	g := open(c, 1, nothing)
	c.DestroyEDT(g)
	return mustBeReplaced(g, open(c, 1, nothing))
}

func mustBeReplaced(old, new guid.GUID) guid.GUID {
	_, a := old.Words()
	hi, b := new.Words()
	if oldHi, _ := old.Words(); (hi|oldHi)&ids.RemoteBit != 0 {
		return old // another rank gave the name, which is never given again
	}
	if uint32(a) != uint32(b) || old == new {
		panic(fmt.Sprintf("%v was not replaced by %v", old, new))
	}
	return old
}

func staleTemplate(c *edt.Ctx) (*edt.Template, guid.GUID) {
	tmpl := c.NewTemplate("gone", 0, 1, body(nothing))
	c.DestroyTemplate(tmpl)
	return tmpl, c.TemplateGUID(tmpl)
}

// forged is the GUID of an object that never was, of the kind of g.
func forged(g guid.GUID) guid.GUID {
	hi, lo := g.Words()
	return guid.FromWords(hi, lo&^(1<<32-1)|1<<31|77)
}
