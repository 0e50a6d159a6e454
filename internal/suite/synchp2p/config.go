package synchp2p

import (
	"fmt"
	"slices"

	app "ocr/apps/synchp2p"
	"ocr/internal/report"
	"ocr/internal/sizes"
	"ocr/internal/testbed"
)

// Name is the app's.
const Name = "synch_p2p"

// Form is an alternative that is run.
type Form string

// The forms, by the names of their results.
const (
	EDT        Form = "edt"         // as Config.Events says
	EDTChannel Form = "edt-channel" // a channel event for each link
	Serial     Form = "serial"      // a plain loop over the whole grid
	Goroutines Form = "goroutines"  // one for each strip
)

// Forms are all forms.
func Forms() []Form { return []Form{EDT, EDTChannel, Serial, Goroutines} }

// Events says what links the strips in form EDT.
type Events string

// The values of Events.
const (
	Sticky  Events = "sticky"
	Channel Events = "channel"
	Both    Events = "both" // one form after the other
)

// Clone says how EDTs come about in the forms that are task graphs.
type Clone string

// The values of Clone.
const (
	New   Clone = "new"   // an EDT creates the next one of its strip
	Again Clone = "again" // it goes on as the next one
	Each  Clone = "both"  // one form after the other
)

// A side is a form that is run, with what it leaves open if it is a task graph.
type side struct {
	Form
	clone app.CloneForm
}

// Config is what is measured.
type Config struct {
	Problem app.Config // Events and Clone are not used
	Forms   []Form
	Events  Events
	Clone   Clone
}

// Defaults are the seed's problem in three forms.
func Defaults() Config {
	return Config{Problem: app.Defaults(), Forms: []Form{EDT, Serial, Goroutines}, Events: Sticky, Clone: Again}
}

// sides returns what to run, in the order in which the forms were given.
func (c Config) sides() []side {
	graphs := map[Events][]Form{Sticky: {EDT}, Channel: {EDTChannel}, Both: {EDT, EDTChannel}}
	clones := map[Clone][]app.CloneForm{New: {app.CloneNew}, Again: {app.CloneAgain}, Each: {app.CloneAgain, app.CloneNew}}
	var list []side
	for _, form := range c.Forms {
		forms := []Form{form}
		if form == EDT {
			forms = graphs[c.Events]
		}
		for _, form := range forms {
			of := []app.CloneForm{""}
			if form.isGraph() {
				of = clones[c.Clone]
			}
			for _, clone := range of {
				if s := (side{form, clone}); !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// isGraph reports whether a form is a task graph.
func (f Form) isGraph() bool { return f == EDT || f == EDTChannel }

// settings returns the recorded configuration.
func (c Config) settings() report.Config {
	p := c.Problem
	return report.Config{
		{Key: "P", Value: p.Ranks}, {Key: "K", Value: p.ColumnsPerRank}, {Key: "B", Value: p.RowsPerBlock},
		{Key: "W", Value: p.Phases}, {Key: "T", Value: p.Timesteps},
		{Key: "columns", Value: p.GridColumns()}, {Key: "rows", Value: p.GridRows()},
		{Key: "place", Value: string(p.Place)}, {Key: "events", Value: string(c.Events)}, {Key: "clone", Value: string(c.Clone)}, {Key: "forms", Value: sizes.Join(c.Forms)},
		{Key: "check-grid", Value: p.PointsCompared() > 0},
	}
}

// resultName names a form's result: what is not in it is as by default.
func (c Config) resultName(s side, pool *testbed.Pool) string {
	p := c.Problem
	shape := fmt.Sprintf("K=%d", p.ColumnsPerRank)
	if p.Columns != 0 {
		shape = fmt.Sprintf("columns=%d", p.Columns)
	}
	name := fmt.Sprintf("%s/%s/P=%d/%s/B=%d/W=%d/T=%d/%s",
		Name, s.Form, p.Ranks, shape, p.RowsPerBlock, p.Phases, p.Timesteps, pool.InNames())
	if p.Place != app.Defaults().Place {
		name += "/place=" + string(p.Place)
	}
	if s.Form.isGraph() && s.clone != app.Defaults().Clone {
		name += "/clone=" + string(s.clone)
	}
	return name
}
