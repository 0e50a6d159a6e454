// Package cbaseline runs core-to-core trials (package c2c) in C, so that the kernels in Go can be compared with a C
// compiler's code for the same loops, on the same two processors in the same run.
//
// The program (testdata/c2c.c and kernels.h, pthreads and C11 atomics) is part of this package. [Build] compiles it
// with cc. Each trial is a run of the program, with its two threads pinned:
//
//	program, err := cbaseline.Build(ctx) // the error says why it cannot be had here
//	defer program.Close()
//	result, err := program.Trial(ctx, [2]int{0, 1}, c2c.Defaults())
package cbaseline

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"ocr/apps/c2c"
	"ocr/internal/measure/cbuild"
)

//go:embed testdata/c2c.c testdata/kernels.h
var sources embed.FS

var source = cbuild.Program{
	Name: "c2c", Files: sources, Main: "testdata/c2c.c", Compiler: "cc",
	Flags: []string{"-std=gnu11", "-O3", "-pthread"},
}

// A Program is the compiled program. Any goroutine may run trials.
type Program struct {
	file *os.File
	path string // by which this process and its children run it
}

// Build compiles the program, which takes about half a second.
func Build(ctx context.Context) (*Program, error) {
	file, err := source.Build(ctx)
	if err != nil {
		return nil, fmt.Errorf("cbaseline: %w", err)
	}
	return &Program{file, cbuild.Path(file)}, nil
}

// Close gives up the program.
func (p *Program) Close() { _ = p.file.Close() }

// Trial runs one trial of a valid configuration, whatever its form, with the program's threads pinned to two
// processors. The threads meet before their clocks start. If a trial takes longer than its Limit, warm-up included, the
// error is [c2c.ErrTooSlow]. Cancelling ctx kills the program.
func (p *Program) Trial(ctx context.Context, cpus [2]int, cfg c2c.Config) (c2c.Result, error) {
	line, err := p.run(ctx, cpus, "trial", cfg)
	if err != nil {
		return c2c.Result{}, err
	}
	return result(cfg, line)
}

func (p *Program) run(ctx context.Context, cpus [2]int, verb string, cfg c2c.Config) (string, error) {
	args := fmt.Sprintf("%d %d %g %s %s %d %d %d %d %d", cpus[0], cpus[1], cfg.Limit.Seconds(), verb,
		cfg.Test, cfg.Width, cfg.Length, cfg.Line, cfg.Warmup, cfg.Transfers)
	cmd := exec.CommandContext(ctx, p.path, strings.Fields(args)...)
	cmd.Args[0] = "c2c"
	cmd.WaitDelay = 2 * time.Second // how long its output may stay open after its end
	out, err := cmd.Output()
	line := strings.TrimSuffix(string(out), "\n")
	var exit *exec.ExitError
	switch text, failed := strings.CutPrefix(line, "error "); {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case strings.HasPrefix(text, "timeout: "):
		return "", fmt.Errorf("%w: the C program: %s", c2c.ErrTooSlow, strings.TrimPrefix(text, "timeout: "))
	case failed:
		return "", fmt.Errorf("cbaseline: %s", text)
	case errors.As(err, &exit):
		return "", fmt.Errorf("cbaseline: the C program: %w: %s", err, cbuild.Complaint(exit.Stderr))
	case err != nil:
		return "", fmt.Errorf("cbaseline: the C program: %w", err)
	}
	return line, nil
}

// result reads the program's answer to a trial.
func result(cfg c2c.Config, line string) (c2c.Result, error) {
	r := c2c.Result{Config: cfg}
	var elapsed [2]int64
	var end string
	a, b := &r.Ends[0], &r.Ends[1]
	n, _ := fmt.Sscanf(line+" .", "ok %d %d %d %d %d %d %d %d %s", &elapsed[0], &elapsed[1],
		&a.CPU[0], &a.CPU[1], &b.CPU[0], &b.CPU[1], &a.Preemptions, &b.Preemptions, &end)
	if n != 9 || end != "." {
		return r, fmt.Errorf("cbaseline: the C program answered %q", line)
	}
	a.Elapsed, b.Elapsed = time.Duration(elapsed[0]), time.Duration(elapsed[1])
	return r, nil
}
