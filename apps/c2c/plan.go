package c2c

import (
	"slices"
	"time"

	"ocr/edt"
	"ocr/task"
)

// A plan is what a polling EDT is told of its Config, as parameters.
type plan struct {
	Side         int
	Test, Layout int // where in Tests and Layouts

	Width, Line, Length, Blocks, Transfers, Warmup int

	Limit      time.Duration
	CountPolls bool
}

func (c *Config) plan(side int) plan {
	return plan{
		Side: side, Test: slices.Index(Tests(), c.Test), Layout: slices.Index(Layouts(), c.Layout),
		Width: c.Width, Line: c.Line, Length: c.Length, Blocks: c.Blocks, Transfers: c.Transfers, Warmup: c.Warmup,
		Limit: c.Limit, CountPolls: c.CountPolls,
	}
}

func (p *plan) config() *Config {
	return &Config{
		Test: Tests()[p.Test], Form: Polled, Layout: Layouts()[p.Layout],
		Width: p.Width, Line: p.Line, Length: p.Length, Blocks: p.Blocks, Transfers: p.Transfers, Warmup: p.Warmup,
		Limit: p.Limit, CountPolls: p.CountPolls,
	}
}

// poll is an end of form [Polled].
var poll = task.Define1("c2c.poll", func(_ *edt.Ctx, p plan, block task.RW[byte]) {
	p.config().runEnd(p.Side, fromPage(block.Slice()))
})
