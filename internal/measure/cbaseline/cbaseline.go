// Package cbaseline runs core-to-core trials (package c2c) in C: so the kernels in Go can be compared with a C
// compiler's code for the same loops, on the same two processors in the same run.
//
// The program (testdata/c2c.c and kernels.h, pthreads and C11 atomics) is part of this package. [Prepare] compiles it
// with gcc or cc, once in a process. Each trial is a run of it, with its two threads pinned:
//
//	if err := cbaseline.Prepare(ctx); err != nil { ... } // why it cannot be had here
//	result, err := cbaseline.Trial(ctx, 0, 1, cbaseline.Limit, c2c.Defaults())
//
// No file outlives the compilation, so this process leaves none behind, however it ends.
package cbaseline

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"time"

	"ocr/apps/c2c"
	"ocr/internal/measure/cbuild"
)

//go:embed testdata/c2c.c testdata/kernels.h
var sources embed.FS

// source is the source of the program.
var source = cbuild.Program{
	Name: "c2c", Files: sources, Main: "testdata/c2c.c", Compilers: []string{"gcc", "cc"},
	Flags: []string{"-std=gnu11", "-O3", "-pthread"},
}

// program is the compiled program of this process.
//
// Concurrency: the mutex guards file; it is held during the compilation.
var program struct {
	sync.Mutex
	file *os.File
}

// Prepare compiles the program, unless this process has done so before. That takes about half a second.
func Prepare(ctx context.Context) error {
	_, err := executable(ctx)
	return err
}

// executable returns the path by which this process and its children run the program.
func executable(ctx context.Context) (string, error) {
	program.Lock()
	defer program.Unlock()
	if program.file == nil {
		if goruntime.GOOS != "linux" {
			return "", fmt.Errorf("cbaseline: threads are pinned on linux only, this is %s", goruntime.GOOS)
		}
		file, err := source.Build(ctx)
		if err != nil {
			return "", fmt.Errorf("cbaseline: %w", err)
		}
		program.file = file
	}
	return cbuild.Path(program.file), nil
}

// Limit is enough for a trial, warm-up included, on a machine that is not very busy.
const Limit = 10 * time.Second

// grace is how long the program's output may stay open after its end.
const grace = 2 * time.Second

// Trial runs one trial of a valid configuration, whatever its form, with the program's threads pinned to the processors
// a and b. The threads meet before their clocks start. If a trial takes longer than limit the error is
// [c2c.ErrTooSlow]. Cancelling ctx kills the program.
func Trial(ctx context.Context, a, b int, limit time.Duration, cfg c2c.Config) (c2c.Result, error) {
	path, err := executable(ctx)
	if err != nil {
		return c2c.Result{}, err
	}
	return carryOut(ctx, path, a, b, limit, cfg)
}

func carryOut(ctx context.Context, path string, a, b int, limit time.Duration, cfg c2c.Config) (c2c.Result, error) {
	line, err := run(ctx, path, a, b, limit, "trial", cfg)
	if err != nil {
		return c2c.Result{}, err
	}
	return result(cfg, line)
}

// run runs the program, and returns its answer.
func run(ctx context.Context, path string, a, b int, limit time.Duration, verb string, cfg c2c.Config) (string, error) {
	args := fmt.Sprintf("%d %d %g %s %s", a, b, limit.Seconds(), verb, request(cfg))
	cmd := exec.CommandContext(ctx, path, strings.Fields(args)...)
	cmd.Args[0] = "c2c"
	cmd.WaitDelay = grace
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

// request returns a configuration in the program's format.
func request(cfg c2c.Config) string {
	return fmt.Sprintf("%s %d %d %d %d %d",
		cfg.Test, cfg.Width, cfg.Length, cfg.Line, cfg.Warmup, cfg.Transfers)
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
