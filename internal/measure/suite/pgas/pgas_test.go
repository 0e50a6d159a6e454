package pgas

import (
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/perf/benchunit"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

// here returns a testbed on this machine.
func here(t *testing.T, pes int) *testbed.Bed {
	t.Helper()
	return suitetest.Bed(t, pes, bench.Plan{Samples: 1, SampleTime: time.Millisecond, Seed: 1})
}

// laidOut returns the run of a Config with these tests, and the names of its keys.
func laidOut(t *testing.T, pes int, cfg Config, tests string) (r *run, names []string, err error) {
	t.Helper()
	cfg.Tests = strings.Fields(tests)
	r = &run{bed: here(t, pes), cfg: cfg}
	keys, err := r.layOut()
	for _, k := range keys {
		names = append(names, strings.TrimPrefix(k.resultName(r.bed.Pool), "pgas/"))
	}
	return r, names, err
}

// The keys of a test, and the names of its results.
func TestKeys(t *testing.T) {
	direct := []app.Form{app.Direct}
	for _, c := range []struct {
		cfg         Config
		tests, want string
	}{
		{Config{Forms: direct}, "putget reduce", "putget/direct/bytes=8 " +
			"reduce/direct/bytes=8 reduce/direct/bytes=65536 reduce/direct/bytes=4194304"},
		{Config{Forms: Defaults().Forms, Sizes: []int{8, 12}}, "putput", "putput/direct/bytes=8/sync=p2p " +
			"putput/edt/bytes=8/sync=p2p putput/direct/bytes=8/sync=flag putput/direct/bytes=12/sync=p2p " +
			"putput/edt/bytes=12/sync=p2p"},
		{Config{Forms: direct}, "stridedput", "stridedput/direct/bytes=131072 stridedput/direct/bytes=131072/stride=8"},
		{Config{Forms: direct, Sizes: []int{4}, Strides: []int{2, 3}}, "stridedget getbw",
			"getbw/direct/bytes=4 stridedget/direct/bytes=4/stride=2 stridedget/direct/bytes=4/stride=3"},
	} {
		_, names, err := laidOut(t, 2, c.cfg, c.tests)
		testrun.OK(t, err)
		testrun.Same(t, c.want, strings.ReplaceAll(strings.Join(names, " "), "/pes=2", ""), "%s", c.tests)
	}
}

// Default sizes are left out, with a note, if a segment has no room for them.
func TestLeavesOutWhatDoesNotFit(t *testing.T) {
	r, names, err := laidOut(t, 8, Defaults(), "randomput")
	testrun.OK(t, err)
	testrun.Same(t, 6, len(names), "rows")
	testrun.Contains(t, strings.Join(r.bed.Notes, "\n"),
		"left out: pgas/randomput/edt/bytes=4194304/pes=8: ", "the test needs a segment of ")
}

// The first sample finds how many iterations fill the sample time, whatever the time of an iteration.
func TestFit(t *testing.T) {
	for _, each := range []time.Duration{time.Nanosecond, 300 * time.Nanosecond, 50 * time.Microsecond, time.Second} {
		n := 0
		testrun.OK(t, fit(&n, 10*time.Millisecond, func() (time.Duration, error) { return time.Duration(n) * each, nil }))
		if want := max(1, int(10*time.Millisecond/each)); n < want*9/10 || n > want*11/10 {
			t.Errorf("%d iterations of %v, expected %d", n, each, want)
		}
	}
	broken := errors.New("broken")
	n := 0
	if err := fit(&n, time.Hour, func() (time.Duration, error) { return time.Minute, broken }); err != broken {
		t.Errorf("error %v", err)
	}
}

// The figures are the times of the median slice and of the mean; several PEs also have the rate of all of them.
func TestFigures(t *testing.T) {
	cfg := app.Defaults("putbibw")
	cfg.Bytes, cfg.Iterations = 1e6, 10
	r := app.Result{Config: cfg, Elapsed: []time.Duration{time.Second}, Slices: []float64{5e7, 5e7, 2e8}}
	want := map[string]float64{"ns/op": 5e7, "mean-ns/op": 1e8, "pe-MB/s": 20}
	for k := range 2 {
		for _, v := range figures(r) {
			testrun.Same(t, want[v.Unit], v.Value, "%s of %d PEs", v.Unit, k+1)
			if rate, unit := benchunit.Tidy(v.Value, v.Unit); unit == "pe-B/s" { // what benchstat shows
				testrun.Same(t, 1e6/5e7*1e9, rate, "bytes a second")
			}
		}
		testrun.Same(t, len(want), len(figures(r)), "figures of %d PEs", k+1)
		r.Elapsed = append(r.Elapsed, 2*time.Second)
		want["mean-ns/op"], want["sum-MB/s"] = 1.5e8, 15
	}
	for _, test := range []string{"putput", "reduce"} {
		r.Config.Test = test
		testrun.Same(t, 2, len(figures(r)), "figures of %s, which has no rate", test)
	}
}

// A wrong transfer ends the run, without results. The error names the row, test, size, PE, offset, got and expected.
func TestWrongTransfer(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, form := range Defaults().Forms {
		cfg := Config{Tests: []string{"putbw"}, Forms: []app.Form{form}, Sizes: []int{4096}, Iterations: 20,
			fault: app.LostByte}
		bed := here(t, 4)
		d, err := Run(t.Context(), bed, cfg)
		var wrong *trial.VerifyError
		if want := "pgas/putbw/" + string(form) + "/bytes=4096/pes=4: "; !errors.As(err, &wrong) ||
			!strings.HasPrefix(err.Error(), want) || len(d.Results) > 0 {
			t.Errorf("%s: document %v, error %v", want, d, err)
		} else {
			testrun.Contains(t, wrong.Where, "putbw/"+string(form)+", 4096 bytes: PE 3, offset ")
		}
		bed.Verify = false
		if d, err = Run(t.Context(), bed, cfg); err != nil || d.Verified || len(d.Results) == 0 {
			t.Errorf("%s, not verified: %v", form, err)
		}
	}
}
