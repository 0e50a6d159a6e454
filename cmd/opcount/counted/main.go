// Counted is the program that cmd/opcount counts: it runs one workload once, of the
// size given, and prints how many operations that were.
//
//	counted WORKLOAD SIZE
package main

import (
	"context"
	"fmt"
	"os"
	goruntime "runtime"
	"slices"
	"strconv"
	"time"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/internal/suite/overhead"
	"ocr/runtime"
)

func main() {
	if len(os.Args) != 3 {
		fail("usage: counted WORKLOAD SIZE")
	}
	size, err := strconv.Atoi(os.Args[2])
	if err != nil || size < 1 {
		fail("counted: size " + os.Args[2] + ": want a number above 0")
	}
	operations, err := count(os.Args[1], size)
	if err != nil {
		fail("counted: " + err.Error())
	}
	fmt.Println(operations)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

// count runs a workload: an app by its name, or else a row of the suite overhead.
func count(workload string, size int) (operations uint64, err error) {
	switch workload {
	case "synch_p2p":
		return sweep(size)
	case "taskbench":
		return stencil(size)
	}
	return row(workload, size)
}

// spin is how long an idle worker looks for work. One alone does not: it would look more
// or less often. Of several that hand EDTs to each other none is to fall asleep.
func spin(workers int) time.Duration {
	if workers == 1 {
		return 0
	}
	return 2 * time.Second
}

// run runs a graph.
func run(main edt.Func, workers int) (r runtime.Report, err error) {
	err = runtime.Run(context.Background(), main, runtime.Workers(workers), runtime.Spin(spin(workers)), runtime.Into(&r))
	return r, err
}

// sweep runs the seed's problem for so many timesteps.
func sweep(timesteps int) (uint64, error) {
	cfg := synchp2p.Defaults()
	cfg.Timesteps = timesteps
	if err := cfg.Validate(1 << 30); err != nil {
		return 0, err
	}
	app := synchp2p.New(cfg)
	if _, err := run(app.Main(), 1); err != nil {
		return 0, err
	}
	_, err := app.Result()
	return uint64(cfg.SweepEDTs()), err
}

// stencil runs Task Bench's stencil, its kernel empty, for so many steps.
func stencil(steps int) (uint64, error) {
	cfg := taskbench.Defaults()
	g := &cfg.Graphs[0]
	g.Type, g.Width, g.Steps = taskbench.Stencil1D, 8, steps
	if err := cfg.Validate(1 << 30); err != nil {
		return 0, err
	}
	app := taskbench.New(cfg)
	if _, err := run(app.Main(), 1); err != nil {
		return 0, err
	}
	if _, err := app.Result(); err != nil {
		return 0, err
	}
	return uint64(g.Width) * uint64(g.Steps), nil
}

// row runs a row of the suite overhead for so many rounds, on as few workers as it takes.
func row(name string, rounds int) (uint64, error) {
	rows := overhead.Rows()
	k := slices.IndexFunc(rows, func(r *overhead.Row) bool { return r.Name == name && !r.IsFootprint() })
	if k < 0 {
		return 0, fmt.Errorf("no workload %s", name)
	}
	b := &overhead.Bench{Rounds: rounds, Yield: goruntime.Gosched, Run: func(_ context.Context, main edt.Func, p overhead.Pool) (runtime.Counters, error) {
		r, err := run(main, p.Workers)
		return r.Counters, err
	}}
	s, err := rows[k].Measure(context.Background(), b, rows[k].MinWorkers)
	return s.All, err
}
