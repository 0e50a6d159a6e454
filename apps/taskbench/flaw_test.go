package taskbench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A badTask is a task with a fault, which other tasks must find.
type badTask struct {
	graph, timestep, point int
	kind                   badKind
}

type badKind uint8

const (
	flawByte    badKind = iota // a byte of the output's last pair is wrong
	flawStale                  // the output is not written: an old version is passed on
	flawGraph                  // the output is another graph's
	flawColumn                 // the output is another column's
	flawEdge                   // its first edge brings no block
	flawStray                  // its slots without an input get a block
	flawSlots                  // its EDT has one slot too many
	flawScratch                // it overwrites its scratch memory
	numFlaws
)

func (f *badTask) is(g *graph, t, i int) bool {
	return f.graph == g.number && f.timestep == t && f.point == i
}

func (f *badTask) write(g *graph, words, output []uint64, t, i int) bool {
	if !f.is(g, t, i) {
		return false
	}
	switch f.kind {
	case flawByte:
		fill(output, t, source(g.number, i))
		output[len(output)-1] ^= 1 << 8
	case flawGraph:
		fill(output, t, source(g.number+1, i))
	case flawColumn:
		fill(output, t, source(g.number, i+1))
	case flawScratch:
		words[g.columns[i].scratch]++
		return false
	case flawEdge, flawStray, flawSlots:
		return false
	}
	return true
}

func (f *badTask) send(g *graph, c *edt.Ctx, t, i int, to guid.GUID, out *edge) bool {
	set := g.columns[i].sets[g.setOf(t+1)].out
	if f.kind != flawEdge || !f.is(g, t, i) || out.column != set[0].column {
		return false
	}
	c.AddDependence(guid.Null, to, out.slot, datablock.Null)
	return true
}

func (f *badTask) create(g *graph, c *edt.Ctx, t, i int) guid.GUID {
	if f.kind != flawStray && f.kind != flawSlots || !f.is(g, t, i) {
		return guid.Null
	}
	set, extra := &g.columns[i].sets[g.setOf(t)], 0
	if f.kind == flawSlots {
		extra = 1
	}
	id := c.NewEDTAt(g.places[i], c.NewTemplate("taskbench.spoilt", numParams, set.slots+extra, g.body()),
		edt.Params(uint64(t), uint64(i)))
	for _, in := range set.others() {
		if !in.has(t) {
			c.AddDependence(g.blocks[g.columns[i].tile], id, in.slot, datablock.Null)
		}
	}
	if f.kind == flawSlots {
		c.AddDependence(guid.Null, id, set.slots, datablock.Null)
	}
	return id
}

// runFlawed runs a graph with one faulty task and returns what the tasks found.
func runFlawed(t *testing.T, g Graph, f badTask, seed uint64, place Placement) *trial.VerifyError {
	t.Helper()
	return runFlawedOn(t, g, f, seed, place, edttest.New(seed, edt.Config{Workers: 1 + int(seed%3)}))
}

func runFlawedOn(t *testing.T, g Graph, f badTask, seed uint64, place Placement, h *edttest.Host) *trial.VerifyError {
	t.Helper()
	cfg := one(g)
	cfg.Place = place
	app := New(cfg)
	app.flaw = &f
	defer h.Graph.Close()
	testrun.OK(t, h.Run(app.Main()), "%v, flaw %+v", &g, f)
	_, err := app.Result()
	var found *trial.VerifyError
	if !errors.As(err, &found) {
		t.Fatalf("%v, flaw %+v, seed %d, %s: not noticed: %v", &g, f, seed, place, err)
	}
	if strings.Contains(found.Error(), "\n") || found.Got == found.Want {
		t.Errorf("message %q", found)
	}
	return found
}

