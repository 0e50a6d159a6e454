package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	c2capp "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/cbaseline"
)

// retries is how often a trial that a busy machine has spoilt is taken again.
const retries = 3

// errNoneLeft ends a group in which every form was given up.
var errNoneLeft = errors.New("every form was given up")

// A deadProgram says that the C program has ended, and with it its form.
type deadProgram struct{ cause error }

func (e *deadProgram) Error() string { return e.cause.Error() }

func (e *deadProgram) Unwrap() error { return e.cause }

// spoilt reports whether a trial failed because the machine had other work: the
// next may be fine.
func spoilt(err error) bool {
	return errors.Is(err, c2capp.ErrNoMeeting) || errors.Is(err, c2capp.ErrNothing) || errors.Is(err, cbaseline.ErrTimeout)
}

// fatal reports whether an error ends the run: wrong values make all figures
// worthless, and the user's interrupt is his.
func fatal(ctx context.Context, err error) bool {
	var wrong *trial.VerifyError
	return ctx.Err() != nil || errors.As(err, &wrong)
}

// attempt runs a trial, and again where it was spoilt. It leaves in x.spoilt what
// has spoilt the latest.
func (x *c2cSide) attempt(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) {
	x.spoilt = nil
	for again := 0; ; again++ {
		r, err := x.once(ctx, cfg)
		if again == retries || ctx.Err() != nil || !spoilt(err) {
			return r, err
		}
		x.spoilt = err
	}
}

// giveUp takes a form that cannot be measured out of the results, and the form in C
// out of the whole run where its program has died.
func (r *c2cRun) giveUp(x *c2cSide, err error) {
	x.gone = true
	name := x.name()
	var dead *deadProgram
	if errors.As(err, &dead) {
		name = "form c from " + name + " on"
		r.noC = true
	}
	r.dropped = append(r.dropped, fmt.Sprintf("%s: %v", name, err))
	r.note(fmt.Sprintf("dropped: %s: %v", name, err))
}

// allGone reports whether nothing is left of a group.
func allGone(sides []*c2cSide) bool {
	return !slices.ContainsFunc(sides, func(x *c2cSide) bool { return !x.gone })
}

// dropError returns the error that a run ends with which has dropped results; nil
// where it has none.
func (r *c2cRun) dropError() error {
	if len(r.dropped) == 0 {
		return nil
	}
	const told = 5
	list, more := r.dropped, ""
	if len(list) > told {
		list, more = list[:told], fmt.Sprintf("; and %d more", len(r.dropped)-told)
	}
	return fmt.Errorf("c2c: %d dropped: %s%s", len(r.dropped), strings.Join(list, "; "), more)
}
