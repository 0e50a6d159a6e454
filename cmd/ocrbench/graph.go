package main

import (
	"context"

	"ocr/edt"
	"ocr/runtime"
)

// run runs a graph on the pool. It fills g, when not nil, with what the runtime
// tells of the run.
func (p *pool) run(ctx context.Context, main edt.Func, g *graphRun, argv ...string) error {
	binding, err := runtime.ParseBinding(p.bind)
	if err != nil {
		return err
	}
	var told runtime.Report
	err = runtime.Run(ctx, main,
		runtime.Workers(p.workers), runtime.CPUs(p.cpus), runtime.Bind(binding),
		runtime.Argv(argv...), runtime.Into(&told))
	if g != nil {
		*g = graphRun{placement: told.Placement, counters: told.Counters.Map(), warnings: told.Warnings}
		if !told.Pinned {
			g.warnings = append(g.warnings, "workers are not pinned: their processors are those they began on")
		}
	}
	return err
}
