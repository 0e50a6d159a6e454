// Package synchp2p measures the app synch_p2p: its graphs of EDTs against a plain loop and against goroutines.
package synchp2p

import (
	"fmt"
	"slices"

	app "ocr/apps/synchp2p"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// Name is the app's.
const Name = "synch_p2p"

// Form is a form to measure.
type Form string

// The forms, by the names of their results.
const (
	EDT         Form = "edt"          // an EDT creates the next one of its strip, as the seed's EDTs do
	EDTAgain    Form = "edt-again"    // an EDT goes on as the next one of its strip
	EDTRecorded Form = "edt-recorded" // a timestep is a graph that is recorded once and run T times
	Serial      Form = "serial"       // a plain loop over the whole grid
	Goroutines  Form = "goroutines"   // one for each strip
)

// Forms are all forms.
func Forms() []Form { return []Form{EDT, EDTAgain, EDTRecorded, Serial, Goroutines} }

// A graph is how the EDTs of a form are made, and a word about it for readers of its results.
type graph struct {
	clone app.CloneForm
	about string
}

var graphs = map[Form]graph{
	EDT:      {app.CloneNew, "an EDT creates the next of its strip (clones itself), as in the seed"},
	EDTAgain: {app.CloneAgain, "an EDT goes on as the next of its strip (Ctx.Again)"},
	EDTRecorded: {app.CloneRecorded,
		"a timestep is a graph of P*W EDTs, recorded once and run T times (task.Graph); messages are no events"},
}

// IsGraph reports whether a form is a task graph, and HasEvents whether events link its strips.
func (f Form) IsGraph() bool   { return graphs[f] != graph{} }
func (f Form) HasEvents() bool { return f == EDT || f == EDTAgain }

// Config is what to measure.
type Config struct {
	Problem app.Config // Clone is not used
	Forms   []Form
}

// Defaults are the seed's problem in four forms.
func Defaults() Config {
	return Config{Problem: app.Defaults(), Forms: []Form{EDT, EDTRecorded, Serial, Goroutines}}
}

// counted returns the task graph whose counters are recorded: the seed's form, whose EDTs create the next one, or else
// the first graph; "" if there is none.
func (c Config) counted() Form {
	if slices.Contains(c.Forms, EDT) {
		return EDT
	}
	return append(slices.DeleteFunc(slices.Clone(c.Forms), func(f Form) bool { return !f.IsGraph() }), "")[0]
}

// settings returns the recorded configuration.
func (c Config) settings() report.Config {
	p := c.Problem
	return report.Settings(
		"P", p.Strips, "K", p.ColumnsPerStrip, "B", p.RowsPerBlock, "W", p.Phases, "T", p.Timesteps,
		"columns", p.GridColumns(), "rows", p.GridRows(), "place", string(p.Place), "channels", p.Channels,
		"forms", sizes.Join(c.Forms))
}

// resultName returns the name of a form's result: with the sizes, and with other settings that are not the default.
func (c Config) resultName(form Form, pool *testbed.Pool) string {
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
