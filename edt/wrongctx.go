package edt

import (
	"ocr/guid"
	"ocr/internal/graph/site"
)

// A Ctx is its worker's, for as long as the run lasts. Every other use is a misuse: on a goroutine of the
// program's own, by an EDT of another worker or another run, after the run. To look for that would cost each call
// more than most calls take. So it is found by calls that fail: through a Ctx whose run has ended no object is
// found and none is made, and a worker's cache of records that is empty checks the caller (see [ids.Cache.OwnedBy]).

// isOver reports whether the Ctx is that of a run that has ended, or the zero one.
func (c *Ctx) isOver() bool { return c.g == nil || c.g.closed.Load() }

// needRun ends the run that is on, for calls that would come to nothing without a word.
func (c *Ctx) needRun(op string) {
	if c.isOver() {
		c.misuse(op, ErrCtx, guid.Null, "")
	}
}

// usedTooLate is the error of a call through such a Ctx. If an EDT of another run has made the call, its worker adds
// which one.
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

// throughAnother is the error of a misuse that the EDT which runs has made through the Ctx of another run, or of none.
func (c *Ctx) throughAnother(of *Error) *Error {
	err := *of
	if err.Cause != ErrCtx {
		err.addDetail("the Ctx is that of another run")
	}
	err.EDT, err.Template, err.About = c.Self(), c.templateName(), c.about()
	err.On = c.g.rankText(err.EDT)
	return &err
}
