package edttest

import (
	"errors"
	"fmt"
	"reflect"

	"ocr/edt"
)

// A Trial is one run of a program under a schedule. The function that makes the program adds to the Trial what must
// hold when the run has ended.
type Trial struct {
	end    func(error) error
	checks []func() error
	same   []fact
}

// A fact is a result that must not depend on the schedule.
type fact struct {
	what string
	of   func() any
}

// Check adds a check. It is called when the run has ended without an error, or with one that [Trial.End] accepts.
func (t *Trial) Check(f func() error) { t.checks = append(t.checks, f) }

// Same adds a result that must be the same under all schedules. f is called if the run and its checks have passed;
// results are compared by [reflect.DeepEqual].
func (t *Trial) Same(what string, f func() any) { t.same = append(t.same, fact{what, f}) }

// End replaces the rule that an error of the run is a failure. judge gets the error, which is nil after a shutdown and
// if no EDT is left. The run has failed if judge returns an error.
func (t *Trial) End(judge func(err error) error) { t.end = judge }

// judge returns what is wrong with a run that ended with err, nil if nothing is.
func (t *Trial) judge(err error, g *edt.Graph, noLeaks bool) error {
	if t.end != nil {
		err = t.end(err)
	}
	if err != nil {
		return err
	}
	var bad []error
	for _, check := range t.checks {
		bad = append(bad, check())
	}
	if leaks := g.Leaks(); noLeaks && len(leaks) > 0 {
		bad = append(bad, fmt.Errorf("objects left at the end: %v", leaks))
	}
	return errors.Join(bad...)
}

// A reference is the results of the first schedule under which the run and its checks passed.
type reference struct {
	schedule Schedule
	values   []any // nil before the first
}

// compare compares the results of a run with those of the reference.
func (r *reference) compare(s Schedule, facts []fact) error {
	values := make([]any, len(facts))
	for k, f := range facts {
		values[k] = f.of()
	}
	if r.values == nil {
		*r = reference{s, values}
	}
	for k, f := range facts {
		var want any // nil for a fact that a run has added
		if k < len(r.values) {
			want = r.values[k]
		}
		if !reflect.DeepEqual(values[k], want) {
			return fmt.Errorf("%s: %v, and %v under %v", f.what, values[k], want, r.schedule)
		}
	}
	return nil
}
