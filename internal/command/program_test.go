package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
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
		ends := &Command{Name: "ends", Short: "End", Define: func(*Flags) Body {
			return func(context.Context, *testbed.Bed) (*report.Document, error) { return nil, tt.err }
		}}
		var errs strings.Builder
		code := New([]*Command{ends}, []string{"ocrbench", "ends"}, &strings.Builder{}, &errs).Run(t.Context())
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
