package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// asBinary is the environment variable that makes the test program a binary to compare. Its value is the directory in
// which it logs its runs.
const asBinary = "OCR_COMPARE_BINARY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asBinary); dir != "" {
		os.Exit(beBinary(dir))
	}
	os.Exit(m.Run())
}

// beBinary logs its arguments and prints a document. Its figure is the number of the run, 10 more for binary "new".
func beBinary(dir string) int {
	name := filepath.Base(os.Args[0])
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = fmt.Fprintln(log, name, strings.Join(os.Args[1:], " "))
	}
	noted, err2 := os.ReadFile(filepath.Join(dir, "log"))
	if err := errors.Join(err, err2); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	switch os.Args[1] {
	case "fail":
		fmt.Fprintln(os.Stderr, "first line\nocrbench: --nix: no such flag")
		return 2
	case "prose":
		fmt.Println("Dear reader,")
		return 0
	}
	run := float64(strings.Count(string(noted), name+" "))
	if name == "new" {
		run += 10
	}
	d := report.Document{App: "x", Verified: true,
		Conditions: &machine.Conditions{Processors: 2, Others: min(0.1*run, 1)}}
	d.Results = []report.Result{{Name: "x/edt", Metrics: bench.Metrics{
		{Unit: "ns/op", Samples: []float64{run / 2, run, 100 * run}},
		{Unit: "op/s", Samples: []float64{2 / run, 1 / run, 0.01 / run}},
	}}}
	if d.Write(os.Stdout, "json") != nil {
		return 1
	}
	return 0
}

// binaries returns two binaries, and a function that returns the lines that they have logged.
func binaries(t *testing.T) (pair [2]string, log func() []string) {
	t.Helper()
	self, err := os.Executable()
	testrun.OK(t, err)
	dir := t.TempDir()
	t.Setenv(asBinary, dir)
	for i, name := range []string{"old", "new"} {
		pair[i] = filepath.Join(dir, name)
		testrun.OK(t, os.Symlink(self, pair[i]))
	}
	return pair, func() []string {
		noted, err := os.ReadFile(filepath.Join(dir, "log"))
		testrun.OK(t, err)
		return strings.Split(strings.TrimSpace(string(noted)), "\n")
	}
}

func ignoreStart(string, int) {}

func always(_, _ *File) error { return nil }

func TestAlternate(t *testing.T) {
	pair, log := binaries(t)
	var order []string
	before, after, err := Alternate(t.Context(), pair, []string{"app", "-P", "3"}, 3, func(binary string, run int) {
		order = append(order, fmt.Sprint(filepath.Base(binary), run))
	}, always)
	testrun.OK(t, err)
	testrun.Same(t, "old1 new1 new2 old2 old3 new3", strings.Join(order, " "), "ran")
	for i, line := range log() {
		if _, args, _ := strings.Cut(line, " "); args != "app -P 3 --format json --output - --quiet" ||
			!strings.HasPrefix(order[i], line[:3]) {
			t.Errorf("run %d was %q", i, line)
		}
	}
	for f, want := range map[*File][]float64{before: {1, 2, 3}, after: {11, 12, 13}} {
		testrun.Same(t, bench.Metrics{{Unit: "ns/op", Samples: want}}, f.Results[0].Metrics, "%s: medians", f.Path)
	}
	want := []string{"ran 3 times, in turn with the other: a sample is the median of a run",
		"was made on a busy machine in 2 of 3 runs, the last: other processes took 30 % of the processors"}
	testrun.Same(t, want, before.Notes, "notes")
}

