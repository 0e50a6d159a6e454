package synchp2p

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A graphForm is a form of the task graph.
type graphForm struct {
	channels bool
	form     Form
}

var graphForms = []graphForm{
	{false, EDT}, {false, EDTAgain}, {true, EDT}, {true, EDTAgain}, {false, EDTRecorded},
}

// formsOverRanks are the graph forms that run over ranks: all but the recorded form.
var formsOverRanks = graphForms[:4]

func (f graphForm) in(cfg Config) Config {
	cfg.Channels, cfg.Form = f.channels, f.form
	return cfg
}

func (f graphForm) String() string { return fmt.Sprintf("%s, channels=%t", f.form, f.channels) }

var references = map[string]func(context.Context, Config) (Result, error){"serial": Serial, "goroutines": Goroutines}

// everyForm returns all forms of the program.
func everyForm(t *testing.T) map[string]func(Config) (Result, error) {
	forms := map[string]func(Config) (Result, error){}
	for name, run := range references {
		forms[name] = func(c Config) (Result, error) { return run(t.Context(), c) }
	}
	for _, form := range graphForms {
		forms["edt, "+form.String()] = func(c Config) (Result, error) {
			app := New(form.in(c))
			testrun.OK(t, edttest.Run(1, 2, app.Main()))
			return app.Result()
		}
	}
	return forms
}

// eachShape calls f with every combination of small parameters.
func eachShape(f func(Config)) {
	small := []int{1, 2, 3, 5}
	for _, p := range small {
		for _, k := range small {
			for _, b := range small {
				for _, w := range small {
					for _, t := range small {
						f(Config{Strips: p, ColumnsPerStrip: k, RowsPerBlock: b, Phases: w, Timesteps: t,
							Place: PlaceBlock, Form: EDT})
					}
				}
			}
		}
	}
}

func (c Config) String() string {
	return fmt.Sprintf("P=%d K=%d B=%d W=%d T=%d M=%d %s %s", c.Strips, c.ColumnsPerStrip, c.RowsPerBlock, c.Phases,
		c.Timesteps, c.GridColumns(), c.Place, graphForm{c.Channels, c.Form})
}

// checkResult asserts that a result is complete and right.
func checkResult(t *testing.T, cfg Config, r Result, err error) {
	t.Helper()
	want := float64(cfg.Timesteps * (cfg.GridRows() + cfg.GridColumns() - 2))
	if cfg.GridColumns() == 1 {
		want = float64(cfg.GridRows() - 1)
	}
	if err != nil || r.Checksum != want || r.Elapsed < 0 || r.TimedTimesteps != max(1, cfg.Timesteps-1) {
		t.Errorf("%v: corner %v, want %v; elapsed %v for %d timesteps; error %v", cfg, r.Checksum, want, r.Elapsed,
			r.TimedTimesteps, err)
	}
}

// counts are what the runtime counts, in closed form.
type counts struct{ edts, satisfies, events, blocks uint64 }

// countsOf returns the counts of a run. EDTs outside the sweep: main, realmain (or the EDT that records), the
// collector, and the EDT of the last corner. Messages: one a phase on each link of the ring, and one a timestep on the
// link back to strip 0. Events: realmain's output, and one a message and one announced ahead a link, or one channel a
// link. Blocks: two a strip, the setup, and the buffers: W, or with channels one a message, and if there is only one
// strip one for each phase without a message.
func countsOf(c Config) counts {
	p, w, t := uint64(c.Strips), uint64(c.Phases), uint64(c.Timesteps)
	n := counts{c.SweepEDTs() + 4, (p-1)*w*t + t, p + 1, 2*p + 1}
	switch {
	case c.Form == EDTRecorded:
		return counts{n.edts - 1, 1, 1, n.blocks + w} // no messages: the one satisfaction is the end of the graph
	case !c.Channels:
		n.events += n.satisfies
		n.blocks += w
	case c.Strips == 1 && c.Phases > 1:
		n.blocks += t*(w-1) - (t - 1) + n.satisfies
	default:
		n.blocks += n.satisfies
	}
	return n
}

// checkCounters compares what the runtime counted with the closed forms.
func checkCounters(t *testing.T, cfg Config, got edt.Counters) {
	t.Helper()
	want := countsOf(cfg)
	testrun.Equal(t, want, counts{got.EDTRun, got.EventSatisfied, got.EventCreated, got.BlockCreated}, "%v: counts", cfg)
	testrun.Equal(t, counts{want.edts - 1, 0, want.events, want.blocks},
		counts{got.EDTCreated, 0, got.EventDestroyed, got.BlockDestroyed}, "%v: created by EDTs, and destroyed", cfg)
}
