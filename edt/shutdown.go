package edt

import (
	"errors"

	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/site"
)

// An End says how a run was ended from inside: by a shutdown, an abort, or a failure.
// A run without one ended in quiescence.
type End struct {
	// Err is nil after a shutdown and after an abort with code 0. If an EDT failed,
	// by a misuse or a panic, Err is that failure, also after a shutdown. Several
	// errors are joined: the failures in that EDT's body, in order, then the abort.
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
// If an EDT that still runs then misuses the API or panics, the run ends with that error instead.
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
