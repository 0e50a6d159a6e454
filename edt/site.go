package edt

import (
	"fmt"

	"ocr/guid"
	"ocr/internal/graph/site"
)

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

func (o siteObserver) note(event guid.GUID, what string) {
	by := o.c.origin()
	o.c.g.sites.Ended(event, what, by.at, by.template.nameOr(""))
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
