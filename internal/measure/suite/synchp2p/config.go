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

// Form is an alternative that is run.
type Form string

// The forms, by the names of their results.
const (
	EDT             Form = "edt"               // an EDT creates the next one of its strip, as the seed's EDTs do
	EDTAgain        Form = "edt-again"         // an EDT goes on as the next one of its strip
	EDTRecorded     Form = "edt-recorded"      // a timestep is a graph that is recorded once and run T times
	EDTChannel      Form = "edt-channel"       // as EDT, with a channel event for each link
	EDTChannelAgain Form = "edt-channel-again" // as EDTAgain, with a channel event for each link
	Serial          Form = "serial"            // a plain loop over the whole grid
	Goroutines      Form = "goroutines"        // one for each strip
)

// Forms are all forms.
func Forms() []Form {
	return []Form{EDT, EDTAgain, EDTRecorded, EDTChannel, EDTChannelAgain, Serial, Goroutines}
}

// A graph is what a form that is a task graph asks of the app, and a word about it for readers of its results.
type graph struct {
	events app.EventForm
	clone  app.CloneForm
	about  string
}

var graphs = map[Form]graph{
	EDT: {app.EventsSticky, app.CloneNew,
		"an EDT creates the next of its strip (clones itself), as in the seed"},
	EDTAgain: {app.EventsSticky, app.CloneAgain, "an EDT goes on as the next of its strip (Ctx.Again)"},
	EDTRecorded: {app.EventsSticky, app.CloneRecorded,
		"a timestep is a graph of P*W EDTs, recorded once and run T times (task.Graph); messages are no events"},
	EDTChannel:      {app.EventsChannel, app.CloneNew, "as edt, with a channel event for each link"},
	EDTChannelAgain: {app.EventsChannel, app.CloneAgain, "as edt-again, with a channel event for each link"},
}

// IsGraph reports whether a form is a task graph.
func (f Form) IsGraph() bool { return graphs[f] != graph{} }

// Clones reports whether a form is a task graph whose EDTs create the next one.
func (f Form) Clones() bool { return graphs[f].clone == app.CloneNew }

// UsesChannels reports whether a form is a task graph with channel events.
func (f Form) UsesChannels() bool { return graphs[f].events == app.EventsChannel }

// Events says what links the strips in the forms EDT and EDTAgain.
type Events string

const (
	Sticky  Events = "sticky"
	Channel Events = "channel"
	Both    Events = "both" // one form after the other
)

// Clone says how EDTs are created in the forms that are task graphs, in place of what the forms' names say; "" for as
// they say.
type Clone string

const (
	New   Clone = "new"   // an EDT creates the next one of its strip
	Again Clone = "again" // it goes on as the next one
	Each  Clone = "both"  // one form after the other
)

// Config is what is measured.
type Config struct {
	Problem app.Config // Events and Clone are not used
	Forms   []Form
	Events  Events
	Clone   Clone
}

// Defaults are the seed's problem in four forms.
func Defaults() Config {
	return Config{Problem: app.Defaults(), Forms: []Form{EDT, EDTRecorded, Serial, Goroutines}, Events: Sticky}
}

// sides returns what to run, in the order in which the forms were given.
func (c Config) sides() []Form {
	var list []Form
	for _, form := range c.Forms {
		for _, side := range c.meant(form) {
			if !slices.Contains(list, side) {
				list = append(list, side)
			}
		}
	}
	return list
}

// counted returns the task graph whose counters are recorded: the first whose EDTs create the next one, as the seed's,
// else the first; "" if there is none.
func (c Config) counted() Form {
	graphs := slices.DeleteFunc(c.sides(), func(f Form) bool { return !f.IsGraph() })
	if k := slices.IndexFunc(graphs, Form.Clones); k >= 0 {
		return graphs[k]
	}
	return append(graphs, "")[0]
}

// meant returns the forms that one stands for, by Events and Clone.
func (c Config) meant(form Form) []Form {
	if !form.IsGraph() {
		return []Form{form}
	}
	events := map[Events][]app.EventForm{
		Sticky: {app.EventsSticky}, Channel: {app.EventsChannel}, Both: {app.EventsSticky, app.EventsChannel},
	}[c.Events]
	if form.UsesChannels() {
		events = []app.EventForm{app.EventsChannel}
	}
	clones := map[Clone][]app.CloneForm{
		"": {graphs[form].clone}, New: {app.CloneNew}, Again: {app.CloneAgain}, Each: {app.CloneNew, app.CloneAgain},
	}[c.Clone]
	var list []Form
	for _, side := range Forms() {
		if g := graphs[side]; slices.Contains(events, g.events) && slices.Contains(clones, g.clone) {
			list = append(list, side)
		}
	}
	return list
}

// settings returns the recorded configuration.
func (c Config) settings() report.Config {
	p := c.Problem
	return report.Settings(
		"P", p.Ranks, "K", p.ColumnsPerRank, "B", p.RowsPerBlock, "W", p.Phases, "T", p.Timesteps,
		"columns", p.GridColumns(), "rows", p.GridRows(), "place", string(p.Place), "events", string(c.Events),
		"forms", sizes.Join(c.sides()), "check-grid", p.PointsCompared() > 0)
}

// resultName names a form's result: what is not in it is as by default.
func (c Config) resultName(form Form, pool *testbed.Pool) string {
	p := c.Problem
	shape := fmt.Sprintf("K=%d", p.ColumnsPerRank)
	if p.Columns != 0 {
		shape = fmt.Sprintf("columns=%d", p.Columns)
	}
	name := fmt.Sprintf("%s/%s/P=%d/%s/B=%d/W=%d/T=%d/%s",
		Name, form, p.Ranks, shape, p.RowsPerBlock, p.Phases, p.Timesteps, pool.InNames())
	if p.Place != app.Defaults().Place {
		name += "/place=" + string(p.Place)
	}
	return name
}
