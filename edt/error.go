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
	EPERM       Code = 1
	ENOENT      Code = 2
	ENOMEM      Code = 12
	EACCES      Code = 13
	EBUSY       Code = 16
	EINVAL      Code = 22
	ENOSPC      Code = 28
	ENOTSUP     Code = 95
	EGUIDEXISTS Code = 100
	ECANCELED   Code = 125
)

var codeNames = map[Code]string{
	EPERM: "EPERM", ENOENT: "ENOENT", ENOMEM: "ENOMEM", EACCES: "EACCES", EBUSY: "EBUSY",
	EINVAL: "EINVAL", ENOSPC: "ENOSPC", ENOTSUP: "ENOTSUP", EGUIDEXISTS: "EGUIDEXISTS", ECANCELED: "ECANCELED",
}

func (c Code) Error() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("Code(%d)", int(c))
}

// A Condition is what was wrong with a call. Conditions are the sentinels that
// errors.Is finds in an [*Error].
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
	ErrStale       = &Condition{EINVAL, "stale GUID: the object was destroyed"}
	ErrDestroyed   = &Condition{EPERM, "destroyed before"}
	ErrKind        = &Condition{EINVAL, "wrong kind of object"}
	ErrForeign     = &Condition{EINVAL, "not an object of this run"}
	ErrSatisfied   = &Condition{EPERM, "already satisfied"}
	ErrSlotRange   = &Condition{EINVAL, "slot out of range"}
	ErrSlotTaken   = &Condition{EINVAL, "slot already connected or satisfied"}
	ErrNotHeld     = &Condition{EACCES, "data block not held"}
	ErrRunnable    = &Condition{EBUSY, "the EDT is runnable or running"}
	ErrRegistered  = &Condition{EPERM, "a registered template cannot be destroyed"}
	ErrCount       = &Condition{EINVAL, "count mismatch"}
	ErrSize        = &Condition{EINVAL, "size out of range"}
	ErrMode        = &Condition{EINVAL, "no such access mode"}
	ErrMixedModes  = &Condition{EINVAL, "one data block on several slots in different modes"}
	ErrEventType   = &Condition{EINVAL, "no such event type"}
	ErrHint        = &Condition{EINVAL, "hint out of range"}
	ErrMemory      = &Condition{ENOMEM, "out of memory"}
	ErrFull        = &Condition{ENOSPC, "the channel event is full"}
	ErrNoEDT       = &Condition{EPERM, "no EDT runs on this Ctx"}
	ErrNoBody      = &Condition{EINVAL, "no body"}
	ErrBodies      = &Condition{EINVAL, "a second body"}
	ErrPointer     = &Condition{EINVAL, "not flat data"}
	ErrNoScope     = &Condition{EPERM, "in no such finish scope"}
	ErrNoSource    = &Condition{EINVAL, "no source"}
	ErrGoesOn      = &Condition{EPERM, "the EDT goes on already"}
	ErrNoOutside   = &Condition{ENOTSUP, "this host takes nothing from outside the run"}
	ErrClosed      = &Condition{EPERM, "closed before"}
	ErrEnded       = &Condition{ECANCELED, "the run has ended"}
	ErrTemplate    = &Condition{ENOTSUP, "a template of the run itself is known on its own rank only"}
	ErrCycle       = &Condition{EINVAL, "EDTs wait for each other"}
	ErrUnordered   = &Condition{EINVAL, "no path orders accesses that exclude each other"}
	ErrHeldByGraph = &Condition{EBUSY, "a recorded graph holds the block until its run ends"}
	ErrRuns        = &Condition{EBUSY, "the recorded graph runs"}
	ErrCtx         = &Condition{EPERM, "not the Ctx of the caller"}
)

// conditions numbers them for messages between ranks.
var conditions = []*Condition{
	ErrStale, ErrDestroyed, ErrKind, ErrForeign, ErrSatisfied, ErrSlotRange, ErrSlotTaken, ErrNotHeld,
	ErrRunnable, ErrRegistered,
	ErrCount, ErrSize, ErrMode, ErrMixedModes, ErrEventType, ErrHint, ErrMemory, ErrFull, ErrNoEDT, ErrNoBody,
	ErrBodies,
	ErrPointer, ErrNoScope, ErrNoSource, ErrGoesOn, ErrNoOutside, ErrClosed, ErrEnded, ErrTemplate, ErrCtx,
	ErrCycle, ErrUnordered, ErrHeldByGraph, ErrRuns,
}

