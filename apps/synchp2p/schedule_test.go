package synchp2p

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// A graphForm is a form of the task graph.
type graphForm struct {
	channels bool
	clone    CloneForm
}

var graphForms = []graphForm{
	{false, CloneNew}, {false, CloneAgain}, {true, CloneNew}, {true, CloneAgain}, {false, CloneRecorded},
}

// formsOverRanks are those of them that run over ranks: all but the recorded one.
var formsOverRanks = graphForms[:4]

func (f graphForm) in(cfg Config) Config {
	cfg.Channels, cfg.Clone = f.channels, f.clone
	return cfg
}

func (f graphForm) String() string { return fmt.Sprintf("%s, channels=%t", f.clone, f.channels) }

// eachShape calls f with every combination of small parameters.
func eachShape(f func(Config)) {
	small := []int{1, 2, 3, 5}
	for _, p := range small {
		for _, k := range small {
			for _, b := range small {
				for _, w := range small {
					for _, t := range small {
						f(graphForms[0].in(Config{
							Ranks: p, ColumnsPerRank: k, RowsPerBlock: b, Phases: w, Timesteps: t,
							Place: PlaceBlock,
						}))
					}
				}
			}
		}
	}
}

func (c Config) String() string {
	return fmt.Sprintf("P=%d K=%d B=%d W=%d T=%d M=%d %s %s",
		c.Ranks, c.ColumnsPerRank, c.RowsPerBlock, c.Phases, c.Timesteps, c.GridColumns(), c.Place,
		graphForm{c.Channels, c.Clone})
}

// checkCounters compares what the runtime counted with the closed forms.
func checkCounters(t *testing.T, cfg Config, got edt.Counters) {
	t.Helper()
	for _, count := range []struct {
		name      string
		got, want uint64
	}{
		{"EDTs run", got.EDTRun, cfg.EDTs() + cfg.BookkeepingEDTs()},
		{"EDTs created (main is not)", got.EDTCreated, cfg.EDTs() - 1 + cfg.BookkeepingEDTs()},
		{"satisfies (the last brings the outcome)", got.EventSatisfied, cfg.Satisfies() + 1},
		{"events created", got.EventCreated, cfg.AllEvents()},
		{"events destroyed", got.EventDestroyed, cfg.AllEvents()},
		{"blocks created", got.BlockCreated, cfg.Blocks()},
		{"blocks destroyed", got.BlockDestroyed, cfg.Blocks()},
	} {
		testrun.Equal(t, count.want, count.got, "%v: %s", cfg, count.name)
	}
}

// checkResult asserts a complete and right result.
func checkResult(t *testing.T, cfg Config, r Result, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%v: %v", cfg, err)
		return
	}
	want := float64(cfg.Timesteps * (cfg.GridRows() + cfg.GridColumns() - 2))
	if cfg.GridColumns() == 1 {
		want = float64(cfg.GridRows() - 1)
	}
	if r.Checksum != want || r.Elapsed < 0 || r.TimedTimesteps != max(1, cfg.Timesteps-1) {
		t.Errorf("%v: corner %v, want %v; elapsed %v for %d timesteps", cfg, r.Checksum, want, r.Elapsed,
			r.TimedTimesteps)
	}
}

// runPermuted runs one Config under the ready order that a seed gives.
func runPermuted(t *testing.T, cfg Config, seed uint64, workers int) {
	t.Helper()
	testrun.OK(t, cfg.Validate(0))
	runOver(t, cfg, edttest.New(seed, edt.Config{Workers: workers}), 1)
}

