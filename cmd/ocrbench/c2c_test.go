package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	c2capp "ocr/apps/c2c"
	"ocr/internal/command"
	"ocr/internal/cpulist"
	"ocr/internal/sys"
	"ocr/internal/testbed"
	"ocr/internal/testrun"
)

// twoCPUs returns the processors that this process may use, two at least.
func twoCPUs(t *testing.T) []int {
	t.Helper()
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("this system does not say which processors the process may use: %v", err)
	}
	if len(mask) < 2 {
		t.Skipf("one processor only (%v): a transfer needs two", mask)
	}
	return mask
}

func TestC2CUsageErrors(t *testing.T) {
	mask := twoCPUs(t)
	allowed := cpulist.Format(mask)
	a, b := mask[0], mask[1]
	const lengths = "must be a comma-separated list of lengths and doubling ranges of them, as 8,16:256, within 1..64KiB"
	for _, c := range []struct{ args, want string }{
		{"here", "unexpected argument here: this command takes flags only"},
		{"--stim-len 0", "--stim-len 0: must be an even whole number in 2..1073741824"},
		{"--stim-len 7", "--stim-len 7: must be an even whole number in 2..1073741824"},
		{"--stim-len x", "--stim-len x: must be an even whole number in 2..1073741824"},
		{"--trials 0", "--trials 0: must be a whole number in 1..1000000"},
		{"--warmup -1", "--warmup -1: must be a whole number in 0..1000000"},
		{"--warmup 1000001", "--warmup 1000001: must be a whole number in 0..1000000"},
		{"--pairs 0,9", "--pairs 0,9: must be all; one pair is --cpus A,B"},
		{"--forms polled,polled", "--forms polled,polled: polled is there twice: must be there once"},
		{"--test array --lengths 8,8", "--lengths 8,8: 8 is there twice: must be there once"},
		{"--polls --test single", "--polls: must be with form polled and one of --test array, dual-array, flow"},
		{"--polls --forms edt", "--polls: must be with form polled and one of --test array, dual-array, flow"},
		{"--layout same --test single", "--layout same: must be with --test dual"},
		{"--lengths 8 --test single,dual",
			"--lengths 8: must be with one of --test array, dual-array, flow, blocked, ring"},
		{"--same-core --cpus 0,1", "--same-core: must be with --cpus of one processor, as 0,0, or without --cpus"},
		{"--print trials --format json", "--print trials: must be with --format text, it is json"},
		{"--max-time 5", "--max-time 5: has no unit, such as ms or s: must be a duration in 1ms..1h0m0s"},
		{"--width 3", "--width 3: must be a comma-separated list of 1, 2, 4, 8"},
		{"--test triple", "--test triple: must be a comma-separated list of single, dual, array, dual-array, flow, blocked, ring, or all"},
		{"--layout near", "--layout near: must be a comma-separated list of same, separate"},
		{"--forms c", "--forms c: must be a comma-separated list of polled, goroutines, edt, edt-chain, edt-local, edt-parked"},
		{"--baseline rust", "--baseline rust: must be a comma-separated list of c, goroutines, or none"},
		{"--baseline none,c", "--baseline none,c: part none: must stand alone"},
		{"--lengths 0", "--lengths 0: " + lengths},
		{"--lengths=", `--lengths "": ` + lengths},
		{"--lengths 1:131072", "--lengths 1:131072: " + lengths},
		{"--lengths 8:4", "--lengths 8:4: " + lengths},
		{"--print all", "--print all: must be a comma-separated list of title, header, trials, stats"},
		{"--samples 3", "unknown flag --samples: see ocrbench c2c --help"},
		{"--cpus x", "--cpus x: must be two processors A,B"},
		{"--cpus=", `--cpus "": must be two processors A,B`},
		{"--cpus 0", "--cpus 0: must be two processors A,B"},
		{"--cpus 0,1,0", "--cpus 0,1,0: must be two processors A,B"},
		{fmt.Sprintf("--cpus %d,%d", a, a), fmt.Sprintf("--cpus %d,%d: processor %d is named twice: must be two of the allowed processors %s, or add --same-core", a, a, a, allowed)},
		{fmt.Sprintf("--cpus %d,8190", a), fmt.Sprintf("--cpus %d,8190: the process may not use 8190: must be within %s", a, allowed)},
		{"--pairs some", "--pairs some: must be all"},
		{"--test array --lengths 8192 --forms polled --polls", "--polls: must be with --lengths of at most 4096"},
		{"--pairs=", `--pairs "": must be all`},
		{"--pairs all --same-core", "--pairs all: must be without --same-core"},
		{fmt.Sprintf("--pairs all --cpus %d,%d", a, b), "--pairs all: cannot be had together with --cpus"},
		{"--svg /", "--svg /: must be a file, not a directory"},
		{"--svg -", "--svg -: must be a file: results go to standard output"},
		{"--svg=", `--svg "": must be a file`},
		{"--matrix=", `--matrix "": must be a file`},
		{"--svg x --matrix ./x", "--matrix ./x: --svg names the same file"},
		{"--svg x -o x", "--svg x: -o names the same file"},
		{"--matrix ./x --output x", "--matrix ./x: --output names the same file"},
		{"--test blocked --forms edt --baseline none", "--forms edt: must be a form that one of --test blocked has, or with a --baseline to run beside"},
		{"--same-core --test blocked --forms edt --baseline c", "--forms edt: must be a form that one of --test blocked has"},
		{"--same-core --svg x", "--svg: must be with a pair of two processors: both ends are on one"},
		{"--matrix /nonexistent/x", "--matrix /nonexistent/x: must be a file in a directory that can be written: no such file or directory"},
		{"--format xml", "--format xml: must be one of text, go, json, csv"},
		{"-o /", "-o /: must be a file, not a directory"},
	} {
		t.Run(c.args, func(t *testing.T) {
			wantUsage(t, noEnv, append([]string{"c2c"}, strings.Fields(c.args)...), c.want)
		})
	}
	for pair, want := range map[string]string{
		"OCRBENCH_CPUS=8190,8191": "OCRBENCH_CPUS 8190,8191: the process may not use 8190: must be within ",
		"OCRBENCH_STIM_LEN=3":     "OCRBENCH_STIM_LEN 3: must be an even whole number",
		"OCRBENCH_TRIALS=0":       "OCRBENCH_TRIALS 0: must be a whole number in 1..1000000",
		"OCRBENCH_WARMUP=x":       "OCRBENCH_WARMUP x: must be a whole number in 0..1000000",
	} {
		t.Run(pair, func(t *testing.T) { wantUsage(t, envOf(pair), []string{"c2c"}, want) })
	}
}

