package remote

import (
	"errors"
	"fmt"
	"slices"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// An endText is the message END: how a rank has ended the run.
type endText struct {
	Called   bool
	Abort    *edt.AbortError
	First    [2]uint64 // the GUID of the EDT that failed first
	Failures []failureText
}

// A failureText is one failure: a misuse, a panic with its value, or a program's error.
type failureText struct {
	Misuse *edt.Error
	Panic  *edt.PanicError
	Fail   *edt.FailError
	Value  remoteFailure
}

// sendEnd reports to rank 0 how this rank has ended the run, if it has. It reports again if failures were added since:
// the EDT that failed fails again, or a message brings a misuse.
func (p *Part) sendEnd() {
	called, abort, first, failures := p.courier.Ending()
	known := len(failures)
	if called {
		known++
	}
	if known <= p.shutdown.told {
		return
	}
	p.shutdown.told = known
	text := endText{Called: called, Abort: abort}
	text.First[0], text.First[1] = first.Words()
	for _, err := range failures {
		text.Failures = append(text.Failures, p.textOf(err))
	}
	p.sendUp(&rank.Message{Kind: msgEnd, Tail: rank.Encode(text)})
}

// takeEnd makes this rank end the run as another rank has ended it.
func (p *Part) takeEnd(tail []byte) {
	var text endText
	rank.Decode(tail, &text)
	var failures []error
	for _, f := range text.Failures {
		failures = append(failures, f.failure(p.courier.Conditions()))
	}
	p.courier.End(text.Called, text.Abort, guid.FromWords(text.First[0], text.First[1]), failures)
}

// textOf returns a failure without the parts that only its own process can read.
func (p *Part) textOf(err error) (f failureText) {
	switch err := err.(type) {
	case *edt.Error:
		copied := *err
		f.Value, copied.Cause = p.failureOf(err.Cause), nil
		f.Misuse = &copied
	case *edt.PanicError:
		copied := *err
		f.Value, copied.Value = p.failureOf(err.Value), nil
		f.Panic = &copied
	case *edt.FailError:
		copied := *err
		f.Value, copied.Err = p.failureOf(err.Err), nil
		f.Fail = &copied
	default:
		f.Value = p.failureOf(err)
	}
	return f
}

// failure is the inverse of textOf.
func (f *failureText) failure(conditions []*edt.Condition) error {
	if f.Value.Condition > 0 {
		f.Value.condition = conditions[f.Value.Condition-1]
	}
	switch {
	case f.Misuse != nil:
		f.Misuse.Cause = f.Value.condition
		return f.Misuse
	case f.Panic != nil:
		if f.Panic.Value = f.Value; f.Value.Unwrap() == nil {
			f.Panic.Value = f.Value.Text
		}
		return f.Panic
	case f.Fail != nil:
		f.Fail.Err = f.Value
		return f.Fail
	}
	return f.Value
}

// A remoteFailure is an error of another rank, or the value of a panic there: its text, and the error of package edt
// that it wraps.
type remoteFailure struct {
	Text      string
	Condition int // 1 + the condition's index, 0 for none
	Code      edt.Code
	condition *edt.Condition
}

func (p *Part) failureOf(v any) remoteFailure {
	f := remoteFailure{Text: fmt.Sprint(v)}
	if err, ok := v.(error); ok {
		var condition *edt.Condition
		if errors.As(err, &condition) {
			f.Condition = 1 + slices.Index(p.courier.Conditions(), condition)
		}
		errors.As(err, &f.Code)
	}
	return f
}

// Error implements error.
func (f remoteFailure) Error() string { return f.Text }

// Unwrap returns the condition or the code, nil for neither.
func (f remoteFailure) Unwrap() error {
	switch {
	case f.condition != nil:
		return f.condition
	case f.Code != 0:
		return f.Code
	}
	return nil
}
