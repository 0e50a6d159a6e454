package synchp2p

import (
	"fmt"
	"slices"

	app "ocr/apps/synchp2p"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/internal/sizes"
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
	Goroutines Form = "goroutines"  // one for each rank
)

// Forms are all forms.
func Forms() []Form { return []Form{EDT, EDTChannel, Serial, Goroutines} }

// Events says what links the ranks in form EDT.
type Events string

// The values of Events.
const (
	Sticky  Events = "sticky"
	Channel Events = "channel"
	Both    Events = "both" // one form after the other
)

// Config is what is measured.
type Config struct {
	Problem app.Config // Events is not used
	Forms   []Form
	Events  Events
}

// Defaults are the seed's problem in three forms.
func Defaults() Config {
	return Config{Problem: app.Defaults(), Forms: []Form{EDT, Serial, Goroutines}, Events: Sticky}
}

// forms returns the forms to run, in the order in which they were given.
func (c Config) forms() []Form {
	graphs := map[Events][]Form{Sticky: {EDT}, Channel: {EDTChannel}, Both: {EDT, EDTChannel}}
	var list []Form
	for _, form := range c.Forms {
		forms := []Form{form}
		if form == EDT {
			forms = graphs[c.Events]
		}
		for _, form := range forms {
			if !slices.Contains(list, form) {
				list = append(list, form)
			}
		}
	}
	return list
}

// settings returns the recorded configuration.
func (c Config) settings() report.Config {
	p := c.Problem
	return report.Config{
		{Key: "P", Value: p.Ranks}, {Key: "K", Value: p.ColumnsPerRank}, {Key: "B", Value: p.RowsPerBlock},
		{Key: "W", Value: p.Phases}, {Key: "T", Value: p.Timesteps},
		{Key: "columns", Value: p.GridColumns()}, {Key: "rows", Value: p.GridRows()},
		{Key: "place", Value: string(p.Place)}, {Key: "events", Value: string(c.Events)}, {Key: "forms", Value: sizes.Join(c.Forms)},
		{Key: "check-grid", Value: p.CheckGrid},
	}
}

// resultName names a form's result: what is not in it is as by default.
func (c Config) resultName(form Form, pool *harness.Pool) string {
	p := c.Problem
	shape := fmt.Sprintf("K=%d", p.ColumnsPerRank)
	if p.Columns != 0 {
		shape = fmt.Sprintf("columns=%d", p.Columns)
	}
	name := fmt.Sprintf("%s/%s/P=%d/%s/B=%d/W=%d/T=%d/workers=%d",
		Name, form, p.Ranks, shape, p.RowsPerBlock, p.Phases, p.Timesteps, pool.Workers)
	if p.Place != app.Defaults().Place {
		name += "/place=" + string(p.Place)
	}
	return name
}
