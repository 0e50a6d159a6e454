package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A verdict is how one mutant ended.
type verdict struct {
	outcome outcome
	rung    rung   // whose test killed it
	test    string // the test, if the output names it
	took    time.Duration
}

type outcome string

const (
	survived outcome = "survived"
	byTest   outcome = "test"
	byTime   outcome = "timeout"
)

// A mill tests mutants.
type mill struct {
	*module
	limits map[rung]time.Duration
	tmp    string
}

// jobs is how many mutants are tested at a time.
const jobs = 2

// test tests the mutants, and writes how far it is to progress.
func (m *module) test(ctx context.Context, mutants []mutant, progress io.Writer) ([]verdict, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	ml := &mill{module: m, limits: make(map[rung]time.Duration), tmp: tmp}
	if err := ml.measure(ctx, mutants, progress); err != nil {
		return nil, err
	}
	verdicts, errs := make([]verdict, len(mutants)), make([]error, len(mutants))
	next := make(chan int)
	var all sync.WaitGroup
	for range jobs {
		all.Go(func() {
			for k := range next {
				verdicts[k], errs[k] = ml.try(ctx, &mutants[k])
				if errs[k] == nil {
					fmt.Fprintf(progress, "%3d  %-36s  %v\n", mutants[k].id, verdicts[k], &mutants[k])
				}
			}
		})
	}
	for k := range mutants {
		next <- k
	}
	close(next)
	all.Wait()
	return verdicts, errors.Join(errs...)
}

// measure runs the tests without a fault. They must pass; how long they take decides
// when a mutant counts as hanging.
func (ml *mill) measure(ctx context.Context, mutants []mutant, progress io.Writer) error {
	for _, mu := range mutants {
		for _, r := range climb(ml.ladder, mu.src) {
			if _, done := ml.limits[r]; done {
				continue
			}
			ml.limits[r] = 10 * time.Minute
			v, err := ml.run(ctx, r, filepath.Join(ml.tmp, "sound"), "")
			if err != nil {
				return err
			}
			if v.outcome != survived {
				return fmt.Errorf("%v fails without any mutant: %s", r, v.test)
			}
			ml.limits[r] = 4*v.took + 10*time.Second
			fmt.Fprintf(progress, "%v: %v without a mutant\n", r, v.took.Round(10*time.Millisecond))
		}
	}
	return nil
}

// try climbs the ladder with a mutant until a test kills it.
func (ml *mill) try(ctx context.Context, mu *mutant) (v verdict, err error) {
	start := time.Now()
	base := filepath.Join(ml.tmp, fmt.Sprintf("mutant%d", mu.id))
	edited, overlay := base+".go", base+".json"
	if err := os.WriteFile(edited, mu.apply(), 0o644); err != nil {
		return v, err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {mu.file.path: edited}})
	if err != nil {
		return v, err
	}
	if err := os.WriteFile(overlay, replace, 0o644); err != nil {
		return v, err
	}
	for _, r := range climb(ml.ladder, mu.src) {
		if v, err = ml.run(ctx, r, base, overlay); err != nil || v.outcome != survived {
			break
		}
	}
	v.took = time.Since(start)
	return v, err
}

// run builds the tests of a rung, with the overlay if there is one, and runs them.
func (ml *mill) run(ctx context.Context, r rung, bin, overlay string) (verdict, error) {
	defer os.Remove(bin)
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", bin)
	if overlay != "" {
		build.Args = append(build.Args, "-overlay", overlay)
	}
	build.Args = append(build.Args, "-tags="+r.tag, "./"+r.dir)
	build.Dir = ml.dir
	if out, err := build.CombinedOutput(); err != nil {
		return verdict{}, fmt.Errorf("%v with %s: %w\n%s", r, filepath.Base(bin), err, out)
	}
	limit := ml.limits[r]
	ctx, cancel := context.WithTimeout(ctx, limit+10*time.Second) // if even the deadline of package testing is not kept
	defer cancel()
	// A mutant may ask for memory without end.
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 16777216; exec "$@"`, "sh", bin, "-test.failfast", "-test.timeout="+limit.String(), "-test.run="+r.only)
	if !r.long {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	cmd.Dir = filepath.Join(ml.dir, r.dir)
	cmd.Env = append(cmd.Environ(), "RAPID_NOFAILFILE=1", "RAPID_SEED=1")
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	v := verdict{outcome: survived, rung: r, took: time.Since(start)}
	if err == nil {
		return v, nil
	}
	if cause := context.Cause(ctx); cause != nil && cause != context.DeadlineExceeded {
		return v, cause
	}
	v.outcome, v.test = judge(string(out))
	if ctx.Err() != nil {
		v.outcome = byTime
	}
	return v, nil
}

var (
	failed  = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	hanging = regexp.MustCompile(`(?m)^panic: test timed out after .*\n\s+running tests:\n\s+(\S+)`)
	inStack = regexp.MustCompile(`(?m)\.(Test\w+)`)
)

// judge reads what failing tests wrote.
func judge(out string) (outcome, string) {
	if m := hanging.FindStringSubmatch(out); m != nil {
		return byTime, m[1]
	}
	if m := failed.FindStringSubmatch(out); m != nil {
		return byTest, m[1]
	}
	if strings.Contains(out, "goleak:") {
		return byTest, "goleak"
	}
	if m := inStack.FindStringSubmatch(out); m != nil {
		return byTest, m[1]
	}
	return byTest, "crash"
}

func (v verdict) String() string {
	if v.outcome == survived {
		return string(survived)
	}
	text := fmt.Sprintf("%v %s", v.rung, v.test)
	if v.outcome == byTime {
		text += " (timeout)"
	}
	return text
}
