// Package synchp2p measures the app synch_p2p: its graphs of EDTs against a plain loop and against goroutines.
package synchp2p

import (
	"fmt"

	app "ocr/apps/synchp2p"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// Name is the app's.
const Name = "synch_p2p"

// The forms without EDTs.
const (
	Serial     app.Form = "serial"     // a plain loop over the whole grid
	Goroutines app.Form = "goroutines" // one for each strip
)

// Forms are all forms.
func Forms() []app.Form { return append(app.Forms(), Serial, Goroutines) }

// about says what each task graph does, for readers of its results.
var about = map[app.Form]string{
	app.EDT:      "an EDT creates the next of its strip (clones itself), as in the seed",
	app.EDTAgain: "an EDT goes on as the next of its strip (Ctx.Again)",
	app.EDTRecorded: "a timestep is a graph of P*W EDTs, recorded once and run T times (task.Graph); messages are no " +
		"events",
}

// Config is what to measure.
type Config struct {
	Problem app.Config // Form is not used
	Forms   []app.Form
}

// Defaults are the seed's problem in four forms.
func Defaults() Config {
	return Config{Problem: app.Defaults(), Forms: []app.Form{app.EDT, app.EDTRecorded, Serial, Goroutines}}
}

func (c Config) settings() report.Config {
	p := c.Problem
	s := report.Settings("P", p.Strips)
	if p.Columns == 0 {
		s = s.With("K", p.ColumnsPerStrip)
	}
	return s.With(
		"B", p.RowsPerBlock, "W", p.Phases, "T", p.Timesteps,
		"columns", p.GridColumns(), "rows", p.GridRows(), "place", string(p.Place), "channels", p.Channels,
		"forms", sizes.Join(c.Forms))
}

// resultName returns the name of a form's result: with the sizes, and with other settings that are not the default.
func (c Config) resultName(form app.Form, pool *testbed.Pool) string {
	p := c.Problem
	shape := fmt.Sprintf("K=%d", p.ColumnsPerStrip)
	if p.Columns != 0 {
		shape = fmt.Sprintf("columns=%d", p.Columns)
	}
	name := fmt.Sprintf("%s/%s/P=%d/%s/B=%d/W=%d/T=%d/%s",
		Name, form, p.Strips, shape, p.RowsPerBlock, p.Phases, p.Timesteps, pool.InNames())
	if p.Place != app.Defaults().Place {
		name += "/place=" + string(p.Place)
	}
	if p.Channels && form.HasEvents() {
		name += "/links=channels"
	}
	return name
}