// Whatever is wrong with the output of (6,1), tasks of the next step find it first; a fault of its EDT the task finds
// itself. Each pattern is tried in both kinds of tiles, so that inputs are in the own block and in others, with outputs
// of one pair and of three, and recorded.
func TestVerificationNotices(t *testing.T) {
	for p := NoComm; p < numPatterns; p++ {
		for kind := range numFlaws {
			if p == NoComm && (kind == flawEdge || kind == flawSlots) || kind == flawStray {
				continue
			}
			for seed := range uint64(12) {
				g := shape(p, 5, 20)
				g.Output, g.Scratch, g.Fraction = 48, 64, 0.9
				if g.recorded = seed >= 8; g.recorded && !canBeRecorded(p, kind) {
					continue
				}
				if seed >= 4 && kind != flawScratch {
					g.Output, g.Scratch = 16, 0
				}
				step := 6
				if kind == flawSlots {
					step = 7
				}
				found := runFlawed(t, g, badTask{timestep: step, point: 1, kind: kind}, seed, Placements()[seed%3])
				checkFound(t, g, kind, found)
			}
		}
	}
}

// canBeRecorded reports whether a recorded graph can have the flaw. Its nodes create no EDTs and send nothing.
func canBeRecorded(p Pattern, kind badKind) bool {
	return !p.growsOrShrinks() && kind != flawEdge && kind != flawSlots
}

func checkFound(t *testing.T, g Graph, kind badKind, e *trial.VerifyError) {
	t.Helper()
	var graph, step, point, pair, gotGraph, gotStep, gotPoint int
	fmt.Sscanf(e.Where, "graph %d, task (%d,%d): pair %d of", &graph, &step, &point, &pair)
	fmt.Sscanf(e.Got, "graph %d, task (%d,%d)", &gotGraph, &gotStep, &gotPoint)
	ok := step == 7 && strings.HasSuffix(e.Where, "of the output of (6,1)") && e.Want == "graph 0, task (6,1)"
	switch kind {
	case flawByte:
		ok = ok && pair == g.Output/pairBytes-1 && gotStep == 6 && gotPoint == 1|1<<8
	case flawStale:
		ok = ok && gotStep < 6
	case flawGraph:
		ok = ok && gotGraph == 1 && gotPoint == 1 && gotStep == 6
	case flawColumn:
		ok = ok && gotGraph == 0 && gotPoint == 2
	case flawEdge:
		ok = step == 7 && strings.HasSuffix(e.Where, ": output of (6,1)") && e.Got == "none"
	case flawSlots:
		got, _ := strconv.Atoi(e.Got)
		want, err := strconv.Atoi(e.Want)
		ok = e.Where == "graph 0, task (7,1): slots" && err == nil && got == want+1
	case flawScratch:
		ok = strings.HasPrefix(e.Where, "graph 0, task (7,1): first word of the scratch")
	}
	if !ok {
		t.Errorf("%v, flaw %d: found %v (%+v)", &g, kind, e, *e)
	}
}

// A fault that a task on another rank finds is the result of the run.
func TestVerificationNoticesOverRanks(t *testing.T) {
	defer known.Clear() // the ranks of a failed run do not forget its graphs
	for _, p := range []Pattern{NoComm, Stencil1D, Dom} {
		for seed := range uint64(4) {
			f := badTask{timestep: 6, point: 4, kind: flawByte}
			flawElsewhere = &f
			found := runFlawedOn(t, shape(p, 5, 20), f, seed, PlaceBound,
				edttest.NewApart(seed, 2, edt.Config{Workers: 1}))
			flawElsewhere = nil
			if !strings.HasPrefix(found.Where, "graph 0, task (7,") ||
				!strings.HasSuffix(found.Where, "of the output of (6,4)") || found.Got != "graph 0, task (6,260)" {
				t.Errorf("%v, seed %d: found %v", p, seed, found)
			}
		}
	}
}

// Tasks of step 0 have no inputs.
func TestStrayInputIsNoticed(t *testing.T) {
	g := shape(Stencil1D, 4, 10)
	found := runFlawed(t, g, badTask{timestep: 0, point: 2, kind: flawStray}, 1, PlaceBound)
	if found.Where != "graph 0, task (0,2): output of (-1,1)" || found.Got != "one" {
		t.Errorf("found %v", found)
	}
}

// Without verification tasks check nothing, but a missing input still ends the run.
func TestVerificationCanBeOff(t *testing.T) {
	cfg := one(shape(Stencil1D, 5, 20))
	cfg.Verify = false
	app := New(cfg)
	app.flaw = &badTask{timestep: 6, point: 1, kind: flawByte}
	testrun.OK(t, edttest.Run(1, 2, app.Main()))
	if _, err := app.Result(); err != nil {
		t.Error(err)
	}
}
