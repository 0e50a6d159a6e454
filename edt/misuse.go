package edt

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/graph/site"
)

// unwind is the panic value of a misuse, whose error is already recorded. If the call was made on a goroutine of the
// program's own, no host recovers the panic: Go prints the error and the process ends.
type unwind struct {
	err *Error
	in  *Graph // the graph that has recorded it, nil for none
}

func (u unwind) Error() string { return u.err.Error() }
func (u unwind) Unwrap() error { return u.err }

// misuse ends the run with an error, and leaves the body of the EDT.
func (c *Ctx) misuse(op string, cause *Condition, target guid.GUID, format string, args ...any) {
	at := site.Look()
	if c.isOver() {
		c.blame(c.usedTooLate(op, target, &at))
	}
	detail := fmt.Sprintf(format, args...)
	err := &Error{Op: op, Cause: cause, Target: target, Detail: detail}
	if cause == ErrMemory && !c.owner.Calls() { // the cache has refused another goroutine, see [ids.Cache.Init]
		err.Cause, err.Detail = ErrCtx, ""
	}
	switch {
	case !at.InRun:
		err.File, err.Line = at.File, at.Line
		err.addDetail(strayed())
	case !c.owner.Calls():
		err.File, err.Line = at.File, at.Line
		err.addDetail(fmt.Sprintf("an EDT of another worker made the call, the Ctx is for EDTs of worker %d", c.worker))
	default:
		o := c.describedOrigin()
		err.Who = o.who(c.g)
		err.File, err.Line = o.at.Line()
		if c.closes || c.scopeCloses() {
			err.addDetail("found when its finish scope ended")
		}
	}
	if at.Panicked != "" {
		c.failBy(errHiddenPanic, at.Panicked)
	}
	err.On = c.g.rankText(err.EDT)
	c.blame(err)
}

// lostOutput ends the run: when an EDT or its finish scope ended, its output event had already been satisfied or
// destroyed. The error names the call that did so, if it is known.
func (c *Ctx) lostOutput(op string, g guid.GUID, cause *Condition) {
	end := c.g.sites.EndOf(g)
	author := c.origin()
	if op == opFinish && c.signed == nil && c.closing.low != 0 { // the running EDT may be another one
		author = origin{edt: guid.FromWords(c.highEDT, c.closing.low),
			template: c.g.templateAt(c.closing.code & templateMask)}
	}
	body := site.At(author.template.code())
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
		Op: op, Cause: cause, Target: g, Who: author.who(c.g), File: file, Line: line,
		Detail: fmt.Sprintf(
			"it is the output event of this EDT, whose body is at %s: the program must not end it, but it was "+
				"%s before %s ended", body.String(), what, when,
		),
	})
}

// blame ends the run with an error, and leaves the body of the EDT.
func (c *Ctx) blame(err *Error) {
	if !c.isOver() {
		c.fail(err)
	}
	panic(unwind{err, c.g})
}

// wrongKind ends the run: g does not name an object of the kind that a call needs.
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

// failBy ends the run by a panic with value v in the running EDT, at a line.
func (c *Ctx) failBy(v any, line string) {
	if c.outside != nil {
		if v == errGoexit {
			v = nil
		}
		c.fail(c.outside.panicOutside(v))
		return
	}
	c.fail(&PanicError{Value: v, Stack: debug.Stack(), Who: c.who(), Site: line})
}

// A Ctx is its worker's, for as long as the run lasts. Every other use is a misuse: on a goroutine of the program's
// own, by an EDT of another worker or another run, after the run. A check in each call would take more time than most
// calls. So the misuse is found by calls that fail: through a Ctx whose run has ended no object is found and none is
// made, and a worker's cache of records that is empty checks the caller (see [ids.Cache.Init]).

// isOver reports whether the Ctx is the zero Ctx, or its run has ended.
func (c *Ctx) isOver() bool { return c.g == nil || c.g.closed.Load() }

// needRun ends the run with a misuse if the Ctx is of a run that has ended. It is for calls that would do nothing, and
// not report it.
func (c *Ctx) needRun(op string) {
	if c.isOver() {
		c.misuse(op, ErrCtx, guid.Null, "")
	}
}

// usedTooLate is the error of a call through the Ctx of a run that has ended, or through the zero Ctx. If an EDT of
// another run has made the call, its worker adds the EDT.
func (c *Ctx) usedTooLate(op string, target guid.GUID, at *site.Caller) *Error {
	err := &Error{Op: op, Cause: ErrCtx, Target: target, File: at.File, Line: at.Line}
	if c.g == nil {
		err.Detail = "it is the zero Ctx; each body is given its own"
		return err
	}
	err.Detail = "it is that of a run that has ended"
	if !at.InRun {
		err.addDetail(strayed())
	}
	return err
}

// throughAnother is the error of a misuse that the running EDT has made through the Ctx of another run, or through the
// zero Ctx.
func (c *Ctx) throughAnother(of *Error) *Error {
	err := *of
	if err.Cause != ErrCtx {
		err.addDetail("the Ctx is that of another run")
	}
	err.Who = c.who()
	return &err
}

// explain adds to a body's panic value what the runtime knows about the reason. call is the call by the app in which
// the panic arose, "" for none.
func (c *Ctx) explain(v any, call string) any {
	err, ok := v.(goruntime.Error)
	if !ok {
		return v
	}
	switch text := err.Error(); {
	case strings.Contains(text, "nil pointer"):
		if call != "" {
			return fmt.Errorf("%s was called on a nil or zero value, or given one: %w", call, err)
		}
	case strings.HasSuffix(text, " length 0") || strings.HasSuffix(text, " capacity 0"):
		if why := c.emptySlots(); why != "" {
			return fmt.Errorf("%w: %s", err, why)
		}
	}
	return v
}

// mostEmpty is the largest number of slots that emptySlots lists.
const mostEmpty = 3

// emptySlots lists the slots of the running EDT that have no bytes for its body, though their modes give access, with
// the reasons; "" if there is none.
func (c *Ctx) emptySlots() string {
	if c.current == 0 {
		return ""
	}
	var all []string
	slots := c.g.slotsOf(c.running())
	for n := range c.deps {
		d := &c.deps[n]
		if n >= len(slots) || slots[n].mode() == datablock.Null || d.Access.Hold() != dep.NotHeld {
			continue
		}
		why := "brought no block"
		if !d.ID.IsNull() {
			why = "taken already, or sent, released or destroyed"
		}
		all = append(all, fmt.Sprintf("slot %d%s %s", n, inBrackets(c.g.slotName(c.running(), n)), why))
		if len(all) == mostEmpty {
			break
		}
	}
	return strings.Join(all, "; ")
}