// An Error is a misuse of the API by an EDT. It ends the run.
type Error struct {
	Op       string     // what was called: "satisfy", "add dependence", ...
	Cause    *Condition // what was wrong
	EDT      guid.GUID  // the EDT that called; Null if no EDT did, or if it is not known
	Template string     // of the calling EDT
	About    string     // the EDT's description, see [Template.Describe]
	Target   guid.GUID  // the object of the call; Null for none
	Detail   string     // more about the cause
	File     string     // where the call stands in the app
	Line     int
	On       string // the rank of that EDT, such as "rank 2"; "" if there is only one
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

// Error has the GUIDs in their short form, %+v has them whole: see [guid.Shorten].
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
		b.WriteString(" in " + edtText(e.EDT, e.Template, e.About))
	}
	b.WriteString(onRank(e.On))
	if e.File != "" {
		fmt.Fprintf(&b, " (%s:%d)", e.File, e.Line)
	}
	return b.String()
}

// A PanicError is a panic in the body of an EDT, or in a function that it has given to [Blocking.Call]. It ends the
// run.
type PanicError struct {
	Value    any
	Stack    []byte
	EDT      guid.GUID
	Template string
	About    string // the EDT's description, see [Template.Describe]
	Site     string // file:line of the app that panicked or called runtime.Goexit; "" if that is not known
	Outside  string // file:line of the [Blocking.Call] whose function panicked; "" if the body did
	On       string // the rank of the EDT, such as "rank 2"; "" if there is only one
}

// Error is as [Error.Error].
func (e *PanicError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *PanicError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *PanicError) text() string {
	where := edtText(e.EDT, e.Template, e.About) + onRank(e.On)
	if e.Outside != "" {
		where = fmt.Sprintf("the function given to Blocking at %s by %s", e.Outside, where)
	}
	text := fmt.Sprintf("edt: panic in %s: %v", where, e.Value)
	if e.Site != "" {
		text += " (" + e.Site + ")"
	}
	return text
}

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A FailError is an error that a program has reported: by [Ctx.Fail], or from a function that an EDT has given to
// [Blocking.Call] or [Blocking.Do]. It ends the run.
type FailError struct {
	Err      error
	EDT      guid.GUID
	Template string
	About    string // the EDT's description, see [Template.Describe]
	File     string // where the call of Fail, or of the Blocking, stands in the app
	Line     int
	Outside  bool   // a function that was given to a Blocking has returned the error
	On       string // the rank of the EDT, such as "rank 2"; "" if there is only one
}

// Error is as [Error.Error].
func (e *FailError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *FailError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *FailError) text() string {
	by := ""
	if e.Outside {
		by = "the function given to Blocking by "
	}
	where := edtText(e.EDT, e.Template, e.About) + onRank(e.On)
	return fmt.Sprintf("edt: failure of %s%s: %v (%s:%d)", by, where, e.Err, e.File, e.Line)
}

// Unwrap returns the program's error.
func (e *FailError) Unwrap() error { return e.Err }

// errNilFailure is what a FailError wraps if Fail was called with nil.
var errNilFailure = errors.New("Fail was called with a nil error")

// An AbortError is the end of a run by [Ctx.Abort] with a code other than 0.
type AbortError struct {
	Code     uint8
	EDT      guid.GUID
	Template string
	About    string // the EDT's description, see [Template.Describe]
	On       string // the rank of the EDT, such as "rank 2"; "" if there is only one
}

// Error is as [Error.Error].
func (e *AbortError) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *AbortError) Format(f fmt.State, verb rune) { guid.Format(f, verb, e.text()) }

func (e *AbortError) text() string {
	return fmt.Sprintf("edt: aborted with code %d by %s%s", e.Code, edtText(e.EDT, e.Template, e.About), onRank(e.On))
}

// onRank returns the part of an error text that names the rank, "" if there is only one.
func onRank(on string) string {
	if on == "" {
		return ""
	}
	return " on " + on
}

// edtText names an EDT in a report; about is its template's description of it, "" for none.
func edtText(id guid.GUID, template, about string) string {
	if about != "" {
		about = " (" + about + ")"
	}
	return fmt.Sprintf("EDT %v of template %s%s", id, template, about)
}

// errGoexit is the value of the PanicError for a body that left by
// runtime.Goexit, as testing's FailNow does.
var errGoexit = errors.New("the body called runtime.Goexit")

// errGoexitOutside is the same for a function that was given to Blocking.
var errGoexitOutside = errors.New("the function called runtime.Goexit")

// errHiddenPanic is the value of the PanicError if a deferred call made a misuse while
// the body panicked: Go gives the value of the last panic only.
var errHiddenPanic = errors.New("value not known: a misuse in a deferred call took its place")
