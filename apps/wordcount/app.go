package wordcount

import (
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
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
	p := plan{Buffers: min(a.cfg.Ahead, blocks), BufferBytes: bufferBytes(a.cfg.Block), Lanes: min(c.Places(), blocks), Shelves: 1}
	if c.Ranks() > 1 {
		p.Lanes = min(c.Places()-1, blocks)
		p.Shelves = p.Lanes
	}
	return p
}

// Main returns the main EDT, which copies the stream to a block. It and the one that
// takes the result are the only EDTs that know the App.
func (a *App) Main() edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.Clock = trial.Clock{}
		stream, bytes := task.Make[byte](c, len(a.stream))
		copy(bytes, a.stream)
		stream.Release(c)
		a.Begin()

		result := task.Once[byte](c)
		trial.Take(c, &a.Clock, result, func(bytes []byte) { a.counts = tableIn(slices.Clone(bytes)) })
		start(c, a.plan(c), stream, result)
		return guid.Null
	}
}
