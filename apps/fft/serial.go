package fft

import "context"

// serial transforms all points by recursion.
func (a *App) serial(context.Context, int) error {
	a.start()
	transform(a.spectrum, a.roots)
	a.End()
	return nil
}

// start copies the input, and starts the clock.
func (a *App) start() {
	a.spectrum = append(a.spectrum[:0], a.input...)
	a.Begin()
}