// TestC2CDocument runs every test in every form and holds the document against the
// definitions of its metrics.
func TestC2CDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("every test in every form, which takes a minute under the race detector: internal/suite/c2c has short tests of them")
	}
	defer goleak.VerifyNone(t)
	mask := twoCPUs(t)
	code, out, errs := call(t.Context(), noEnv, "c2c", "--cpus", fmt.Sprintf("%d,%d", mask[1], mask[0]), "--test", "all", "--width", "1",
		"--lengths", "33", "--forms", "polled,goroutines,edt,edt-chain,edt-local,edt-parked", "--baseline", "goroutines",
		"--stim-len", "300", "--warmup", "10", "--trials", "2", "--format", "json")
	if code != command.ExitOK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	d := decode(t, out)
	if d.App != "c2c" || !d.Verified || d.Partial {
		t.Errorf("app, verified, partial = %s, %v, %v", d.App, d.Verified, d.Partial)
	}
	// Of single 6 forms, dual 6 and 2 on one line, the arrays and flow 6, blocked and
	// ring 2.
	if want := 6 + 8 + 3*6 + 2 + 2; len(d.Results) != want {
		t.Errorf("%d results, want %d", len(d.Results), want)
	}
	for _, r := range d.Results {
		test, unit := c2capp.Test(strings.Split(r.Name, "/")[1]), "ns/oneway"
		if !test.Replies() {
			unit = "ns/block"
		}
		one, b := r.Metrics[unit], r.Metrics[unit+"-b"]
		if one.N != 2 || one.Min <= 0 || b.Min <= 0 {
			t.Errorf("%s: %+v by A, %+v by B", r.Name, one, b)
		}
		round, ok := r.Metrics["ns/roundtrip"]
		if ok != test.Replies() || ok && math.Abs(round.Samples[0]/one.Samples[0]-2) > 1e-9 {
			t.Errorf("%s: round trip %v, one way %v", r.Name, round.Samples, one.Samples)
		}
		if rate := r.Metrics["transfers/s"].Samples[0] * one.Samples[0]; math.Abs(rate-1e9) > 1 {
			t.Errorf("%s: transfers/s times ns is %v, want 1e9", r.Name, rate)
		}
		for _, unit := range []string{"preemptions", "collections"} {
			if _, ok := r.Metrics[unit]; !ok {
				t.Errorf("%s has no %s", r.Name, unit)
			}
		}
		if n := r.Metrics["collections"].Samples[0]; n != 0 {
			t.Errorf("%s: %v collections in a trial", r.Name, n)
		}
	}
	if !slices.Equal(d.Machine.Placement, []int{mask[1], mask[0]}) {
		t.Errorf("placement %v, want end A on %d", d.Machine.Placement, mask[1])
	}
	if d.Counters["event.created"] == 0 {
		t.Errorf("counters are not those of a chain: %v", d.Counters)
	}
}