func runOver(t *testing.T, cfg Config, h *edttest.Host, ranks int) {
	t.Helper()
	defer h.Graph.Close()
	app := New(cfg)
	if err := h.Run(app.Main()); err != nil {
		t.Errorf("%v: %v", cfg, err)
		return
	}
	r, err := app.Result()
	checkResult(t, cfg, r, err)
	counters := h.Graph.Counters()
	if ranks > 1 { // rank 0 awaits the last corner
		counters.EDTRun, counters.EDTCreated = counters.EDTRun-1, counters.EDTCreated-1
	}
	checkCounters(t, cfg, counters)
	for _, leak := range h.Graph.Leaks() {
		t.Errorf("%v: leak: %v", cfg, leak)
	}
}

func TestPermutedSchedules(t *testing.T) {
	seed := uint64(0)
	eachShape(func(cfg Config) {
		for _, form := range graphForms {
			seed++
			cfg = form.in(cfg)
			cfg.Place = placements[seed%3]
			runPermuted(t, cfg, seed, 1+int(seed%4))
		}
	})
}

func TestPermutedRemainders(t *testing.T) {
	for p := 1; p <= 7; p++ {
		for columns := p; columns < 3*p; columns++ {
			cfg := Defaults()
			cfg.Ranks, cfg.Columns, cfg.Timesteps = p, columns, 3
			for k, form := range graphForms {
				cfg = form.in(cfg)
				runPermuted(t, cfg, uint64(columns), 1+k)
			}
		}
	}
}

// More phases than ranks is where a pool of P buffers would be overwritten.
func TestPermutedManyPhases(t *testing.T) {
	for seed := range uint64(20) {
		cfg := Config{
			Ranks: 4, ColumnsPerRank: 2, RowsPerBlock: 2, Phases: 20, Timesteps: 4,
			Place: PlaceNone,
		}
		for _, form := range graphForms {
			runPermuted(t, form.in(cfg), seed, 3)
		}
	}
}

func TestSeedCorner(t *testing.T) {
	cfg := Defaults()
	runPermuted(t, cfg, 1, 2)
	testrun.Equal(t, 7300, cfg.CornerAfter(100), "corner of the seed's parameters")
	for name, count := range map[string][2]uint64{
		"sweep EDTs": {cfg.SweepEDTs(), 8000}, "EDTs": {cfg.EDTs(), 8002}, "satisfies": {cfg.Satisfies(), 7300},
		"sticky events": {cfg.StickyEvents(), 7310}, "blocks": {cfg.Blocks(), 30},
	} {
		testrun.Equal(t, count[1], count[0], "%s of the seed's parameters", name)
	}
}

// TestRecordedStaysOnARank: over ranks the recorded form ends with one line.
func TestRecordedStaysOnARank(t *testing.T) {
	cfg := Defaults()
	cfg.Clone = CloneRecorded
	h := edttest.NewRanks(1, 2, edt.Config{Workers: 1})
	defer h.Graph.Close()
	err := h.Run(New(cfg).Main())
	if want := "worker 1 is on rank 1: a recording lives on one rank"; !errors.Is(err, edt.ErrHint) ||
		!strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}

// TestRanks: the forms over 2 and 4 ranks of the runtime. Of two, each runs a fifth of the EDTs at least, of four an
// eighth.
func TestRanks(t *testing.T) {
	cfg := Config{Ranks: 8, ColumnsPerRank: 2, RowsPerBlock: 2, Phases: 4, Timesteps: 4}
	for seed := range uint64(4) {
		for _, form := range formsOverRanks {
			cfg = form.in(cfg)
			cfg.Place = placements[seed%2]
			for _, ranks := range []int{2, 4} {
				runtime := edt.Config{Workers: 1 + int(seed/2)}
				runOver(t, cfg, edttest.NewRanks(seed, ranks, runtime), ranks)
				apart := edttest.NewApart(seed, ranks, runtime)
				runOver(t, cfg, apart, ranks)
				for rank, n := range apart.Ran() {
					if n < int(cfg.SweepEDTs())/map[int]int{2: 5, 4: 8}[ranks] {
						t.Errorf("%v: rank %d of %d has run %d EDTs", cfg, rank, ranks, n)
					}
				}
			}
		}
	}
}
