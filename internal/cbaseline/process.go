package cbaseline

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"ocr/apps/c2c"
	"ocr/internal/cbuild"
)

// Limit is long enough for a trial, warm-up included, on a machine that is not very busy.
const Limit = 10 * time.Second

// grace is how long the program's output may stay open once it has ended.
const grace = 2 * time.Second

// Trial runs one trial of a valid configuration, whatever its form, with the program's
// threads pinned to the processors a and b, which may be one: then each transfer takes a time
// slice. The threads meet before their clocks start. A trial that takes longer than limit is
// [c2c.ErrNothing]. Cancelling ctx kills the program.
func Trial(ctx context.Context, a, b int, limit time.Duration, cfg c2c.Config) (c2c.Result, error) {
	path, err := executable(ctx)
	if err != nil {
		return c2c.Result{}, err
	}
	answers, err := run(ctx, path, a, b, limit, request(cfg))
	if err != nil {
		return c2c.Result{}, err
	}
	return result(cfg, answers[0])
}

// run starts the program, and returns its answers to requests, a line each.
func run(ctx context.Context, path string, a, b int, limit time.Duration, requests ...string) ([]string, error) {
	cmd := exec.CommandContext(ctx, path, strconv.Itoa(a), strconv.Itoa(b), strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
	cmd.Args[0] = "c2c"
	cmd.Stdin = strings.NewReader(strings.Join(requests, ""))
	cmd.WaitDelay = grace
	out, err := cmd.Output()
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	var exit *exec.ExitError
	switch text, failed := strings.CutPrefix(answers[0], "error "); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case failed:
		return nil, fmt.Errorf("cbaseline: %s", text)
	case errors.As(err, &exit):
		return nil, fmt.Errorf("cbaseline: the C program: %w: %s", err, cbuild.Complaint(exit.Stderr))
	case err != nil:
		return nil, fmt.Errorf("cbaseline: the C program: %w", err)
	case answers[0] != "ready" || len(answers) != 1+len(requests):
		return nil, fmt.Errorf("cbaseline: the C program answered %q", out)
	}
	return answers[1:], nil
}
