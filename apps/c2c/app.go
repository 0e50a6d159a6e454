package c2c

import (
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
// Main, and the EDT that takes the result, run where the App is. The ends get all that
// they need as parameters and blocks: they may be in two processes.
type App struct {
	cfg    Config
	done   bool
	result Result
	err    error
}

// New returns an App for a Config that [Config.Validate] has accepted, of any form
// but [Goroutines].
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
	if a.cfg.Form == Polled {
		return a.polled
	}
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.chain(c)
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
func (a *App) polled(c *edt.Ctx, _ edt.Args) guid.GUID {
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
	return guid.Null
}

func (a *App) collect(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a.result, a.err = a.cfg.resultOf(fromPage(block.Bytes()))
	a.done = true
	c.DestroyBlock(block.GUID())
	return guid.Null
}
