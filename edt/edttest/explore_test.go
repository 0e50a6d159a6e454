package edttest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// searches are the kinds of search that find what depends on the order of whole EDTs.
var searches = map[string][]edttest.Option{
	"all":     nil,
	"holds":   {edttest.Seeds(0)},
	"pruned":  {edttest.Pruned()},
	"one":     {edttest.Workers(1)},
	"pruned1": {edttest.Pruned(), edttest.Workers(1)},
	"eight":   {edttest.Workers(8)},
}

// mistakes are the programs of demos_test.go that some order of whole EDTs breaks, and how their mistakes show.
var mistakes = []struct {
	name    string
	program edttest.Program
	shows   func(error) bool
}{
	{"order-dependent sum", unorderedSum, func(err error) bool {
		return strings.Contains(err.Error(), " fails: sum: ")
	}},
	{"lost once event", lostOnce, func(err error) bool { return errors.Is(err, edt.ErrStale) }},
	{"pool one too small", pipeline(3, 3, 4), func(err error) bool { return strings.Contains(err.Error(), "reads 3") }},
	{"reliance on EW order", exclusiveOrder, func(err error) bool {
		return strings.Contains(err.Error(), "writer 1 was the last")
	}},
}

// Every mistake passes under fifo, is found by every search, and shows again when the text of the schedule is replayed.
func TestMistakesAreFound(t *testing.T) {
	for _, m := range mistakes {
		for _, workers := range []int{1, 2, 3, 8} {
			if r := edttest.Search(m.program, edttest.Replay("fifo"), edttest.Workers(workers)); r.Failure != nil {
				t.Errorf("%s: fails oldest first on %d workers: %v", m.name, workers, r.Failure)
			}
		}
		for name, opts := range searches {
			r := edttest.Search(m.program, opts...)
			if r.Failure == nil {
				t.Errorf("%s: %s: nothing found: %v", m.name, name, r)
				continue
			}
			if !m.shows(r.Failure) {
				t.Errorf("%s: %s: found something else: %v", m.name, name, r.Failure)
			}
			t.Logf("%s: %s: schedule %d", m.name, name, r.Schedules)
			replayed(t, m.name+": "+name, m.program, m.shows, r.Failure, opts)
		}
	}
}

func replayed(t *testing.T, what string, p edttest.Program, shows func(error) bool, f *edttest.Failure,
	opts []edttest.Option) {
	t.Helper()
	again := edttest.Search(p, append(opts[:len(opts):len(opts)], edttest.Replay(f.Schedule.String()))...)
	if again.Failure == nil || !shows(again.Failure) {
		t.Errorf("%s: replay of %v: %v", what, f.Schedule, again.Failure)
	}
	if f.Passes == nil {
		t.Errorf("%s: no schedule passes", what)
	} else if r := edttest.Search(p, append(opts[:len(opts):len(opts)],
		edttest.Replay(f.Passes.String()))...); r.Failure != nil {
		t.Errorf("%s: %v does not pass: %v", what, f.Passes, r.Failure)
	}
}

// A mistake that shows only while another body is running is found if EDTs overlap.
func TestOverlapIsSearched(t *testing.T) {
	for name, tc := range map[string]struct {
		opts  []edttest.Option
		finds bool
	}{
		"seeds":       {nil, true},
		"holds":       {[]edttest.Option{edttest.Seeds(0)}, false},
		"one worker":  {[]edttest.Option{edttest.Workers(1)}, false},
		"whole order": {[]edttest.Option{edttest.Pruned()}, false},
	} {
		r := edttest.Search(earlySatisfy, tc.opts...)
		testrun.Equal(t, tc.finds, r.Failure != nil, "%s: found, want: %v", name, r)
		if r.Failure != nil && !strings.Contains(r.Failure.Schedule.String(), "o") {
			t.Errorf("%s: fails under %v, which does not overlap", name, r.Failure.Schedule)
		}
	}
}

