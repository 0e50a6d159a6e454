package task

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"slices"

	"ocr/edt"
	"ocr/guid"
)

// A Runner runs programs: a pool of package runtime, or what runtime.With returns.
type Runner interface {
	Run(ctx context.Context, main edt.Func) error
}

// ErrNoResult is the condition of a run that [Run] or [RunAll] began, and that ended without a result. Either the event
// out was satisfied without a block, or, for [Run], with an empty one. Or out was not satisfied, because the program
// shut the run down first, or the run is stuck.
var ErrNoResult = errors.New("the run has ended without a result")

// Run runs a program and returns its result: the first element of the block that satisfies out. body is the body of the
// main EDT; the program passes out to the EDT that computes the result, which sends it, for instance by [Event.Put].
// Run copies the result, and destroys the block.
//
//	n, err := task.Run(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
//		count.For(c, task.Nothing{}, 0, n, 1000, total.Group(c, 0, out).Output)
//	})
//
// The result is valid only if the error is nil. The error is that of the runner; or [ErrNoResult]; or, before the run
// begins, an [*edt.Error], if T has pointers or no bytes, or runner or body is nil. A run that never satisfies out ends
// as stuck, with [ErrNoResult]: an EDT of Run waits for out. A second satisfaction of out ends the run: the first
// destroys out. A program that calls [edt.Ctx.Shutdown] as soon as it has sent its result may end before the EDT of Run
// runs.
//
// Any goroutine may call Run; the body of an EDT must not.
func Run[T any](ctx context.Context, on Runner, body func(c *edt.Ctx, out Event[T])) (T, error) {
	var first T
	call := edt.CallOf()
	all, err := run(ctx, on, call, body)
	switch {
	case err != nil:
		return first, err
	case len(all) == 0:
		return first, noResult[T](call, "an empty block")
	}
	return all[0], nil
}

// RunAll is [Run], but returns all elements of the block.
func RunAll[T any](ctx context.Context, on Runner, body func(c *edt.Ctx, out Event[T])) ([]T, error) {
	return run(ctx, on, edt.CallOf(), body)
}

func run[T any](ctx context.Context, on Runner, call edt.Call, body func(c *edt.Ctx, out Event[T])) ([]T, error) {
	var result []T
	came, ended := false, false
	slot := slotTypeOf[RO[T]]()
	if err := refuseRun(call, slot, on != nil, body != nil); err != nil {
		return nil, err
	}
	err := on.Run(ctx, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Blame(call)
		out := Once[T](c)
		keep := c.NewTemplate("task.Run", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			c.Blame(call)
			got := at[RO[T]](firstOf(in), 0)
			ended = true
			if came = !got.IsNull(); came {
				result = slices.Clone(got.Slice())
				got.Destroy(c)
			}
			c.Blame(0)
			return guid.Null
		}).NameSlots(slot.String()).TypeSlots(slot.element)
		c.NewEDT(keep, nil, edt.From(out.GUID, slot.mode))
		c.DestroyTemplate(keep)
		c.Blame(0)
		body(c, out)
		return guid.Null
	})
	var stuck *edt.StuckError
	switch {
	case errors.As(err, &stuck) && !ended:
		file, line := lineOf(call)
		return nil, fmt.Errorf("task: %w: nothing was sent to out (%s:%d): %w", ErrNoResult, file, line, err)
	case err != nil:
		return nil, err
	case !came:
		return nil, noResult[T](call, "no block")
	}
	return result, nil
}

// noResult returns the error of a run whose event got no block, or an empty one.
func noResult[T any](call edt.Call, what string) error {
	file, line := lineOf(call)
	return fmt.Errorf("task: %w: %s came to its event of %v (%s:%d)", ErrNoResult, what, reflect.TypeFor[T](), file, line)
}

// refuseRun returns the reason for which no run can begin, nil if there is none.
func refuseRun(call edt.Call, slot slotType, runner, body bool) error {
	err := &edt.Error{Op: "run"}
	switch cause, why := slot.refusal(); {
	case cause != nil:
		err.Cause, err.Detail = cause, fmt.Sprintf("a result of %v: %s", slot.element, why)
	case !runner:
		err.Cause, err.Detail = edt.ErrKind, "the runner is nil, need a pool or runtime.With()"
	case !body:
		err.Cause, err.Detail = edt.ErrNoBody, "the body is nil"
	default:
		return nil
	}
	err.File, err.Line = lineOf(call)
	return err
}

func lineOf(call edt.Call) (file string, line int) {
	at, _ := goruntime.CallersFrames([]uintptr{uintptr(call)}).Next()
	return filepath.Base(at.File), at.Line
}
