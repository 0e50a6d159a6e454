package runtime

import (
	"context"

	"ocr/edt"
)

// A Runner runs programs with options. [With] makes one.
type Runner struct {
	run func(context.Context, edt.Func) error
}

// With returns a Runner that runs each program on workers of its own, as the function [Run] with these options.
func With(opts ...Option) Runner {
	return Runner{func(ctx context.Context, main edt.Func) error { return Run(ctx, main, opts...) }}
}

// Run runs a program with the options of the Runner.
func (r Runner) Run(ctx context.Context, main edt.Func) error {
	if r.run == nil {
		return &OptionError{"Runner", "it is zero; With makes one"}
	}
	return r.run(ctx, main)
}
