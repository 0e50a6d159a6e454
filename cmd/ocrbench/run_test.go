package main

import (
	"cmp"
	"context"
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
