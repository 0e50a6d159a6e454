package runtime

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/guid"
)

// TestAtEnd checks that each function of AtEnd gets the facts of each run that has begun, and the error of Run.
func TestAtEnd(t *testing.T) {
	var first, second Report
	var errs []error
	pool := newTestPoolThatStays(t, Workers(2), Into(&first), Options(AtEnd(func(_ Report, err error) {
		errs = append(errs, err)
	}), Into(&second)))
	for n, main := range []edt.Func{
		func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null },
		func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") },
	} {
		first, second = Report{}, Report{}
		err := pool.Run(t.Context(), main)
		if len(errs) != n+1 || errs[n] != err || (err != nil) != (n == 1) {
			t.Errorf("run %d: %v, told %v", n, err, errs)
		}
		if first.Workers != 2 || first.Counters.EDTRun != 1 || fmt.Sprint(first) != fmt.Sprint(second) {
			t.Errorf("run %d: facts %+v and %+v", n, first, second)
		}
		if first.Placement[0]++; second.Placement[0] == first.Placement[0] {
			t.Errorf("run %d: both have the same list", n)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pool.Run(done, starting(func(*edt.Ctx) {
		t.Error("main ran")
	})); !errors.Is(err, context.Canceled) || len(errs) != 2 {
		t.Errorf("a run that did not begin: %v, told %v", err, errs)
	}
}