// A right program passes: a pool with as many buffers as there are messages. Its leak is found if leaks are failures.
func TestRightProgramsPass(t *testing.T) {
	for name, opts := range searches {
		r := edttest.Search(pipeline(4, 3, 4), append(opts, edttest.NoLeaks())...)
		if r.Failure == nil || !strings.Contains(r.Failure.Err.Error(), "objects left at the end") {
			t.Errorf("%s: %v, want a leak", name, r.Failure)
		}
		if r := edttest.Search(pipeline(4, 3, 4), append(opts[:len(opts):len(opts)],
			edttest.MaxSchedules(testrun.Sized(500, 500, 20_000)))...); r.Failure != nil {
			t.Errorf("%s: %v", name, r.Failure)
		}
	}
}

// independent makes n EDTs that have nothing in common.
func independent(n int) edttest.Program {
	return func(*edttest.Trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			for k := range n {
				start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) {})
			}
		})
	}
}

// The number of schedules of a search is known for EDTs that have nothing in common.
func TestSchedulesAreCounted(t *testing.T) {
	for n, orders := range []int{1, 1, 2, 6, 24, 120} {
		for name, c := range map[string]struct {
			edttest.Report
			want     int
			complete bool
		}{
			"holds":  {edttest.Search(independent(n), edttest.Workers(1), edttest.Seeds(0)), 2 + max(n-1, 0), false},
			"seeds":  {edttest.Search(independent(n), edttest.Seeds(7)), 2 + max(n-1, 0) + 14, false},
			"bound":  {edttest.Search(independent(n), edttest.MaxSchedules(2)), 2, false},
			"pruned": {edttest.Search(independent(n), edttest.Pruned()), 1, true},
		} {
			if c.Schedules != c.want || c.Complete != c.complete || c.Failure != nil {
				t.Errorf("%d EDTs, %s: %v, want %d schedules", n, name, c.Report, c.want)
			}
		}
		runs, complete := edttest.AllOrders(independent(n), 1000)
		testrun.Equal(t, fmt.Sprint(orders, true), fmt.Sprint(runs, complete), "%d EDTs: all orders", n)
	}
}

// poller makes EDTs that create themselves again until another EDT has run.
func poller(*edttest.Trial) edt.Func {
	set := false
	return body(func(c *edt.Ctx, _ edt.Args) {
		var poll func(c *edt.Ctx, _ edt.Args)
		poll = func(c *edt.Ctx, _ edt.Args) {
			if !set {
				start(c, "poll", poll)
			}
		}
		start(c, "poll", poll)
		start(c, "set", func(*edt.Ctx, edt.Args) { set = true })
	})
}

// A program that polls is cut off under unfair schedules, which is no failure; a program that never ends is one.
func TestEndlessSchedules(t *testing.T) {
	r := edttest.Search(poller, edttest.MaxSteps(50))
	if r.Failure != nil || r.Cut == 0 || r.Complete {
		t.Errorf("a poller: %v, %d cut off", r, r.Cut)
	}
	for name, opts := range searches {
		r = edttest.Search(func(*edttest.Trial) edt.Func {
			var again func(c *edt.Ctx, _ edt.Args)
			again = func(c *edt.Ctx, _ edt.Args) { start(c, "again", again) }
			return body(again)
		}, append(opts, edttest.MaxSteps(50))...)
		testrun.Contains(t, name+": "+r.String(), "did not end within 50 EDTs")
	}
}

// A program that always fails does so under fifo, and no schedule passes.
func TestNothingPasses(t *testing.T) {
	for name, opts := range searches {
		r := edttest.Search(func(trial *edttest.Trial) edt.Func {
			return body(func(c *edt.Ctx, _ edt.Args) { c.Abort(3) })
		}, opts...)
		var abort *edt.AbortError
		plain := r.Failure != nil && strings.Contains("fifo replay:tidy", r.Failure.Schedule.String())
		if !errors.As(r.Failure, &abort) || r.Failure.Passes != nil || !plain {
			t.Errorf("%s: %v", name, r.Failure)
		}
	}
}

// The schedule that the pruned search compares with is one that it has run.
func TestPrunedNamesItsReference(t *testing.T) {
	testrun.Fails(t, edttest.Search(unorderedSum, edttest.Pruned()).Failure.Err, " under replay:tidy")
}