// TestMergeOfSingleSamples: one sample of two units always has a quotient. Only over the runs does it show whether two
// units restate each other. Warnings are noted once, but for those of a single run.
func TestMergeOfSingleSamples(t *testing.T) {
	var runs []*report.Document
	for run := range 3 {
		v := float64(10 + run)
		runs = append(runs, file(t, result{"X", "ns/op", []float64{v}}, result{"X", "op/s", []float64{1e9 / v}},
			result{"X", "ns/p99", []float64{v * v}}).Document)
		runs[run].Warnings = []string{report.FewSamples, report.Busy + ": by others", "workers share a processor"}
	}
	testrun.Same(t, []string{"n", "warns: workers share a processor"}, merge("", runs, "n").Notes, "notes")
	for n, want := range map[int]int{1: 3, 3: 2} {
		testrun.Equal(t, want, len(merge("", runs[:n], "").Results[0].Metrics), "units of %d runs", n)
	}
}

func taken(f *File) int { return len(f.Results[0].Metrics[0].Samples) }

func TestAlternateInterrupted(t *testing.T) {
	pair, _ := binaries(t)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	runs := 0
	before, after, err := Alternate(ctx, pair, []string{"app"}, 5, func(string, int) {
		if runs++; runs == 6 { // five are done: old, new, new, old, old
			cancel(why)
		}
	}, always)
	if !errors.Is(err, why) || before == nil || taken(before) != 2 || taken(after) != 2 {
		t.Fatalf("Alternate() = %+v, %+v, %v, want two samples each and the cause", before, after, err)
	}
	testrun.Equal(t, "was interrupted after 2 of 5 runs", before.Notes[0], "note")
	before, _, err = Alternate(ctx, pair, []string{"app"}, 5, ignoreStart, always)
	if before != nil || !errors.Is(err, why) {
		t.Errorf("interrupted at once: %v, %v", before, err)
	}
}

// TestAlternateNothingToCompare: what the first round shows does not take all the others.
func TestAlternateNothingToCompare(t *testing.T) {
	pair, log := binaries(t)
	why := errors.New("nothing in common")
	before, after, err := Alternate(t.Context(), pair, []string{"app"}, 5, ignoreStart, func(a, b *File) error {
		testrun.Equal(t, [2]int{1, 1}, [2]int{taken(a), taken(b)}, "samples")
		return why
	})
	if err != why || before != nil || after != nil || len(log()) != 2 {
		t.Fatalf("Alternate() = %+v, %+v, %v after %d runs", before, after, err, len(log()))
	}
}

// TestAlternateFailsLater: the rounds before a failure are kept.
func TestAlternateFailsLater(t *testing.T) {
	pair, log := binaries(t)
	before, after, err := Alternate(t.Context(), pair, []string{"app"}, 5, func(_ string, run int) {
		if run == 3 { // the first run of a round
			_ = os.Remove(pair[0])
		}
	}, always)
	if err == nil || !strings.HasPrefix(err.Error(), pair[0]+": ") || before == nil || len(log()) != 4 {
		t.Fatalf("Alternate() = %+v, %+v, %v", before, after, err)
	}
	testrun.Equal(t, [2]int{2, 2}, [2]int{taken(before), taken(after)}, "samples")
	const want = "ran 2 of 5 times, in turn with the other, then a run failed: a sample is the median of a run"
	testrun.Equal(t, [2]string{want, want}, [2]string{before.Notes[0], after.Notes[0]}, "notes")
}

func TestAlternateFails(t *testing.T) {
	pair, _ := binaries(t)
	for arg, want := range map[string]string{
		"fail": pair[0] + ": exit status 2: ocrbench: --nix: no such flag",
		"prose": pair[0] + ": what it printed is not a result file: must be JSON of ocrbench (--format json): " +
			"invalid character 'D' looking for beginning of value",
	} {
		_, _, err := Alternate(t.Context(), pair, []string{arg}, 2, ignoreStart, always)
		testrun.Equal(t, want, fmt.Sprint(err), "error of %s", arg)
	}
	for path, fits := range map[string]bool{pair[0]: true, filepath.Dir(pair[0]): false, pair[0] + "x": false} {
		if err := CheckBinary(path); (err == nil) != fits || err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("CheckBinary(%s) = %v", path, err)
		}
	}
}
