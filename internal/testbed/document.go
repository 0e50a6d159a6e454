package testbed

import (
	"slices"
	"strings"

	"ocr/internal/report"
)

// About is what a suite's document says beside its results.
type About struct {
	App      string
	Settings report.Config // all that are recorded, see Bed.Settings
	Notes    []string      // what a reader of the figures has to know
	Graph    *GraphRun     // whose placement and counters it has; nil for none
}

// Document begins the document of a run: what it is of, how it was set up, and the facts
// of machine and build. The suite adds results, and says whether it is partial.
func (b *Bed) Document(a About) *report.Document {
	d := &report.Document{App: a.App, Argv: b.Argv, Config: a.Settings, Conditions: b.conditions, Verified: b.Verify}
	var placement []int
	notes := a.Notes
	if a.Graph != nil {
		placement, d.Counters, d.Ranks = a.Graph.Placement, a.Graph.Counters.Map(), a.Graph.Ranks
		notes = slices.Concat(notes, a.Graph.Warnings)
	}
	d.Begin(b.Machine, placement, notes...)
	b.Watch.into(d)
	return d
}

// Settings returns the part of the recorded settings that suites have in common.
func (b *Bed) Settings() report.Config {
	return slices.Concat(b.Pool.settings(), report.Config{
		{Key: "cpus", Value: b.Pool.CPUList()},
		{Key: "bind", Value: b.Pool.Bind.String()},
		{Key: "verify", Value: b.Verify},
		{Key: "seed", Value: b.Seed},
		{Key: "samples", Value: b.Samples},
		{Key: "warmup", Value: b.Warmup},
		{Key: "sample-time", Value: b.SampleTime.String()},
		{Key: "env", Value: strings.Join(b.Env, " ")},
	}, b.CheckSetting())
}

// settings records how many workers there are, and of what ranks if those are several.
func (p *Pool) settings() report.Config {
	return append(report.Config{{Key: "workers", Value: p.Workers}}, p.RankSettings()...)
}

// RankSettings records how many ranks there are, and what carries their messages; nothing if there is one.
func (p *Pool) RankSettings() report.Config {
	if p.Ranks == 1 {
		return nil
	}
	return report.Config{{Key: "ranks", Value: p.Ranks}, {Key: "engine", Value: p.engine}}
}

// CheckSetting records check mode if it is on.
func (b *Bed) CheckSetting() report.Config {
	if b.Options.Check == nil {
		return nil
	}
	return report.Config{{Key: "check", Value: true}}
}