// End judges how a run has ended, in place of the rule that an error is a failure.
func TestEndIsJudged(t *testing.T) {
	aborts := func(want uint8) edttest.Program {
		return func(trial *edttest.Trial) edt.Func {
			trial.End(func(err error) error {
				var abort *edt.AbortError
				if errors.As(err, &abort) && abort.Code == want {
					return nil
				}
				return fmt.Errorf("ended with %v", err)
			})
			return body(func(c *edt.Ctx, _ edt.Args) { c.Abort(2) })
		}
	}
	if r := edttest.Search(aborts(2)); r.Failure != nil {
		t.Error(r.Failure)
	}
	if r := edttest.Search(aborts(3)); r.Failure == nil {
		t.Error("the wrong end is no failure")
	}
}

// A program that depends on more than the schedule is reported.
func TestUnsteadyPrograms(t *testing.T) {
	runs := 0
	r := edttest.Search(func(trial *edttest.Trial) edt.Func {
		runs++
		n := runs
		trial.Check(func() error {
			if n == 5 {
				return errors.New("the fifth")
			}
			return nil
		})
		return independent(3)(trial)
	})
	testrun.Contains(t, r.String(), "does not depend on the schedule alone")
}

// A schedule that does not fit the program is a failure; no other schedule is run in its place.
func TestReplayMustFit(t *testing.T) {
	for text, want := range map[string]string{
		"replay:1r7": "move 1r7 cannot be made",
		"replay:9r1": "1 of 1 moves were never reached",
		"replay:3h":  "move 3h cannot be made",
		"replay:zap": "must be a move",
		"first":      "must be fifo, lifo, random:SEED",
	} {
		testrun.Contains(t, edttest.Search(independent(3), edttest.Replay(text)).String(), want)
	}
}

// tb records what Explore reports.
type tb struct{ logged, failed []string }

func (b *tb) Helper()                   {}
func (b *tb) Logf(f string, a ...any)   { b.logged = append(b.logged, fmt.Sprintf(f, a...)) }
func (b *tb) Errorf(f string, a ...any) { b.failed = append(b.failed, fmt.Sprintf(f, a...)) }

func TestExploreReports(t *testing.T) {
	b := new(tb)
	edttest.Explore(b, independent(2), edttest.Seeds(0), edttest.Workers(1))
	if len(b.failed) != 0 || len(b.logged) != 1 || b.logged[0] != "3 schedules run: not all there are" {
		t.Errorf("a right program: %q, %q", b.failed, b.logged)
	}
	b = new(tb)
	edttest.Explore(b, exclusiveOrder)
	want := `edttest: a schedule fails: writer 1 was the last
  it fails under  lifo
  it passes under fifo
  run it again with edttest.Replay("lifo")
  EDT  fails            passes
  0    main#1 on 0      main#1 on 0
  1*   input 2#1 on 1   input 1#1 on 1
  2*   writer 2#1 on 0  input 2#1 on 0
  3*   input 1#1 on 1   writer 1#1 on 1
  4*   writer 1#1 on 0  writer 2#1 on 0
  5    read#1 on 1      read#1 on 1
2 schedules run`
	if len(b.failed) != 1 || b.failed[0] != want || len(b.logged) != 0 {
		t.Errorf("a wrong program: %q\n%s", b.logged, cmp.Diff([]string{want}, b.failed))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, option := range map[string]func(){
		"Workers(0): must be at least 1":         func() { edttest.Workers(0) },
		"Seeds(-1): must be at least 0":          func() { edttest.Seeds(-1) },
		"MaxSchedules(0): must be at least 1":    func() { edttest.MaxSchedules(0) },
		"MaxSteps(0): must be at least 1":        func() { edttest.MaxSteps(0) },
		"Config.Workers(0): must be at least 1":  func() { edttest.New(1, edt.Config{}) },
		"Config.Workers(-1): must be at least 1": func() { edttest.NewRanks(1, 2, edt.Config{Workers: -1}) },
	} {
		func() {
			defer func() {
				testrun.Equal(t, "edttest: "+want, fmt.Sprint(recover()), "panic")
			}()
			option()
		}()
	}
}
