package taskbench

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
)

// runFlawed runs a graph with one task gone wrong and returns what the tasks found.
func runFlawed(t *testing.T, g Graph, f flaw, seed uint64, place Placement) *VerifyError {
	t.Helper()
	cfg := one(g)
	cfg.Place, cfg.Window = place, 4
	app := New(cfg)
	app.flaw = &f
	h := edttest.New(seed, edt.Config{Workers: 1 + int(seed%3)})
	defer h.Graph.Close()
	if err := h.Run(app.Main()); err != nil {
		t.Fatalf("%v, flaw %+v: %v", &g, f, err)
	}
	_, err := app.Result()
	var found *VerifyError
	if !errors.As(err, &found) {
		t.Fatalf("%v, flaw %+v, seed %d, %s: not noticed: %v", &g, f, seed, place, err)
	}
	if strings.Contains(found.Error(), "\n") || !strings.Contains(found.Error(), fmt.Sprintf("task (%d,%d): ", found.Timestep, found.Point)) {
		t.Errorf("message %q", found)
	}
	return found
}

// Whatever is wrong with the output of (6,1), the first to notice are tasks of the step
// after; what is wrong with its EDT, it notices itself. Each pattern is tried in both
// kinds of tiles, so that inputs come in the own block and in others.
func TestVerificationNotices(t *testing.T) {
	for p := NoComm; p < numPatterns; p++ {
		for kind := range numFlaws {
			if p == NoComm && (kind == flawEdge || kind == flawSlots) || kind == flawStray {
				continue
			}
			for seed := range uint64(4) {
				g := shape(p, 5, 20)
				g.Output, g.Scratch, g.Fraction = 48, 64, 0.9
				step := 6
				if kind == flawSlots {
					step = 7 // no turn: its slots would be behind the one too many
				}
				found := runFlawed(t, g, flaw{timestep: step, point: 1, kind: kind}, seed, placements[seed%3])
				checkFound(t, g, kind, found)
			}
		}
	}
}

func checkFound(t *testing.T, g Graph, kind flawKind, e *VerifyError) {
	t.Helper()
	ok := e.Flaw == FlawValue && e.Timestep == 7 && e.From == 1
	switch kind {
	case flawByte:
		ok = ok && e.Pair == 2 && e.GotTimestep == 6 && e.GotPoint == 1|1<<8
	case flawStale:
		ok = ok && e.GotTimestep < 6
	case flawGraph:
		ok = ok && e.GotGraph == 1 && e.GotPoint == 1 && e.GotTimestep == 6
	case flawColumn:
		ok = ok && e.GotGraph == 0 && e.GotPoint == 2
	case flawEdge:
		ok = e.Flaw == FlawMissing && e.Timestep == 7 && e.From == 1
	case flawSlots:
		ok = e.Flaw == FlawCount && e.Timestep == 7 && e.Point == 1 && e.Got == e.Want+1
	case flawScratch:
		ok = e.Flaw == FlawScratch && e.Timestep == 7 && e.Point == 1
	}
	if !ok {
		t.Errorf("%v, flaw %d: found %v (%+v)", &g, kind, e, *e)
	}
}

// In step 0 there is nothing to take.
func TestStrayInputIsNoticed(t *testing.T) {
	g := shape(Stencil1D, 4, 10)
	found := runFlawed(t, g, flaw{timestep: 0, point: 2, kind: flawStray}, 1, PlaceBound)
	if found.Flaw != FlawExtra || found.Timestep != 0 || found.Point != 2 || !strings.Contains(found.Error(), "an output came from column 1") {
		t.Errorf("found %v", found)
	}
}

// Without verification nothing is checked, but a missing input cannot go unnoticed.
func TestVerificationCanBeOff(t *testing.T) {
	cfg := one(shape(Stencil1D, 5, 20))
	cfg.Verify = false
	app := New(cfg)
	app.flaw = &flaw{timestep: 6, point: 1, kind: flawByte}
	if err := edttest.Run(1, 2, app.Main()); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Result(); err != nil {
		t.Error(err)
	}
}

func TestVerifyErrorMessages(t *testing.T) {
	for want, e := range map[string]VerifyError{
		"graph 1, task (7,2): pair 3 of the output of (6,4) says graph 0, task (5,9)": {Graph: 1, Timestep: 7, Point: 2, Flaw: FlawValue, From: 4, Pair: 3, GotTimestep: 5, GotPoint: 9},
		"task (7,2): no output came from (6,4)":                                       {Timestep: 7, Point: 2, Flaw: FlawMissing, From: 4},
		"task (7,2): an output came from column 4, which has none in step 6":          {Timestep: 7, Point: 2, Flaw: FlawExtra, From: 4},
		"task (7,2): 3 slots, expected 4":                                             {Timestep: 7, Point: 2, Flaw: FlawCount, Got: 3, Want: 4},
		"task (7,2): the scratch memory was overwritten":                              {Timestep: 7, Point: 2, Flaw: FlawScratch},
	} {
		if got := e.Error(); !strings.Contains(got, want) {
			t.Errorf("%q, want %q in it", got, want)
		}
	}
}
