package edt

import (
	"errors"
	"fmt"
	"strings"

	"ocr/guid"
)

// A Code is an error code of OCR. Codes are errors, so that errors.Is finds them.
type Code int

// The codes that errors of this package carry, with OCR's names.
const (
	EPERM     Code = 1
	ENOENT    Code = 2
	ENOMEM    Code = 12
	EACCES    Code = 13
	EBUSY     Code = 16
	EINVAL    Code = 22
	ENOSPC    Code = 28
	ENOTSUP   Code = 95
	ECANCELED Code = 125
)

var codeNames = map[Code]string{
	EPERM: "EPERM", ENOENT: "ENOENT", ENOMEM: "ENOMEM", EACCES: "EACCES", EBUSY: "EBUSY",
	EINVAL: "EINVAL", ENOSPC: "ENOSPC", ENOTSUP: "ENOTSUP", ECANCELED: "ECANCELED",
}

func (c Code) Error() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("Code(%d)", int(c))
}

// A Condition is what was wrong with a call. Conditions are the sentinels that errors.Is finds in an [*Error].
type Condition struct {
	code Code
	text string
}

func (s *Condition) Error() string { return s.text }

// Unwrap returns the OCR code, for errors.Is.
func (s *Condition) Unwrap() error { return s.code }

// Code returns the OCR code of the condition.
func (s *Condition) Code() Code { return s.code }

// The misuses.
var (
	ErrStale       = condition(EINVAL, "stale GUID: the object was destroyed")
	ErrDestroyed   = condition(EPERM, "destroyed before")
	ErrKind        = condition(EINVAL, "wrong kind of object")
	ErrForeign     = condition(EINVAL, "not an object of this run")
	ErrSatisfied   = condition(EPERM, "already satisfied")
	ErrSlotRange   = condition(EINVAL, "slot out of range")
	ErrSlotTaken   = condition(EINVAL, "slot already connected or satisfied")
	ErrNotHeld     = condition(EACCES, "data block not held")
	ErrRunnable    = condition(EBUSY, "the EDT is runnable or running")
	ErrRegistered  = condition(EPERM, "a registered template cannot be destroyed")
	ErrCount       = condition(EINVAL, "count mismatch")
	ErrSize        = condition(EINVAL, "size out of range")
	ErrMode        = condition(EINVAL, "no such access mode")
	ErrMixedModes  = condition(EINVAL, "one data block on several slots in different modes")
	ErrEventType   = condition(EINVAL, "no such event type")
	ErrHint        = condition(EINVAL, "hint out of range")
	ErrMemory      = condition(ENOMEM, "out of memory")
	ErrFull        = condition(ENOSPC, "the channel event is full")
	ErrNoEDT       = condition(EPERM, "no EDT runs on this Ctx")
	ErrNoBody      = condition(EINVAL, "no body")
	ErrBodies      = condition(EINVAL, "a second body")
	ErrPointer     = condition(EINVAL, "not flat data")
	ErrNoScope     = condition(EPERM, "in no such finish scope")
	ErrNoSource    = condition(EINVAL, "no source")
	ErrGoesOn      = condition(EPERM, "the EDT goes on already")
	ErrNoOutside   = condition(ENOTSUP, "this host takes nothing from outside the run")
	ErrClosed      = condition(EPERM, "closed before")
	ErrEnded       = condition(ECANCELED, "the run has ended")
	ErrTemplate    = condition(ENOTSUP, "a template of the run itself is known on its own rank only")
	ErrCycle       = condition(EINVAL, "EDTs wait for each other")
	ErrUnordered   = condition(EINVAL, "no path orders accesses that exclude each other")
	ErrHeldByGraph = condition(EBUSY, "a recorded graph holds the block until its run ends")
	ErrRuns        = condition(EBUSY, "the recorded graph runs")
	ErrCtx         = condition(EPERM, "not the Ctx of the caller")
)

// conditions numbers the conditions for messages between ranks.
var conditions []*Condition

func condition(code Code, text string) *Condition {
	s := &Condition{code, text}
	conditions = append(conditions, s)
	return s
}

// An Error is a misuse of the API. It ends the run, unless a method of [External] returns it.
type Error struct {
	Op     string     // what was called: "satisfy", "add dependence", ...
	Cause  *Condition // what was wrong
	Who               // the EDT that called
	Target guid.GUID  // the object of the call; Null for none
	Detail string     // more about the cause
	File   string     // where the call stands in the app
	Line   int
}

