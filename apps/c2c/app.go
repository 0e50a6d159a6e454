// Package c2c measures how long a cache line takes from one processor to another, by the tests of ucb-cyarp's
// core-core.cpp (below: the seed). Two ends, each on a processor of its own, exchange elements of 1, 2, 4 or 8 bytes.
// The result is the time of a trial divided by its transfers.
//
//	cfg := c2c.Defaults()                    // Test 1, 8 bytes, 20000 transfers
//	cfg.Test = c2c.Dual
//	app := c2c.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2), runtime.CPUs([]int{2, 5}), runtime.Bind(runtime.BindListed))
//	r, err := app.Result()                   // r.OneWay(0): ns, by the clock of end A
//
// Every test has three forms: [Polled] measures the hardware, [EDT] the runtime, and [Goroutines] are the loops of
// [Polled] without the runtime.
//
// A sends the odd transfers, B the even ones: the sender writes k in transfer k, cut to the width of the element, and
// the receiver polls until it reads that value. A's clock starts before A writes the first timed element and stops
// when A has read the last reply. Both ends meet and warm up first. Loads acquire and stores release (package cell). In
// form [EDT] ends do not poll or meet: releases of blocks and satisfactions of events order them.
//
// The seed polls until a value is greater than its counter: that is wrong when a narrow counter wraps, and hides
// errors. Here the value must equal the expected one. The seed writes the value read plus 1; here the end computes that
// value before it polls, so nothing lies between the load and the store.
//
// A Config is one trial, and a Result is what the trial measured; the caller chooses the number and order of trials.
package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one trial as a graph of EDTs: give Main to runtime.Run with two workers, then call Result. End A is worker
// 0, B is worker 1. An App serves one run at a time, and may run again.
type App struct {
	cfg    Config
	result Result
	err    error
}

// New returns an App for a Config that [Config.Validate] has accepted, of any form but [Goroutines].
func New(cfg Config) *App {
	return &App{cfg: cfg, result: Result{Config: cfg}, err: trial.ErrIncomplete}
}

// Result returns what the last run measured. An error is a [*trial.VerifyError],
// [ErrNoMeeting], [ErrTooSlow] or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) { return a.result, a.err }

// Main returns the main EDT.
func (a *App) Main() edt.Func {
	a.err = trial.ErrIncomplete
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.result, a.err = Result{Config: a.cfg}, trial.ErrIncomplete
		if a.cfg.Form == Polled {
			a.polled(c)
		} else {
			a.chain(c)
		}
		return guid.Null
	}
}

// places returns where the two ends run: on workers 0 and 1, or both on the only worker.
func places(c *edt.Ctx) [2]edt.Affinity { return [2]edt.Affinity{c.Bind(0), c.Bind(1 % c.Workers())} }

// polled makes the graph of form [Polled]: two EDTs, each bound to its worker, that hold one block in mode RW at the
// same time, and EDT c2c.collect, which waits for both.
//
// A polling EDT blocks its worker, which bodies must not do. It relies on two workers that run at the same time, and on
// no other EDT being placed on them.
func (a *App) polled(c *edt.Ctx) {
	p := &polling{Config: a.cfg}
	block := c.NewBlockNoAcquire(p.memory())
	c.Synchronised(block) // the ends poll it
	ended := [2]guid.GUID{c.NewEvent(edt.Once), c.NewEvent(edt.Once)}
	both := []edt.Source{edt.From(ended[0], datablock.Null), edt.From(ended[1], datablock.Null)}
	trial.When(c, "c2c.collect", both, func(c *edt.Ctx, _ edt.Args) {
		a.result, a.err = p.result()
		c.DestroyBlock(block)
	})
	poll := c.NewTemplate("c2c.poll", 1, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
		p.runEnd(int(in.Param(0)), in.Dep(0).Bytes())
		return guid.Null
	})
	for side, at := range places(c) {
		c.Spawn(poll, &edt.Spec{
			Params: edt.Params(uint64(side)), Deps: []edt.Source{edt.From(block, datablock.RW)},
			OutputEvent: ended[side], Hint: edt.Hint{Affinity: at},
		})
	}
	c.DestroyTemplate(poll)
}
