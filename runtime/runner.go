package runtime

import (
	"context"

	"ocr/edt"
)

// A Runner runs each program on workers of its own, as the function [Run] with these options.
type Runner []Option

// With returns a Runner with these options.
func With(opts ...Option) Runner { return opts }

// Run runs a program with the options of the Runner.
func (r Runner) Run(ctx context.Context, main edt.Func) error { return Run(ctx, main, r...) }
