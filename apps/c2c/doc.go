// Package c2c is the core-to-core data-transfer suite as graphs of EDTs, after the
// seed's benchmark: two ends, each on a processor of its own, exchange elements of
// 1, 2, 4 or 8 bytes, and a trial's time is divided by its transfers.
//
//	cfg := c2c.Defaults()                    // Test 1, 8 bytes, 20000 transfers
//	cfg.Test, cfg.Layout = c2c.Dual, c2c.Separate
//	app := c2c.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2), runtime.CPUs([]int{2, 5}), runtime.Bind(runtime.BindListed))
//	r, err := app.Result()                   // r.OneWay(0): ns, by the clock of end A
//
// There are two forms of every test. [Polled] is the hardware: two EDTs that are
// bound to two workers hold a block in mode RW and poll it. [EDT] and [Chain] are the
// runtime: a chain of EDTs, alternately on the two workers, each made ready by the
// one before. [Local] is a chain on one worker, [Parked] one whose receivers sleep.
// [RunGoroutines] runs the loops of [Polled] without the runtime.
//
// A Config is one trial and a Result what it measured; how many trials there are,
// and in which order, is the caller's. docs/c2c.md says what each figure means.
package c2c
