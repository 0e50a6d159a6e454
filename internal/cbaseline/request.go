package cbaseline

import (
	"fmt"
	"strings"
	"time"

	"ocr/apps/c2c"
)

// request returns a trial as the program reads it. What a test ignores has a value that
// is right for all. If only A sends payload, the program counts A's transfers alone.
func request(cfg c2c.Config) string {
	layout, capacity, warmup, transfers := c2c.Separate, 1, cfg.Warmup, cfg.Transfers
	switch cfg.Test {
	case c2c.Dual:
		layout = cfg.Layout
	case c2c.Ring:
		capacity = cfg.Blocks
	case c2c.Flow, c2c.Blocked:
		warmup, transfers = warmup/2, transfers/2
	}
	return fmt.Sprintf("trial %s %d %s %d %d %d %d %d\n",
		cfg.Test, cfg.Width, layout, cfg.Length, cfg.Line, warmup, transfers, capacity)
}

// result reads the program's line for a trial.
func result(cfg c2c.Config, line string) (c2c.Result, error) {
	r := c2c.Result{Config: cfg, Transfers: cfg.Transfers}
	if text, late := strings.CutPrefix(line, "error timeout: "); late {
		return r, fmt.Errorf("%w: the C program: %s", c2c.ErrNothing, text)
	}
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return r, fmt.Errorf("cbaseline: %s", text)
	}
	var elapsed [2]int64
	var wrong uint64
	var end string
	a, b := &r.Ends[0], &r.Ends[1]
	n, _ := fmt.Sscanf(line+" .", "ok %d %d %d %d %d %d %d %d %d %s", &elapsed[0], &elapsed[1],
		&a.CPU[0], &a.CPU[1], &b.CPU[0], &b.CPU[1], &a.Preemptions, &b.Preemptions, &wrong, &end)
	if n != 10 || end != "." {
		return r, fmt.Errorf("cbaseline: the C program answered %q", line)
	}
	a.Elapsed, b.Elapsed = time.Duration(elapsed[0]), time.Duration(elapsed[1])
	if wrong != 0 {
		return r, cfg.WrongElements(wrong)
	}
	return r, nil
}
