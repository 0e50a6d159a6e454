package taskbench

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// A flaw is a fault in the output of a task, or in the task itself, which a task must find.
type flaw struct {
	timestep, point int
	kind            flawKind
}

type flawKind uint8

const (
	flawByte   flawKind = iota // a byte of the output's last pair is wrong
	flawStale                  // the output is that of an earlier step
	flawGraph                  // the output is another graph's
	flawColumn                 // the output is another column's
	flawEdge                   // an edge brings no block
	numOutputFlaws
	flawStray   = numOutputFlaws + iota // the task's slots without an input have a block
	flawSlots                           // the task has one slot too many
	flawScratch                         // the task's scratch memory was overwritten
)

// put puts the flaw before a task that finds it.
func (f *flaw) put(g *graph, in edt.Args) {
	col, t, deps := g.columns[in.Param(paramColumn)], int(in.Param(paramStep)), in.Deps()
	own := datablock.Slice[uint64](&deps[slotOwn])
	if g.recorded {
		t = int(own[col.stepAt])
	}
	if f.kind > numOutputFlaws && f.timestep == t && f.point == col.number {
		f.putInTask(g, col, t, deps, own)
	}
	for k, from := range g.links(col, t) {
		switch {
		case f.kind > numOutputFlaws || f.timestep != t-1 || f.point != from.column || !from.has(t-1):
		case f.kind != flawEdge:
			words := own
			if from.mode == datablock.RO {
				words = datablock.Slice[uint64](&deps[k])
			}
			f.putInOutput(g, words[from.at+g.buffer(t-1)+guidWords:][:g.pairs])
		case k != slotOwn:
			deps[k] = datablock.Dep{}
		}
	}
}

func (f *flaw) putInTask(g *graph, col *column, t int, deps []datablock.Dep, own []uint64) {
	switch set := &col.sets[g.setOf(t)]; f.kind {
	case flawStray:
		copy(deps[1:2], deps[slotOwn:slotOwn+1])
	case flawSlots:
		*set = (*set)[:len(*set)-1]
	case flawScratch:
		own[col.scratch]++
	}
}

func (f *flaw) putInOutput(g *graph, output []uint64) {
	switch f.kind {
	case flawByte:
		output[len(output)-1] = source(g.number, f.point) ^ 1<<8
	case flawStale:
		fill(output, f.timestep-1, source(g.number, f.point))
	case flawGraph:
		fill(output, f.timestep, source(g.number+1, f.point))
	case flawColumn:
		fill(output, f.timestep, source(g.number, f.point+1))
	}
}

// putFlaw puts a flaw into the graphs of the test.
func putFlaw(t *testing.T, f flaw) {
	spoil = f.put
	t.Cleanup(func() { spoil = nil })
}

// runFlawed runs a graph with one faulty task and returns what the tasks found.
func runFlawed(t *testing.T, g Graph, f flaw, seed uint64, place Placement) *trial.VerifyError {
	t.Helper()
	err := runFlawedOn(t, g, f, place, edttest.New(seed, edt.Config{Workers: 1 + int(seed%3)}))
	found := testrun.As[*trial.VerifyError](t, err, "%v, flaw %+v, seed %d, %s", &g, f, seed, place)
	if strings.Contains(found.Error(), "\n") || found.Got == found.Want {
		t.Errorf("message %q", found)
	}
	return found
}

func runFlawedOn(t *testing.T, g Graph, f flaw, place Placement, h *edttest.Host) error {
	t.Helper()
	cfg := one(g)
	cfg.Place = place
	putFlaw(t, f)
	defer h.Graph.Close()
	return h.Run(New(cfg).Main())
}

// Whatever is wrong with the output of (6,1), a task of the next step finds it; a task itself finds a fault of its
// own. Each pattern is tried in both kinds of tiles, so that inputs are in the own block and in others, with outputs
// of one pair and of three, and recorded.
func TestVerificationNotices(t *testing.T) {
	for p := NoComm; p < numPatterns; p++ {
		for _, kind := range []flawKind{
			flawByte, flawStale, flawGraph, flawColumn, flawEdge, flawSlots, flawScratch,
		} {
			for seed := range uint64(12) {
				g := shape(p, 5, 20)
				g.Output, g.Scratch, g.Fraction = 48, 64, 0.9
				g.recorded = seed >= 8
				if p == NoComm && kind == flawEdge || g.recorded && p.GrowsOrShrinks() {
					continue
				}
				if seed >= 4 && kind != flawScratch {
					g.Output, g.Scratch = 16, 0
				}
				step := 6
				if kind > numOutputFlaws {
					step = 7
				}
				found := runFlawed(t, g, flaw{step, 1, kind}, seed, Placements()[seed%3])
				checkFound(t, g, kind, found)
			}
		}
	}
}

func checkFound(t *testing.T, g Graph, kind flawKind, e *trial.VerifyError) {
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
	for _, p := range []Pattern{NoComm, Stencil1D, Dom} {
		for seed := range uint64(4) {
			err := runFlawedOn(t, shape(p, 5, 20), flaw{6, 4, flawByte}, PlaceBound,
				edttest.NewApart(seed, 2, edt.Config{Workers: 1}))
			testrun.Fails(t, err, "of the output of (6,4): got graph 0, task (6,260), expected", "%v, seed %d", p, seed)
		}
	}
}

// Tasks of step 0 have no inputs.
func TestStrayInputIsNoticed(t *testing.T) {
	g := shape(Stencil1D, 4, 10)
	found := runFlawed(t, g, flaw{0, 2, flawStray}, 1, PlaceBound)
	if found.Where != "graph 0, task (0,2): output of (-1,1)" || found.Got != "one" {
		t.Errorf("found %v", found)
	}
}

// Without verification a wrong value in an input is ignored.
func TestVerificationCanBeOff(t *testing.T) {
	cfg := one(shape(Stencil1D, 5, 20))
	cfg.Verify = false
	app := New(cfg)
	putFlaw(t, flaw{6, 1, flawByte})
	testrun.OK(t, edttest.Run(1, 2, app.Main()))
	_, err := app.Result()
	testrun.OK(t, err)
}
