package edttest

import (
	"fmt"

	"ocr/edt"
)

// A Program makes an EDT program anew, with all its state, and returns its main EDT. By calls on the trial it says what
// must hold afterwards.
type Program func(trial *Trial) edt.Func

// TB is what [Explore] needs of a [testing.TB].
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Explore runs a program under many schedules. It fails the test with the first schedule under which the run ends with
// an error, a check fails, or a result differs. It logs how many schedules were run and what they cover.
func Explore(t TB, program Program, opts ...Option) Report {
	t.Helper()
	r := Search(program, opts...)
	if r.Failure != nil {
		t.Errorf("%v", r)
	} else {
		t.Logf("%v", r)
	}
	return r
}

// Search is [Explore] outside of tests.
func Search(program Program, opts ...Option) Report {
	x := &explorer{config: newConfig(opts), program: program}
	switch {
	case x.replay != "":
		x.again()
	case x.pruned:
		x.prune()
	default:
		x.search()
	}
	if x.failed != nil {
		x.report.Failure = x.explain()
	}
	return x.report
}

// A Report says what a search has covered and found.
type Report struct {
	// Schedules is the number of schedules that were run to the end.
	Schedules int
	// Cut is the number of schedules that were cut off at [MaxSteps].
	Cut int
	// Redundant is the number of schedules that [Pruned] gave up, as they were equal to one that was run.
	Redundant int
	// Complete says that [Pruned] has covered every order of the program's EDTs.
	Complete bool
	// Failure is the failure that was found, nil for none.
	Failure *Failure
}

// String describes the failure, if there is one, and then what was covered.
func (r Report) String() string {
	s := fmt.Sprintf("%d schedules run", r.Schedules)
	if r.Redundant > 0 {
		s += fmt.Sprintf(", %d left off as redundant", r.Redundant)
	}
	if r.Cut > 0 {
		s += fmt.Sprintf(", %d cut off as too long", r.Cut)
	}
	switch {
	case r.Failure != nil:
		return r.Failure.Error() + "\n" + s
	case r.Complete:
		return s + ": every order of EDTs, but for those that come to the same"
	}
	return s + ": not all there are"
}

// explorer is a search that is under way.
type explorer struct {
	*config
	program   Program
	report    Report
	reference reference
	failed    *outcome // the first outcome that failed
	failedAt  int      // the number of schedules that were run by then
	passed    *outcome // the first outcome that passed
	sites     bool     // record the lines that create objects
}

// An outcome is the outcome of one run.
type outcome struct {
	schedule Schedule
	err      error // nil if the run passed
	again    bool  // the schedule may be run again, to explain the failure
	choices  []int // the steps at which several EDTs were ready
}

// patience is the number of schedules that are run after a failure, in search of a schedule that passes.
const patience = 200

// done reports whether the search has run all schedules that it may. After a failure it is done as soon as it has a
// schedule that passes, or has run patience schedules more.
func (x *explorer) done() bool {
	if x.failed != nil && (x.passed != nil || x.report.Schedules >= x.failedAt+patience) {
		return true
	}
	return x.report.Schedules+x.report.Cut+x.report.Redundant >= x.budget
}

// try runs a schedule, unless the search is done.
func (x *explorer) try(s Schedule) (o *outcome) {
	if !x.done() {
		o = x.run(s, s.order(), nil)
		x.count(o)
	}
	return o
}

func (x *explorer) count(o *outcome) {
	switch o.err {
	case errCut:
		x.report.Cut++
		return
	case errRedundant:
		x.report.Redundant++
		return
	}
	x.report.Schedules++
	switch {
	case o.err == nil && x.passed == nil:
		x.passed = o
	case o.err != nil && x.failed == nil:
		x.failed, x.failedAt = o, x.report.Schedules
	}
}

// endless reports whether the first run, whose order is fair, did not end. If so, that is the failure.
func (x *explorer) endless(o *outcome) bool {
	if o.err != errCut {
		return false
	}
	x.failed = &outcome{schedule: o.schedule, err: fmt.Errorf("the run did not end within %d EDTs (MaxSteps)", x.steps)}
	return true
}

// run runs the program once.
func (x *explorer) run(s Schedule, order order, prepare func(*Host, *edt.Config)) *outcome {
	trial := new(Trial)
	main := x.program(trial)
	cfg := edt.Config{Workers: x.workers, Sites: x.sites}
	h := &Host{order: order, limit: x.steps, tidy: s.tidy}
	if prepare != nil {
		prepare(h, &cfg)
	}
	h.make(cfg)
	defer h.Graph.Close()
	o := &outcome{schedule: s, err: h.Run(main), choices: h.choices}
	if o.err == errCut || o.err == errRedundant {
		return o
	}
	o.again = true
	o.err = trial.judge(o.err, h.Graph, x.noLeaks)
	if o.err == nil {
		o.err = x.reference.compare(s, trial.same)
	}
	return o
}

// again runs one schedule, and fifo to compare with.
func (x *explorer) again() {
	s, err := parseSchedule(x.replay)
	if err != nil {
		x.failed = &outcome{err: err}
		return
	}
	if s.String() != "fifo" {
		x.count(x.run(Schedule{}, new(planned), nil))
		x.failed = nil
	}
	o := s.order()
	again := x.run(s, o, nil)
	if p, ok := o.(*planned); ok && again.err == nil && p.fits() != nil {
		again.err = fmt.Errorf("the schedule does not fit this program: %w", p.fits())
	}
	x.count(again)
	if again.err == errCut {
		x.failed = again
	}
}
