package main

import (
	"context"
	"slices"

	"ocr/edt"
	"ocr/runtime"
)

// run runs a graph on the pool, or, where ctx has a schedule, one EDT at a time. It
// fills g, when not nil, with what the runtime tells of the run.
func (p *pool) run(ctx context.Context, main edt.Func, g *graphRun, argv ...string) error {
	if s, ok := scheduleOf(ctx); ok {
		return p.runScheduled(ctx, s, main, g, argv)
	}
	binding, err := runtime.ParseBinding(p.bind)
	if err != nil {
		return err
	}
	var told runtime.Report
	w, k := watchOf(ctx), checkOf(ctx)
	opts := slices.Concat(w.options(p.workers), inspectionOf(ctx).options(), k.options())
	err = runtime.Run(ctx, main, append(opts,
		runtime.Workers(p.workers), runtime.CPUs(p.cpus), runtime.Bind(binding),
		runtime.Argv(argv...), runtime.Into(&told))...)
	w.ended(told.Placement, err)
	marks := k.ended(&told)
	if g != nil {
		*g = graphRun{placement: told.Placement, counters: told.Counters.Map(), warnings: append(told.Warnings, marks...)}
		if !told.Pinned {
			g.warnings = append(g.warnings, "workers are not pinned: their processors are those they began on")
		}
	}
	return err
}
