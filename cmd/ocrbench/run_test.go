package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	tests "ocr/apps/pgas"
	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// TestInterrupted: an interrupt ends a run that would take hours. If it comes between samples, the samples so far are
// written; results and pictures are marked as partial.
func TestInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	twoCPUs(t)
	t.Chdir(t.TempDir())
	const endless = "pgas --pes 2 --quiet --samples 1 --warmup 0 --iters 1099511627776 "
	for args, has := range map[string]string{
		"synch_p2p -T 2000000000 --forms edt":         "",
		"synch_p2p -T 2000000000 --forms serial":      "",
		"synch_p2p -T 2000000000 --forms goroutines":  "",
		"uts -b 50 --depth 6 --forms edt":             "",
		"uts -b 50 --depth 6 --forms serial":          "",
		"uts -b 50 --depth 6 --forms goroutines-pool": "",
		endless + "putbw --sizes 8 --forms direct":    "",
		endless + "reduce --sizes 8 --forms edt":      "",

		"uts --depth 2 --samples 1000000 --sample-time 1us":                              "\ngoroutines-pool ",
		"pgas putput --pes 2 --sizes 8 --samples 1000000 --warmup 0 --sample-time 100us": "\nputput ",
		"c2c --samples 1000000 --test single --forms polled,edt --stim-len 200 --warmup 100 " +
			"--svg x.svg": "\npolled ",
	} {
		call := callInterruptedInside
		if has != "" {
			call = callInterrupted
		}
		code, out, errs := call(t, strings.Fields(args)...)
		if code != command.ExitInterrupted || !strings.HasSuffix(errs, "ocrbench: interrupted\n") {
			t.Errorf("%s: exit code %d, stderr %q", args, code, errs)
		}
		testrun.Contains(t, out, "partial: not all samples were taken\n", cmp.Or(has, "no sample was completed"))
	}
	testrun.Contains(t, testrun.Read(t, "x.svg.partial"), "partial")
}

// TestInterruptBeforeAnything: a file with results is not replaced by one without.
func TestInterruptBeforeAnything(t *testing.T) {
	twoCPUs(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(testbed.ErrInterrupted)
	file := filepath.Join(t.TempDir(), "old.txt")
	testrun.OK(t, os.WriteFile(file, []byte("old\n"), 0o666))
	code, out, errs := call(ctx, "c2c", "-o", file)
	if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" || out != "" ||
		testrun.Read(t, file) != "old\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q, file %q", code, out, errs, testrun.Read(t, file))
	}
}

// TestHelp: the help of each command is short.
func TestHelp(t *testing.T) {
	commands := strings.Fields("new topo compare convert report completion help")
	for _, c := range apps {
		commands = append(commands, c.Name)
	}
	for _, name := range append(commands, "") {
		code, out, errs := call(t.Context(), append(strings.Fields(name), "--help")...)
		if code != command.ExitOK || errs != "" || !strings.Contains(out, "Usage:") {
			t.Errorf("%q: exit code %d, stderr %q, stdout %q", name, code, errs, out)
		}
		if lines := strings.Count(out, "\n") - strings.Count(out, "\n  test_"); lines > 75 {
			t.Errorf("help of %q has %d lines, more than 75", name, lines)
		}
		for line := range strings.Lines(out) {
			if utf8.RuneCountInString(line) > report.Width+1 && name != "completion" {
				t.Errorf("%q has a line of more than %d characters: %s", name, report.Width, line)
			}
		}
	}
	_, out, _ := call(t.Context(), "help", "pgas")
	testrun.Contains(t, out, append(tests.TestNames(), "--pes", "--cpus", "--quiet")...)
}

// All ranks have an even number of PEs, and no more than a program can have.
func TestDefaultPEs(t *testing.T) {
	for _, c := range []struct{ ranks, workers, want int }{
		{1, 1, 2}, {1, 2, 2}, {1, 7, 6}, {2, 7, 7}, {3, 7, 6}, {1, 640, 512}, {2, 640, 256}, {3, 640, 170},
	} {
		testrun.Same(t, c.want, defaultPEs(c.ranks, c.workers), "%d ranks of %d workers", c.ranks, c.workers)
	}
}

// sizeFlags set the size of a problem, each with the arguments of its run. SIZE is the size, POWER a power of two.
var sizeFlags = []string{
	"cholesky -n SIZE", "cg -n SIZE", "stencil2d -n SIZE --steps 2", "uts --depth SIZE --branching 1.5",
	"wordcount -n SIZE", "wordcount -n 500 --vocabulary SIZE", "wordcount -n 500 --block SIZE",
	"cg -n 4 --iterations SIZE", "stencil2d -n 10 --steps SIZE",
	"uts --depth SIZE --branching 1.5 --check", "cholesky -n SIZE --check",
	"synch_p2p -P SIZE", "synch_p2p -K SIZE", "synch_p2p -B SIZE", "synch_p2p -W SIZE", "synch_p2p -T SIZE",
	"synch_p2p --columns SIZE",
	"taskbench --steps SIZE", "taskbench --width SIZE", "taskbench --type stencil_1d --width SIZE",
	"taskbench --type dom --width SIZE",
	"taskbench --type nearest --width SIZE", "taskbench --type spread --width SIZE",
	"taskbench --type random_nearest --width SIZE",
	"taskbench --type spread --period SIZE", "taskbench --kernel memory_bound --iter SIZE",
	"taskbench --kernel memory_bound --iter 1 --sample SIZE",
	"taskbench --type fft --width POWER", "taskbench --type stencil_1d_periodic --steps SIZE",
	"c2c --test single --forms polled,edt --warmup SIZE", "c2c --test array --forms polled,edt --lengths SIZE",
	"pgas putput --iters SIZE", "pgas putbw --sizes SIZE", "pgas stridedput --strides SIZE",
}

// sizeArgs make runs of a command short.
var sizeArgs = map[string]string{
	"taskbench": "--no-floor --workers 1",
	"pgas":      "--sample-time 1us --samples 1 --warmup 0 --forms direct",
	"c2c":       "--samples 1 --stim-len 4",
	"":          "--workers 1 --samples 1 --warmup 0 --sample-time 1us",
}

// TestSmallSizes: no default prevents a small problem. Sizes of 1 to 10 run and are verified, also if the default of a
// tile, a cut-off, a number of strips or a radix is larger.
func TestSmallSizes(t *testing.T) {
	most := 10
	if testing.Short() {
		most = 2
	}
	const metg = "metg --width 1 --steps 3 --samples 1 --warmup 0 --sample-time 1us --max-run 1ms --workers 1 " +
		"--forms floor"
	code, _, errs := call(t.Context(), strings.Fields(metg)...)
	testrun.Equal(t, command.ExitOK, code, "exit code of %s: %s", metg, errs)
	for _, line := range sizeFlags {
		name, _, _ := strings.Cut(line, " ")
		step := testrun.Sized(1, 3, 1)
		if name == "c2c" || name == "pgas" { // a run takes 0.1 to 0.2 s
			step = 4
			twoCPUs(t)
		}
		short, ok := sizeArgs[name]
		if !ok {
			short = sizeArgs[""]
		}
		for size := 1; size <= most; size += step {
			sizes := strings.NewReplacer("SIZE", fmt.Sprint(size), "POWER", fmt.Sprint(2<<(size%5)))
			args := sizes.Replace(line + " " + short)
			code, _, errs := call(t.Context(), strings.Fields(args)...)
			testrun.Equal(t, command.ExitOK, code, "exit code of %s: %s", args, errs)
		}
	}
}
