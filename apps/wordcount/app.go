package wordcount

import (
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// An App is one text, and the counts of the latest run: a [trial.App].
type App struct {
	trial.Clock
	cfg    Config
	text   []byte
	stream []byte            // the text, compressed
	want   map[string]uint32 // what Verify has counted
	counts table
}

var _ trial.App = (*App)(nil)

// New makes and compresses the text of a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	text := makeText(cfg)
	return &App{cfg: cfg, text: text, stream: pack(text, cfg.Block)}
}

// Work is the bytes of the text.
func (a *App) Work() (amount float64, unit string) { return float64(len(a.text)), "bytes" }

// plan is what the Config means in this run.
func (a *App) plan(c *edt.Ctx) plan {
	blocks := a.cfg.blocks()
	p := plan{blocks, min(a.cfg.Ahead, blocks), bufferBytes(a.cfg.Block), min(c.Places(), blocks), 1}
	if c.Ranks() > 1 { // workers do not steal from another rank
		p.Shelves, p.Buffers = p.Lanes, ceil(p.Buffers, p.Lanes)
	}
	return p
}

// Main returns the main EDT, which copies the stream to blocks.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		p, at := a.plan(c), func(k int) edt.Affinity { return c.Place(k) }
		trial.Scatter(c, p.split(c, a.stream), at, func(c *edt.Ctx, text []task.Block[byte]) {
			a.Begin()
			result := task.Once[byte](c)
			trial.Take(c, &a.Clock, result, func(bytes []byte) { a.counts = tableIn(slices.Clone(bytes)) })
			start(c, p, text, result)
		})
	})
}
