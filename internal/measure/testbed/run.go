package testbed

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"

	"ocr/edt"
	"ocr/internal/measure/machine"
	"ocr/runtime"
)

// RunGraph runs a task graph on the pool of the testbed. It sets r if the run has begun, also if it then fails. argv
// are the arguments of the graph, the app's name first.
func (b *Bed) RunGraph(ctx context.Context, main edt.Func, r *runtime.Report, argv ...string) error {
	return b.RunOn(ctx, b.Pool, main, r, argv...)
}

// RunOn is RunGraph on another pool.
func (b *Bed) RunOn(ctx context.Context, p *Pool, main edt.Func, r *runtime.Report, argv ...string) error {
	if err := p.start(); err != nil {
		return err
	}
	var told runtime.Report
	opts := slices.Concat(b.Options, p.options(), []runtime.Option{runtime.Argv(argv...), runtime.Into(&told)})
	if b.Observing {
		opts = append(opts, b.Watch.options()...)
	}
	err := runtime.Run(ctx, main, opts...)
	if option := new(runtime.OptionError); errors.As(err, &option) && machine.Lacks(p.CPUs) {
		err = endLike(ctx, fmt.Errorf("the system has taken processors of %s from this process", p.CPUList()))
	}
	b.Checks.add(told.Findings)
	if told.Workers == 0 { // the run has not begun
		return err
	}
	if !told.Pinned {
		told.Warnings = append(told.Warnings, "workers are not pinned: their processors are those they began on")
	}
	*r = told
	return err
}

// OnThreads runs a form without EDTs; Go has as many threads as the pool has workers.
func (b *Bed) OnThreads(run func(threads int) error) error {
	if b.Pool.Bind != runtime.BindNone {
		b.Aside("goroutines are not bound to processors, EDT workers are")
	}
	threads := b.Pool.Threads()
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(threads))
	return run(threads)
}
