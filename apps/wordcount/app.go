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
	p := plan{blocks, min(a.cfg.Ahead, blocks), bufferBytes(a.cfg.Block), min(c.Places(), blocks), 1}
	if c.Ranks() > 1 { // workers do not steal from another rank
		p.Shelves = p.Lanes
	}
	return p
}

// Main returns the main EDT, which copies the stream to blocks, one for each frame. It and the one that
// takes the result are the only EDTs that know the App.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		stream := task.Channel[byte](c, a.cfg.blocks())
		for frame := range frames(a.stream) {
			block, bytes := task.Make[byte](c, len(frame))
			copy(bytes, frame)
			stream.Send(c, block)
		}
		a.Begin()

		result := task.Once[byte](c)
		trial.Take(c, &a.Clock, result, func(bytes []byte) { a.counts = tableIn(slices.Clone(bytes)) })
		start(c, a.plan(c), stream, result)
		return guid.Null
	}
}
