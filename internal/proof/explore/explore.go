//go:build explore

package explore

import (
	"errors"
	"testing"
	"time"
)

// A result counts what an exploration has run.
type result struct {
	orders, steps, longest int
	time                   time.Duration
}

// Every runs a program in every order of its steps that differs from the others in more than the order of independent
// steps. setup makes the program afresh for each order: words, threads, and the check of the end. The test fails if a
// check fails in an order, if the threads wait for ever, or if the run has no end. It then prints the lines of code in
// the order in which they ran.
func Every(t testing.TB, setup func(*Run)) {
	t.Helper()
	report(t, setup, new(reduced))
}

// Bounded is Every for large programs: it runs all orders in which a thread that could go on is held up n times at
// most.
func Bounded(t testing.TB, n int, setup func(*Run)) {
	t.Helper()
	report(t, setup, &bounded{limit: n})
}

func report(t testing.TB, setup func(*Run), o order) {
	t.Helper()
	r, err := search(setup, o, nil)
	if err != nil {
		t.Fatalf("order %d: %v", r.orders, explain(setup, o, err))
	}
	t.Logf("%d orders, %d steps, the longest %d, %v", r.orders, r.steps, r.longest, r.time.Round(time.Millisecond))
}

// search runs orders until one fails. If outcome is not nil, search calls it at the end of each order, and goes on
// after failures.
func search(setup func(*Run), o order, outcome func(*Run, error)) (r result, err error) {
	start := time.Now()
	defer func() { r.time = time.Since(start) }()
	for more := true; more; more = o.next() {
		run, steps, err := play(setup, o, nil)
		r.steps += steps
		r.longest = max(r.longest, steps)
		if err == errRepeats {
			continue
		}
		r.orders++
		switch {
		case outcome != nil:
			outcome(run, err)
		case err != nil:
			return r, err
		}
	}
	return r, nil
}

// explain runs a failed order once more, and returns the error with the trace.
func explain(setup func(*Run), o order, err error) error {
	tr := &trace{lines: make(map[*thread]string), files: make(map[string][]string)}
	o.keep()
	_, _, again := play(setup, o, tr)
	if again == nil || again.Error() != err.Error() {
		again = errors.Join(err, errors.New("explore: a second run of this order ends otherwise: the program "+
			"depends on more than its words"))
	}
	return errors.Join(again, tr)
}
