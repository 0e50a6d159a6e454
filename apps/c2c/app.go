// Package c2c measures how long cache lines take from one processor to another, by the tests of the
// seed's benchmark: two ends, each on a processor of its own, exchange elements of
// 1, 2, 4 or 8 bytes, and a trial's time is divided by its transfers.
//
//	cfg := c2c.Defaults()                    // Test 1, 8 bytes, 20000 transfers
//	cfg.Test, cfg.Layout = c2c.Dual, c2c.Separate
//	app := c2c.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(2), runtime.CPUs([]int{2, 5}), runtime.Bind(runtime.BindListed))
//	r, err := app.Result()                   // r.OneWay(0): ns, by the clock of end A
//
// Every test has two kinds of form. [Polled] is the hardware: two EDTs that are bound to two workers hold a block in
// mode RW and poll it. [EDT] and [Chain] are the runtime: a chain of EDTs, alternately on the two workers, each made
// ready by the one before. [Local] is a chain on one worker, [Parked] one whose receivers sleep. [RunGoroutines] runs
// the loops of [Polled] without the runtime.
//
// A Config is one trial and a Result what it measured; the caller decides how many trials there are,
// and in which order. docs/c2c.md says what each figure means.
package c2c

import (
	"slices"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// An App is one trial as a graph of EDTs: give Main to runtime.Run with two
// workers, or with two ranks, then ask for the Result. End A is worker 0; B is worker 1,
// or the first worker of rank 1. It serves one run at a time and may be run again.
//
// Main, and the EDT that takes the result, run where the App is. The ends may be in two processes: they get all that
// they need as parameters and blocks.
type App struct {
	cfg    Config
	done   bool
	result Result
	err    error
}

// New returns an App for a Config that [Config.Validate] has accepted, of any form but [Goroutines].
func New(cfg Config) *App { return &App{cfg: cfg} }

// Result returns what the last run measured. An error is a [*trial.VerifyError],
// [ErrNoMeeting], [ErrNothing] or [trial.ErrIncomplete].
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
func places(c *edt.Ctx) [2]edt.Affinity {
	b := 1 % c.Workers()
	if ranks := c.Ranks(); ranks > 1 {
		b = c.Workers() / ranks
	}
	return [2]edt.Affinity{c.Bind(0), c.Bind(b)}
}

// polled makes the graph of form [Polled]: two EDTs, each bound to its worker, that
// hold one block in mode RW at the same time, and a collector that waits for both.
//
// A polling EDT waits, which EDTs do not: it relies on two workers that run at once
// and on no other EDT being placed on them.
func (a *App) polled(c *edt.Ctx) {
	block := task.Reserve[byte](c, a.cfg.memory())
	c.Synchronised(block.GUID) // the ends poll it
	deps := []edt.Source{edt.From(block.GUID, datablock.RW)}
	var ended [2]task.Event[task.Nothing]
	for side := range ended {
		ended[side] = task.Once[task.Nothing](c)
		deps = append(deps, edt.From(ended[side].GUID, datablock.Null))
	}
	collect := c.NewTemplate("c2c.collect", 0, len(deps), a.collect)
	c.NewEDT(collect, nil, deps...)
	c.DestroyTemplate(collect)
	for side, at := range places(c) {
		poll.NewWith(c, task.Opt{Output: ended[side], At: at}, a.cfg.plan(side), block.From())
	}
}

func (a *App) collect(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a.result, a.err = a.cfg.resultOf(fromPage(block.Bytes()))
	a.done = true
	c.DestroyBlock(block.GUID())
	return guid.Null
}

// poll is an end of form [Polled].
var poll = task.Define1("c2c.poll", func(_ *edt.Ctx, p plan, block task.RW[byte]) {
	p.config().runEnd(p.Side, fromPage(block.Slice()))
})

// A plan is a Config as the parameters of a polling EDT, which have no strings.
type plan struct {
	Side         int
	Test, Layout int // where in Tests and Layouts

	Width, Line, Length, Blocks, Transfers, Warmup int

	Limit      time.Duration
	CountPolls bool
}

func (c *Config) plan(side int) plan {
	return plan{
		side, slices.Index(Tests(), c.Test), slices.Index(Layouts(), c.Layout),
		c.Width, c.Line, c.Length, c.Blocks, c.Transfers, c.Warmup, c.Limit, c.CountPolls,
	}
}

func (p *plan) config() *Config {
	return &Config{
		Test: Tests()[p.Test], Form: Polled, Layout: Layouts()[p.Layout],
		Width: p.Width, Line: p.Line, Length: p.Length, Blocks: p.Blocks, Transfers: p.Transfers, Warmup: p.Warmup,
		Limit: p.Limit, CountPolls: p.CountPolls,
	}
}
