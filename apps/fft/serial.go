package fft

import "context"

// serial transforms all points by recursion.
func (a *App) serial(ctx context.Context, _ int) error {
	return a.form(ctx, func() { transform(a.spectrum, a.roots) })
}

// form times work on a copy of the input. The work takes seconds at most: ctx is asked before.
func (a *App) form(ctx context.Context, work func()) error {
	a.spectrum = append(a.spectrum[:0], a.input...)
	a.Begin()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	work()
	a.End()
	return nil
}
