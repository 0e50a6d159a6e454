package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/edt"
	"ocr/internal/measure/suite/overhead"
	"ocr/runtime"
)

// operate runs a workload once, in the given size, and returns the number of its operations.
func operate(workload, size string) (operations int, err error) {
	n, err := strconv.Atoi(size)
	if err != nil {
		return 0, err
	}
	if form, isSweep := strings.CutPrefix(workload, "synch_p2p/"); isSweep {
		return sweep(synchp2p.Form(form), n)
	}
	if workload == "taskbench" {
		return stencil(n)
	}
	return row(workload, n)
}

// runGraph runs a graph on one worker. The worker does not search before it sleeps, as the number of searches would
// vary.
func runGraph(main edt.Func) (r runtime.Report, err error) {
	err = runtime.Run(context.Background(), main, runtime.Workers(1), runtime.Spin(0), runtime.Into(&r))
	return r, err
}

// sweep runs the seed's problem for a number of timesteps, in a form of synch_p2p.
func sweep(form synchp2p.Form, timesteps int) (int, error) {
	cfg := synchp2p.Defaults()
	cfg.Timesteps, cfg.Form = timesteps, form
	if err := cfg.Validate(0); err != nil {
		return 0, err
	}
	app := synchp2p.New(cfg)
	if _, err := runGraph(app.Main()); err != nil {
		return 0, err
	}
	_, err := app.Result()
	return int(cfg.SweepEDTs()), err
}

// stencil runs Task Bench's stencil, its kernel empty, for a number of steps.
func stencil(steps int) (int, error) {
	cfg := taskbench.Defaults()
	g := &cfg.Graphs[0]
	g.Type, g.Width, g.Steps = taskbench.Stencil1D, 8, steps
	app := taskbench.New(cfg)
	if _, err := runGraph(app.Main()); err != nil {
		return 0, err
	}
	_, err := app.Result()
	return g.Width * g.Steps, err
}

// row runs a row of the suite overhead for a number of rounds.
func row(name string, rounds int) (int, error) {
	rows := overhead.Rows()
	k := slices.IndexFunc(rows, func(r *overhead.Row) bool { return r.Name == name && r.MinWorkers <= 1 })
	if k < 0 {
		return 0, fmt.Errorf("no workload %s", name)
	}
	b := &overhead.Bench{Workers: 1, Rounds: rounds}
	b.Run = func(_ context.Context, main edt.Func) (runtime.Counters, error) {
		r, err := runGraph(main)
		return r.Counters, err
	}
	s, err := rows[k].Forms[0].Once(context.Background(), b)
	return s.Ops, err
}
