// Package c2c measures how long cache lines take from one processor to another, by the tests of the
// seed's benchmark: two ends, each on a processor of its own, exchange elements of
// 1, 2, 4 or 8 bytes, and a trial's time is divided by its transfers.
//
//	cfg := c2c.Defaults()                    // Test 1, 8 bytes, 20000 transfers
//	cfg.Test = c2c.Dual
//	app := c2c.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2), runtime.CPUs([]int{2, 5}), runtime.Bind(runtime.BindListed))
//	r, err := app.Result()                   // r.OneWay(0): ns, by the clock of end A
//
// Every test has three forms. [Polled] is the hardware: two EDTs that are bound to two workers hold a block in mode RW
// and poll it. [EDT] is the runtime: a chain of EDTs, alternately on the two workers, each made ready by the one
// before. [RunGoroutines] runs the loops of [Polled] without the runtime.
//
// A sends the odd transfers, B the even ones: transfer k writes the value k, cut to the width of the element, and the
// receiver polls until it finds that value. A's clock starts before it writes the first timed element and stops when it
// has seen the last reply. Both ends meet and warm up first. Loads acquire and stores release (package cell); EDTs are
// ordered by the release and the satisfaction.
//
// The seed (ucb-cyarp's core-core.cpp) polls until a value is greater than its counter, which is wrong if a narrow
// counter wraps, and hides errors: here it must be equal to the next one. It writes the value read plus 1: here that is
// computed beforehand, so nothing lies between the load and the store.
//
// A Config is one trial and a Result what it measured; the caller decides how many trials there are,
// and in which order.
package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one trial as a graph of EDTs: give Main to runtime.Run with two workers, then ask for the Result. End A is
// worker 0, B is worker 1. It serves one run at a time and may be run again.
type App struct {
	cfg    Config
	done   bool
	result Result
	err    error
}

// New returns an App for a Config that [Config.Validate] has accepted, of any form but [Goroutines].
func New(cfg Config) *App { return &App{cfg: cfg} }

// Result returns what the last run measured. An error is a [*trial.VerifyError],
// [ErrNoMeeting], [ErrTooSlow] or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) {
	if !a.done {
		return Result{Config: a.cfg}, trial.ErrIncomplete
	}
	return a.result, a.err
}

// Main returns the main EDT.
func (a *App) Main() edt.Func {
	a.done, a.err = false, nil
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		if a.cfg.Form == Polled {
			a.polled(c)
		} else {
			a.chain(c)
		}
		return guid.Null
	}
}

// places returns where the ends are.
func places(c *edt.Ctx) [2]edt.Affinity { return [2]edt.Affinity{c.Bind(0), c.Bind(1 % c.Workers())} }

// polled makes the graph of form [Polled]: two EDTs, each bound to its worker, that
// hold one block in mode RW at the same time, and a collector that waits for both.
//
// A polling EDT waits, which EDTs do not: it relies on two workers that run at once
// and on no other EDT being placed on them.
func (a *App) polled(c *edt.Ctx) {
	block := c.NewBlockNoAcquire(a.cfg.memory())
	c.Synchronised(block) // the ends poll it
	ended := [2]guid.GUID{c.NewEvent(edt.Once), c.NewEvent(edt.Once)}
	collect := c.NewTemplate("c2c.collect", 0, 3, a.collect)
	c.NewEDT(collect, nil, edt.From(block, datablock.RW),
		edt.From(ended[0], datablock.Null), edt.From(ended[1], datablock.Null))
	c.DestroyTemplate(collect)
	poll := c.NewTemplate("c2c.poll", 1, 1, a.poll)
	for side, at := range places(c) {
		c.Spawn(poll, &edt.Spec{
			Params: edt.Params(uint64(side)), Deps: []edt.Source{edt.From(block, datablock.RW)},
			OutputEvent: ended[side], Hint: edt.Hint{Affinity: at},
		})
	}
	c.DestroyTemplate(poll)
}

// poll is an end.
func (a *App) poll(_ *edt.Ctx, in edt.Args) guid.GUID {
	a.cfg.runEnd(int(in.Param(0)), fromPage(in.Dep(0).Bytes()))
	return guid.Null
}

func (a *App) collect(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a.result, a.err = a.cfg.resultOf(fromPage(block.Bytes()))
	a.done = true
	c.DestroyBlock(block.GUID())
	return guid.Null
}
