package edt

import (
	"fmt"

	"ocr/guid"
	"ocr/internal/graph/site"
)

// runs returns the template of the EDT that runs, nil if none does.
func (c *Ctx) runs() *Template {
	if c.current == 0 {
		return nil
	}
	return c.g.template(c.running())
}

// callSite returns the position of the call that is under way.
func (c *Ctx) callSite() site.Position {
	body := c.runs().code()
	if c.blamed != 0 {
		return site.At(body, c.blamed)
	}
	return site.Here(2, body)
}

// code returns the code of the template's body, 0 for nil.
func (t *Template) code() uintptr {
	switch {
	case t == nil:
		return 0
	case t.body != nil:
		return site.Code(t.body)
	}
	return site.Code(t.fn)
}

// caller looks through the stack for the call of a misuse. If no frame is the app's, the line is that of the call given
// to Blame, or of the body.
func (c *Ctx) caller() site.Caller {
	at := site.Look()
	if at.File == "" && at.InRun {
		body := c.runs().code()
		if c.blamed != 0 {
			p := site.At(body, c.blamed)
			at.File, at.Line = p.Line()
		} else {
			at.File, at.Line = site.CodeLine(body)
		}
	}
	return at
}

// strayed describes a call on a goroutine that is neither an EDT's nor a worker's. The EDT that the Ctx was given to is
// not known.
func strayed() string {
	if by := site.OfStart(); by != "" {
		return fmt.Sprintf("the call was made on a goroutine started at %s, not on that of an EDT", by)
	}
	return "the call was not made on the goroutine of an EDT"
}

// siteOfCall returns the position of the call that is under way, and the template of the EDT that makes it.
func (c *Ctx) siteOfCall() (at site.Position, by string) {
	switch {
	case c.behalf != nil:
		return c.behalf.at, c.behalf.template
	case c.signed != nil:
		o := c.signer()
		return o.at, o.template
	}
	return c.callSite(), c.templateName()
}

// noteSite notes where an object was made, if the run records sites.
func (c *Ctx) noteSite(kind guid.Kind, i uint32) {
	if l := c.g.sites; l != nil {
		at, by := c.siteOfCall()
		l.Made(kind, i, at, by)
	}
}

// A siteObserver notes how events are satisfied and destroyed, for runs that record sites. Other runs pay nothing for
// it.
type siteObserver struct {
	NopObserver
	c *Ctx
}

func (o siteObserver) note(event guid.GUID, what string) {
	at, by := o.c.siteOfCall()
	o.c.g.sites.Ended(event, what, at, by)
}

// EventSatisfied implements [Observer].
func (o siteObserver) EventSatisfied(event, _, _ guid.GUID, _ int) { o.note(event, "satisfied") }

// EventDestroyed implements [Observer]. An event that destroys itself was noted when it was satisfied.
func (o siteObserver) EventDestroyed(event guid.GUID) {
	_, low := event.Words()
	e := o.c.events.At(uint32(low))
	kind := e.typ
	if lasting := kind == Sticky || kind == Idempotent || kind == Channel; lasting ||
		!e.head.Look().IsTriggered() {
		o.note(event, "destroyed")
	}
}
