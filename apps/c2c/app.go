package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one trial as a graph of EDTs: give Main to runtime.Run with two
// workers, then ask for the Result. End A is worker 0, B is worker 1. It serves one
// run at a time and may be run again.
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
		return (&polled{app: a}).main
	}
	switch a.cfg.Width {
	case 1:
		return newHandOff[uint8](a).main
	case 2:
		return newHandOff[uint16](a).main
	case 4:
		return newHandOff[uint32](a).main
	}
	return newHandOff[uint64](a).main
}

// polled is the graph of form [Polled]: two EDTs, each bound to its worker, that
// hold one block in mode RW at the same time, and a collector that waits for both.
//
// A polling EDT waits, which EDTs do not: it relies on two workers that run at once
// and on no other EDT being placed on them.
type polled struct {
	app       *App
	collected int64
}

func (p *polled) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	p.collected = collections()
	block := c.NewBlockNoAcquire(p.app.cfg.memory())
	c.Synchronised(block) // the ends poll it
	shared := edt.From(block, datablock.RW)

	poll := c.NewTemplate("c2c.poll", 1, 2, p.poll)
	deps := []edt.Source{shared}
	var ends [2]guid.GUID
	for side := range ends {
		var ended guid.GUID
		ends[side], ended = c.Spawn(poll, &edt.Spec{
			Params: edt.Params(uint64(side)), Deps: []edt.Source{shared, edt.Open}, Output: true,
			Hint: edt.Hint{Affinity: c.Bind(side % c.Workers())},
		})
		deps = append(deps, edt.From(ended, datablock.Null))
	}
	collect := c.NewTemplate("c2c.collect", 0, len(deps), p.collect)
	c.NewEDT(collect, nil, deps...)
	for _, end := range ends {
		c.AddDependence(guid.Null, end, 1, datablock.Null)
	}
	c.DestroyTemplate(poll)
	c.DestroyTemplate(collect)
	return guid.Null
}

func (p *polled) poll(_ *edt.Ctx, in edt.Args) guid.GUID {
	p.app.cfg.runEnd(int(in.Param(0)), fromPage(in.Dep(0).Bytes()))
	return guid.Null
}

func (p *polled) collect(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a := p.app
	a.result, a.err = a.cfg.resultOf(fromPage(block.Bytes()), collections()-p.collected)
	a.done = true
	c.DestroyBlock(block.GUID())
	return guid.Null
}