// A Who names an EDT in errors and reports.
type Who struct {
	EDT      guid.GUID // Null if no EDT made the call, or if it is not known
	Template string
	About    string // the EDT's description, see [Template.Describe]
	On       string // its rank, such as "rank 2"; "" if there is only one
}

func (w Who) text() string {
	return fmt.Sprintf("EDT %v of template %s%s%s", w.EDT, w.Template, inBrackets(w.About), onRank(w.On))
}

// Code returns the OCR code of the error.
func (e *Error) Code() Code { return e.Cause.code }

// Unwrap returns the condition, which has the code, for errors.Is.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) addDetail(more string) {
	if e.Detail != "" {
		e.Detail += "; "
	}
	e.Detail += more
}

// Error returns the text with short GUIDs; %+v prints them whole: see [guid.Shorten].
func (e *Error) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *Error) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *Error) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "edt: %s", e.Op)
	if !e.Target.IsNull() {
		kind := e.Target.Kind().String()
		if noun := kind[strings.LastIndex(kind, " ")+1:]; !strings.HasSuffix(e.Op, noun) {
			b.WriteString(" " + kind)
		}
		fmt.Fprintf(&b, " %v", e.Target)
	}
	fmt.Fprintf(&b, ": %v", e.Cause)
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	fmt.Fprintf(&b, " [%v]", e.Cause.code)
	if e.Template != "" {
		b.WriteString(" in " + e.Who.text())
	} else {
		b.WriteString(onRank(e.On))
	}
	if e.File != "" {
		fmt.Fprintf(&b, " (%s:%d)", e.File, e.Line)
	}
	return b.String()
}

// A PanicError is a panic in the body of an EDT, or in a function that an EDT has given to [Blocking.Call] or
// [Blocking.Do]. It ends the run.
type PanicError struct {
	Value any
	Stack []byte
	Who
	Site    string // file:line where the app panicked or called runtime.Goexit; "" if that is not known
	Outside string // file:line of the [Blocking.Call] whose function panicked; "" if the body did
}

// Error returns the text with short GUIDs, as [Error.Error] does.
func (e *PanicError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *PanicError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *PanicError) text() string {
	where := e.Who.text()
	if e.Outside != "" {
		where = fmt.Sprintf("the function given to Blocking at %s by %s", e.Outside, where)
	}
	return fmt.Sprintf("edt: panic in %s: %v%s", where, e.Value, inBrackets(e.Site))
}

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A FailError is an error that a program has reported: by [Ctx.Fail], or from a function that an EDT has given to
// [Blocking.Call] or [Blocking.Do]. It ends the run.
type FailError struct {
	Err error
	Who
	File    string // where the call of Fail, or of the Blocking, stands in the app
	Line    int
	Outside bool // a function that was given to a Blocking has returned the error
}

// Error returns the text with short GUIDs, as [Error.Error] does.
func (e *FailError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *FailError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *FailError) text() string {
	by := ""
	if e.Outside {
		by = "the function given to Blocking by "
	}
	return fmt.Sprintf("edt: failure of %s%s: %v (%s:%d)", by, e.Who.text(), e.Err, e.File, e.Line)
}

// Unwrap returns the program's error.
func (e *FailError) Unwrap() error { return e.Err }

// errNilFailure is what a FailError wraps if Fail was called with nil.
var errNilFailure = errors.New("Fail was called with a nil error")

// An AbortError is the end of a run by [Ctx.Abort] with a code other than 0.
type AbortError struct {
	Code uint8
	Who
}

// Error returns the text with short GUIDs, as [Error.Error] does.
func (e *AbortError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *AbortError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *AbortError) text() string {
	return fmt.Sprintf("edt: aborted with code %d by %s", e.Code, e.Who.text())
}

// onRank returns the part of an error text that names the rank, "" if there is only one.
func onRank(on string) string {
	if on == "" {
		return ""
	}
	return " on " + on
}

// errGoexit is the value of the PanicError for a body that left by runtime.Goexit, as testing's FailNow does.
var errGoexit = errors.New("the body called runtime.Goexit")

// errGoexitOutside is the value of the PanicError for a function given to a Blocking that left by runtime.Goexit.
var errGoexitOutside = errors.New("the function called runtime.Goexit")

// errHiddenPanic is the value of the PanicError if a deferred call made a misuse while
// the body panicked: Go gives the value of the last panic only.
var errHiddenPanic = errors.New("value not known: a misuse in a deferred call took its place")
