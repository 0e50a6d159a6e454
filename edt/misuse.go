package edt

import (
	"fmt"
	"runtime/debug"
	"strings"

	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
	"ocr/internal/graph/site"
)

// unwind is the panic value of a misuse, whose error is already recorded. If the call was
// made on a goroutine of the program's own, no host recovers it: Go prints the error and
// the process ends.
type unwind struct {
	err *Error
	in  *Graph // the graph that has recorded it, nil for none
}

func (u unwind) Error() string { return u.err.Error() }
func (u unwind) Unwrap() error { return u.err }

// misuse ends the run with an error, and leaves the body of the EDT.
func (c *Ctx) misuse(op string, cause *Condition, target guid.GUID, format string, args ...any) {
	at := c.caller()
	if c.isOver() {
		c.blame(c.usedTooLate(op, target, &at))
	}
	detail := fmt.Sprintf(format, args...)
	err := &Error{Op: op, Cause: cause, Target: target, Detail: detail}
	if cause == ErrMemory && !c.owner.Calls() { // the cache has refused another goroutine, see [ids.Cache.OwnedBy]
		err.Cause, err.Detail = ErrCtx, ""
	}
	switch o := c.onBehalf(); {
	case !at.InRun:
		err.File, err.Line = at.File, at.Line
		err.addDetail(strayed())
	case !c.owner.Calls():
		err.File, err.Line = at.File, at.Line
		err.addDetail(fmt.Sprintf("an EDT of another worker made the call, the Ctx is for EDTs of worker %d", c.worker))
	case o != nil:
		err.EDT, err.Template, err.About = o.edt, o.template, o.about
		err.File, err.Line = o.at.Line()
		if c.closes {
			err.addDetail(foundAtFinish)
		}
	case c.current == 0 && c.closing.low != 0:
		err.EDT, err.Template, _ = c.ended()
		err.addDetail(foundAtFinish)
	default:
		err.EDT, err.Template, err.About, err.File, err.Line = c.Self(), c.templateName(), c.about(), at.File, at.Line
	}
	if at.Panicked != "" {
		c.failBy(errHiddenPanic, at.Panicked)
	}
	err.On = c.g.rankText(err.EDT)
	c.blame(err)
}

const foundAtFinish = "found when its finish scope ended"

// lostOutput ends the run: when an EDT or its finish scope ended, its output event had
// already been satisfied or destroyed. The error names the place of that, if it is known.
func (c *Ctx) lostOutput(op string, g guid.GUID, cause *Condition) {
	end := c.g.sites.EndOf(g)
	edt, template, body := c.ended()
	what, file, line := end.After(""), "", 0
	if end.At != nil {
		file, line = end.At.Line()
	}
	if what == "" {
		what = "satisfied or destroyed (where is known if sites are recorded)"
	}
	when := "the EDT"
	if op == opFinish {
		when = "its finish scope"
	}
	c.blame(&Error{
		Op: op, Cause: cause, Target: g, EDT: edt, Template: template, File: file, Line: line, On: c.g.rankText(edt),
		Detail: fmt.Sprintf(
			"it is the output event of this EDT, whose body is at %s: the program must not end it, but it was "+
				"%s before %s ended", body, what, when,
		),
	})
}

// ended returns the EDT whose output event is being satisfied, and the file:line of its body.
func (c *Ctx) ended() (edt guid.GUID, template, body string) {
	if c.signed != nil {
		o := c.signer()
		if t := c.g.templateNamed(o.template); t != nil {
			body = t.bodyLine()
		}
		return o.edt, o.template, body
	}
	code := c.closing.code
	switch {
	case c.closing.low == 0:
		code = c.running().code
		edt = c.Self()
	default:
		edt = guid.FromWords(c.highEDT, c.closing.low)
	}
	t := c.g.templateAt(code & templateMask)
	if t == nil {
		return edt, "", ""
	}
	return edt, t.name, t.bodyLine()
}

// bodyLine returns where the template's body stands, as file:line.
func (t *Template) bodyLine() string {
	at := site.At(t.code())
	return at.String()
}

// blame ends the run with an error, and leaves the body of the EDT.
func (c *Ctx) blame(err *Error) {
	if !c.isOver() {
		c.fail(err)
	}
	panic(unwind{err, c.g})
}

// An origin is the EDT that made a call which another EDT carries out later.
type origin struct {
	edt      guid.GUID
	template string
	about    string
	at       site.Position
}

// onBehalf returns the origin of the call that is carried out now, nil for a call of the running EDT.
func (c *Ctx) onBehalf() *origin {
	switch {
	case c.behalf != nil:
	case c.signed != nil:
		return c.signer()
	case c.again.stage == againEnds || c.again.stage == againNew:
		return c.calledAgain()
	}
	return c.behalf
}

// origin returns the EDT that makes the current call, as a copy that may be kept.
func (c *Ctx) origin() *origin {
	o := c.originNow()
	return &o
}

// sharedOrigin returns the origin of a call. Calls of an EDT at one line share it, as an origin takes more memory than
// the rest of a call. No call changes it.
func (c *Ctx) sharedOrigin() *origin {
	if o := c.originNow(); c.opener == nil || *c.opener != o {
		kept := o
		c.opener = &kept
	}
	return c.opener
}

// originNow returns the EDT that makes the current call.
func (c *Ctx) originNow() (o origin) {
	switch {
	case c.behalf != nil:
		return *c.behalf
	case c.signed != nil:
		return *c.signer()
	case c.current == 0 && c.closing.low != 0:
		o.edt, o.template, _ = c.ended()
		return o
	}
	return origin{c.Self(), c.templateName(), c.about(), c.callSite()}
}

// wrongKind says what g is instead of the kind that a call needs.
func (c *Ctx) wrongKind(op string, g guid.GUID, want guid.Kind) {
	hi, _ := g.Words()
	switch {
	case g == noSource:
		c.misuse(op, ErrNoSource, guid.Null, "the zero Source, Event or Block")
	case g.IsNull():
		c.misuse(op, ErrKind, g, "Null, need %s", article(want))
	case g.Kind() == guid.KindNone:
		c.misuse(op, ErrKind, g, "a reserved GUID, need %s", article(want))
	case (hi^c.highEDT)>>ids.RunShift != 0:
		c.misuse(op, ErrForeign, g, "")
	default:
		c.misuse(op, ErrKind, g, "need %s", article(want))
	}
}

func article(k guid.Kind) string {
	if s := k.String(); strings.ContainsRune("aeiouE", rune(s[0])) {
		return "an " + s
	}
	return "a " + k.String()
}

func (c *Ctx) templateName() string {
	if t := c.runs(); t != nil {
		return t.name
	}
	return ""
}

// about returns the description of the running EDT by its template, "" for none.
func (c *Ctx) about() string {
	if t := c.runs(); t != nil {
		return t.About(c.params, block.ShowAll(&c.deps))
	}
	return ""
}

// failBy ends the run by a panic with value v in the running EDT, at a line.
func (c *Ctx) failBy(v any, line string) {
	if c.outside != nil {
		if v == errGoexit {
			v = nil
		}
		c.fail(c.outside.panicOutside(v))
		return
	}
	c.fail(&PanicError{Value: v, Stack: debug.Stack(), EDT: c.Self(), Template: c.templateName(), About: c.about(),
		Site: line, On: c.g.rankText(c.Self())})
}