func TestC2CInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	twoCPUs(t)
	svg := filepath.Join(t.TempDir(), "x.svg")
	code, out, errs := callInterrupted(t, thirdSample, "c2c", "--trials", "1000000", "--max-time", "1s", "--forms",
		"polled,edt", "--baseline", "none", "--stim-len", "200", "--warmup", "100", "--svg", svg, "--format", "json")
	if want := "ocrbench: warning: partial results go to " + svg + ".partial\nocrbench: interrupted\n"; code != command.ExitInterrupted || errs != want {
		t.Errorf("exit code %d, stderr %q; want 130, %q", code, errs, want)
	}
	if d := decode(t, out); !d.Partial || len(d.Results) == 0 {
		t.Errorf("partial %v with %d results, want those so far, marked", d.Partial, len(d.Results))
	}
	if drawn := testrun.Read(t, svg+".partial"); !strings.Contains(drawn, "partial") {
		t.Error("the drawing is not marked partial")
	}
	matrix := filepath.Join(t.TempDir(), "x.csv")
	code, out, errs = callInterrupted(t, thirdSample, "c2c", "--trials", "1000000", "--test", "single", "--forms", "polled", "--baseline", "none", "--stim-len", "200", "--warmup", "100", "--matrix", matrix)
	if want := "ocrbench: warning: partial results go to " + matrix + ".partial\nocrbench: interrupted\n"; code != command.ExitInterrupted || errs != want {
		t.Errorf("exit code %d, stderr %q; want 130, %q", code, errs, want)
	}
	if !strings.Contains(out, "c2c: verified, partial: not all samples were taken\n") || !strings.Contains(out, "\npolled ") {
		t.Errorf("stdout:\n%s", out)
	}
	if written := testrun.Read(t, matrix+".partial"); !strings.Contains(written, "partial") {
		t.Error("the matrix is not marked partial")
	}
}

// TestInterruptBeforeAnything holds that a file with results is not replaced by one
// without.
func TestInterruptBeforeAnything(t *testing.T) {
	twoCPUs(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(testbed.ErrInterrupted)
	file := filepath.Join(t.TempDir(), "old.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(ctx, noEnv, "c2c", "-o", file)
	if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" || out != "" || testrun.Read(t, file) != "old\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q, file %q; want 130, nothing, interrupted, the old one", code, out, errs, testrun.Read(t, file))
	}
}
