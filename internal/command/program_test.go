package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// TestHowItEnded: an interrupt decides the exit code, and hides no other error.
func TestHowItEnded(t *testing.T) {
	full, lost := errors.New("out: no space left on device"), errors.New("trace.json: lost")
	const interrupted = "ocrbench: interrupted\n"
	for _, tt := range []struct {
		err  error
		code int
		said string
	}{
		{nil, ExitOK, ""},
		{full, ExitFailed, "ocrbench: out: no space left on device\n"},
		{testbed.ErrInterrupted, ExitInterrupted, interrupted},
		{fmt.Errorf("form edt: %w", context.Canceled), ExitInterrupted, interrupted},
		{fmt.Errorf("own context: %w", context.Canceled), ExitFailed, "ocrbench: own context: context canceled\n"},
		{fmt.Errorf("cancelled: %w [%w]", testbed.ErrInterrupted, full), ExitInterrupted, interrupted},
		{errors.Join(full, testbed.ErrInterrupted), ExitInterrupted,
			"ocrbench: out: no space left on device\n" + interrupted},
		{fmt.Errorf("ended: %w", errors.Join(full, errors.Join(lost), fmt.Errorf("run: %w", testbed.ErrInterrupted))),
			ExitInterrupted,
			"ocrbench: ended: out: no space left on device\nocrbench: trace.json: lost\n" + interrupted},
		{errors.Join(fmt.Errorf("%w: 1", errRegression), testbed.ErrInterrupted), ExitInterrupted,
			"ocrbench: regression: 1\n" + interrupted},
		{errors.Join(cli.Usagef("nothing in common"), testbed.ErrInterrupted), ExitInterrupted,
			"ocrbench: nothing in common\n" + interrupted},
		{fmt.Errorf("%w: 1", errRegression), ExitRegression, "ocrbench: regression: 1\n"},
		{cli.Usagef("no\nway"), ExitUsage, "ocrbench: no way\n"},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		ends := &Command{Name: "ends", Short: "End", Define: func(*Flags) Body {
			return func(context.Context, *testbed.Bed) (*report.Document, error) {
				if tt.code == ExitInterrupted {
					interrupt()
				}
				return nil, tt.err
			}
		}}
		var errs strings.Builder
		code := New([]*Command{ends}, []string{"ocrbench", "ends"}, &strings.Builder{}, &errs).Run(ctx)
		interrupt()
		if code != tt.code || errs.String() != tt.said {
			t.Errorf("%v: exit code %d, standard error %q, want %d, %q", tt.err, code, &errs, tt.code, tt.said)
		}
	}
}

// fullOutput refuses to write more than this number of bytes.
type fullOutput int

func (left *fullOutput) Write(text []byte) (int, error) {
	n := min(len(text), int(*left))
	if *left -= fullOutput(n); n < len(text) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// TestNothingIsLostInSilence: a command whose output, help included, cannot be written reports it and fails.
func TestNothingIsLostInSilence(t *testing.T) {
	for _, args := range [][]string{{}, {"help"}, {"help", "compare"}, {"convert", "--help"},
		{"--version"}, {"topo"}, {"completion", "bash"}} {
		for _, room := range []fullOutput{0, 1} {
			var errs strings.Builder
			ends := &Command{Name: "ends", Short: "End", Define: func(*Flags) Body { return nil }}
			code := New([]*Command{ends}, append([]string{"ocrbench"}, args...), &room, &errs).Run(t.Context())
			if code != ExitFailed || errs.String() != "ocrbench: standard output: no space left on device\n" {
				t.Errorf("%q, room for %d bytes: exit code %d, standard error %q", args, room, code, &errs)
			}
		}
	}
}

// fakeBinary makes a program that prints a document with one sample of a unit; from run number fails on, it fails.
func fakeBinary(t *testing.T, name, unit, sample, fails string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	script := `#!/bin/sh
echo >> "$0.runs"
if [ $(wc -l < "$0.runs") -ge ` + fails + ` ]; then echo "ocrbench: broken" >&2; exit 1; fi
echo '{"schema": "ocrbench/1", "verified": true,
"results": [{"name": "X", "metrics": {"` + unit + `": {"samples": [` + sample + `]}}}]}'
`
	testrun.OK(t, os.WriteFile(path, []byte(script), 0o777))
	return path
}

// interruptAt is a standard error that interrupts the session when it shows a text.
type interruptAt struct {
	said   strings.Builder
	text   string
	cancel context.CancelCauseFunc
}

func (w *interruptAt) Write(p []byte) (int, error) {
	if w.text != "" && strings.Contains(string(p), w.text) {
		w.cancel(testbed.ErrInterrupted)
	}
	return w.said.Write(p)
}

// session runs a program without commands of its own, and interrupts it when standard error shows a text.
func session(t *testing.T, interrupt string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var out strings.Builder
	errs := &interruptAt{text: interrupt, cancel: cancel}
	code = New(nil, slices.Concat([]string{"ocrbench"}, args), &out, errs).Run(ctx)
	return code, out.String(), errs.said.String()
}

// lastLine returns the last line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// TestRunsEndEarly: the exit code says how the runs ended, not what their comparison found. The comparison is written
// beside the output file, which does not change.
func TestRunsEndEarly(t *testing.T) {
	for _, tt := range []struct {
		what, fails, interrupt string
		code                   int
		last, note             string
	}{
		{"a regression, interrupted", "9", "run 4 of 5", ExitInterrupted, "ocrbench: interrupted",
			"was interrupted after 3 of 5 runs"},
		{"a regression, failed", "4", "", ExitFailed, ": exit status 1: ocrbench: broken",
			"ran 3 of 5 times, in turn with the other, then a run failed"},
	} {
		file := filepath.Join(t.TempDir(), "out")
		testrun.OK(t, os.WriteFile(file, []byte("whole"), 0o666))
		before, after := fakeBinary(t, "old", "ns/op", "100", "9"), fakeBinary(t, "new", "ns/op", "200", tt.fails)
		code, out, errs := session(t, tt.interrupt, "compare", "--run", before, after, "--runs", "5", "--fail-over", "5%",
			"--alpha", "0.5", "-o", file, "--", "app")
		if code != tt.code || out != "" || !strings.HasSuffix(lastLine(errs), tt.last) ||
			!strings.Contains(errs, "partial results go to ") {
			t.Errorf("%s: exit code %d, want %d; standard output %q, standard error:\n%s", tt.what, code, tt.code, out, errs)
		}
		whole, err := os.ReadFile(file)
		if err != nil || string(whole) != "whole" {
			t.Errorf("%s: the file has %q, %v", tt.what, whole, err)
		}
		partial, err := os.ReadFile(file + ".partial")
		text := strings.Join(strings.Fields(string(partial)), " ")
		if err != nil || !strings.Contains(text, tt.note) || !strings.Contains(text, "slower, over the limit") {
			t.Errorf("%s: %v, partial results:\n%s\nwant %q and a regression", tt.what, err, partial, tt.note)
		}
	}
	before, after := fakeBinary(t, "old", "ns/op", "100", "9"), fakeBinary(t, "new", "B/op", "200", "9")
	code, _, errs := session(t, "", "compare", "--run", before, after, "--runs", "5", "--", "app")
	if code != ExitUsage || strings.Contains(errs, "run 2 of 5") ||
		!strings.HasSuffix(lastLine(errs), "have no result and unit in common") {
		t.Errorf("nothing in common: exit code %d, standard error:\n%s", code, errs)
	}
}
