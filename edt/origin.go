package edt

import (
	"fmt"

	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/graph/site"
)

// An origin is a call, and the EDT that made it. Another EDT, or a worker between EDTs, may carry the call out later.
type origin struct {
	edt      guid.GUID // Null if no EDT made the call, or if it is not known
	template *Template // nil if that is not known
	about    string
	at       site.Position
}

func (o *origin) who(g *Graph) Who {
	return Who{o.edt, o.template.nameOr(""), o.about, g.rankText(o.edt)}
}

// failure returns the FailError for an error of the EDT itself or, if outside is set, of a function that the EDT gave
// to a Blocking.
func (o *origin) failure(g *Graph, err error, outside bool) *FailError {
	file, line := o.at.Line()
	return &FailError{Err: err, Who: o.who(g), File: file, Line: line, Outside: outside}
}

// origin returns the call that is under way, without the description of its EDT.
func (c *Ctx) origin() origin {
	if c.behalf != nil {
		return *c.behalf
	}
	by, t := c.author()
	return origin{edt: by, template: t, at: c.callSite(t.code())}
}

// describedOrigin returns the call that is under way, with the description of its EDT, as a copy to keep.
func (c *Ctx) describedOrigin() *origin {
	o := c.origin()
	if o.edt == c.Self() {
		o.about = c.about()
	}
	return &o
}

// author returns the EDT that makes the current call, or on whose behalf it is made, and its template.
func (c *Ctx) author() (edt guid.GUID, t *Template) {
	switch {
	case c.behalf != nil:
		return c.behalf.edt, c.behalf.template
	case c.signed != nil:
		if edt = c.signed.EDT; !edt.IsNull() {
			t = c.g.templateAt(c.signed.Template)
		}
		return edt, t
	case c.scopeCloses():
		return guid.FromWords(c.highEDT, c.closing.low), c.g.templateAt(c.closing.code & templateMask)
	case c.again.stage == againNew: // the record has the new generation: step back one
		hi, lo := c.Self().Words()
		return guid.FromWords(hi, lo-1<<32), c.runs()
	}
	return c.Self(), c.runs()
}

// scopeCloses reports whether a finish scope, whose EDT has ended, satisfies its output event now.
func (c *Ctx) scopeCloses() bool { return c.current == 0 && c.closing.low != 0 }

// callSite returns the position of the call that is under way. The place of its author's body stands for it if no frame
// is the app's. The position of another rank's call is not known.
func (c *Ctx) callSite(body uintptr) site.Position {
	switch {
	case c.signed != nil:
		return site.Position{}
	case c.again.stage == againEnds || c.again.stage == againNew:
		return site.At(body, c.again.site)
	case c.blamed != 0:
		return site.At(body, c.blamed)
	}
	return site.Here(2, body)
}

// runs returns the template of the EDT that runs, nil if none does.
func (c *Ctx) runs() *Template {
	if c.current == 0 {
		return nil
	}
	return c.g.template(c.running())
}

// who names the running EDT.
func (c *Ctx) who() Who {
	o := origin{edt: c.Self(), template: c.runs(), about: c.about()}
	return o.who(c.g)
}

// about returns the description of the running EDT by its template, "" for none.
func (c *Ctx) about() string {
	if t := c.runs(); t != nil {
		return t.About(c.params, block.ShowAll(&c.deps))
	}
	return ""
}

func (t *Template) code() uintptr {
	switch {
	case t == nil:
		return 0
	case t.body != nil:
		return site.Code(t.body)
	}
	return site.Code(t.fn)
}

// strayed describes a call on a goroutine that is neither an EDT's nor a worker's. The EDT that the Ctx was given to is
// not known.
func strayed() string {
	if by := site.OfStart(); by != "" {
		return fmt.Sprintf("the call was made on a goroutine started at %s, not on that of an EDT", by)
	}
	return "the call was not made on the goroutine of an EDT"
}

// noteSite notes where an object was made, if the run records sites.
func (c *Ctx) noteSite(kind guid.Kind, i uint32) {
	if l := c.g.sites; l != nil {
		o := c.origin()
		l.Made(kind, i, o.at, o.template.nameOr(""))
	}
}

// A siteObserver notes how events are satisfied and destroyed, for runs that record sites. Other runs pay nothing for
// it.
type siteObserver struct {
	NopObserver
	c *Ctx
}

func observeSites(w *Worker) Observer { return siteObserver{c: &w.ctx} }

func (o siteObserver) note(event guid.GUID, what string) {
	by := o.c.origin()
	o.c.g.sites.Ended(event, what, by.at, by.template.nameOr(""))
}

// EventSatisfied implements [Observer].
func (o siteObserver) EventSatisfied(event, _, _ guid.GUID, _ int) { o.note(event, "satisfied") }

// EventDestroyed implements [Observer]. An event that destroys itself was noted when it was satisfied.
func (o siteObserver) EventDestroyed(event guid.GUID) {
	e := o.c.events.At(uint32(low(event)))
	lasting := e.typ == Sticky || e.typ == Idempotent || e.typ == Channel
	if lasting || !e.head.Look().IsTriggered() {
		o.note(event, "destroyed")
	}
}
