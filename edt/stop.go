package edt

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/graph/site"
)

// An End says how a run was ended from inside: by a shutdown, an abort, or a failure.
// A run without one ended in quiescence.
type End struct {
	// Err is nil after a shutdown and after an abort with code 0. If an EDT failed, by a misuse, a panic or Fail, Err is
	// that failure, also after a shutdown. Several errors are joined: the failures in that EDT's body, in order, then the
	// abort.
	Err error
}

// ending collects how a run ends. Everything is under mu.
type ending struct {
	mu       word.Mutex
	called   bool      // there was a shutdown or an abort
	abort    error     // the error of the first one, nil for a shutdown
	failures []error   // of the first EDT that failed
	failed   *Ctx      // the worker of that EDT
	in       guid.GUID // that EDT
}

// Shutdown ends the run without an error. EDTs that are not ready never run; ready
// ones may or may not. The calling EDT runs to its end.
//
// If an EDT that still runs misuses the API, panics or calls Fail afterwards, the run ends with that error instead.
func (c *Ctx) Shutdown() { c.endBy("shutdown", nil) }

// Abort ends the run with an [*AbortError] that has the code, or without an error if
// code is 0. The calling EDT runs to its end. The first shutdown or abort counts. If an
// EDT misuses the API or panics as well, the run ends with an error that wraps both.
func (c *Ctx) Abort(code uint8) {
	if code == 0 {
		c.Shutdown()
		return
	}
	c.endBy("abort", &AbortError{code, c.who()})
}

// Fail ends the run with a [*FailError] that wraps err and names the calling EDT and the line of the call. The calling
// EDT runs to its end. If several EDTs fail, the first one counts. A failure counts also after a shutdown.
//
// If another rank fails, the run's error has the text of err, and the [Condition] or [Code] that err wraps, for
// errors.Is.
func (c *Ctx) Fail(err error) {
	const op = "fail"
	if err == nil {
		err = errNilFailure
	}
	if at := site.Look(); c.isOver() || !at.InRun || !c.owner.Calls() {
		c.misuse(op, ErrCtx, guid.Null, "the error of the call is %q", err)
	}
	c.fail(c.describedOrigin().failure(c.g, err, false))
}

// maxFailures bounds the reported failures of one EDT: a body that recovers can fail again and again.
const maxFailures = 8

// Ended returns how the run was ended from inside, nil if it was not.
func (g *Graph) Ended() *End {
	e := &g.end
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.called && len(e.failures) == 0 {
		return nil
	}
	all := e.failures
	if e.abort != nil {
		all = append(all[:len(all):len(all)], e.abort)
	}
	if len(all) == 1 {
		return &End{all[0]}
	}
	return &End{errors.Join(all...)}
}

// endBy ends the run by a shutdown (err is nil) or an abort. Only the first call counts.
func (c *Ctx) endBy(op string, err error) {
	if c.isOver() {
		if at := site.Look(); at.InRun || c.g == nil { // otherwise the call does nothing, as the run has ended
			c.blame(c.usedTooLate(op, guid.Null, &at))
		}
		return
	}
	e := &c.g.end
	e.mu.Lock()
	if !e.called {
		e.called, e.abort = true, err
	}
	e.mu.Unlock()
	c.stopRun(err)
}

// fail ends the run by a failure of the EDT that runs.
func (c *Ctx) fail(err error) {
	e, self := &c.g.end, c.Self()
	e.mu.Lock()
	if len(e.failures) == 0 {
		e.failed, e.in = c, self
	}
	if e.failed == c && e.in == self && len(e.failures) < maxFailures {
		e.failures = append(e.failures, err)
	}
	e.mu.Unlock()
	c.stopRun(err)
}

// stopRun stops the host, and ends the run's context with this cause.
func (c *Ctx) stopRun(cause error) {
	c.g.mail.stop(cause)
	c.host.Stop()
}

// unwind is the panic value of a misuse. If the call was made on a goroutine of the program's own, no host recovers the
// panic: Go prints the error and the process ends.
type unwind struct {
	err *Error
	in  *Graph // of the Ctx: it has recorded err, unless its run is over; nil for the zero Ctx
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
	if op == opFinish && c.signed == nil && c.closing.low != 0 { // another EDT may be running
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
	o := origin{edt: c.Self(), template: c.runs()}
	failure := &PanicError{Value: v, Stack: debug.Stack(), Who: o.who(c.g), Site: line}
	defer c.fail(failure) // even if the function that describes the EDT ends the goroutine
	o.about = c.about()
	failure.Who = o.who(c.g)
}

// A Ctx belongs to its worker, as long as the run lasts. A use on a goroutine of the program's own, by an EDT of
// another worker or another run, or after the run is a misuse. A check in each call would take more time than most
// calls. So the misuse is found by calls that fail: through a Ctx whose run has ended no object is found and none is
// made, and a worker's cache of records that is empty checks the caller (see [ids.Cache.Init]).

// isOver reports whether the Ctx is the zero Ctx, or its run has ended.
func (c *Ctx) isOver() bool { return c.g == nil || c.g.closed.Load() }

// needRun makes a call a misuse if the run of the Ctx has ended. It is for calls that would not find that out.
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
