package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/trace"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// record runs a program and returns its trace.
func record(t *testing.T, workers int, kept int, main edt.Func) (*trace.Recorder, runtime.Report) {
	t.Helper()
	rec := trace.New(workers, kept)
	var told runtime.Report
	err := runtime.Run(t.Context(), main, runtime.Workers(workers), runtime.Observe(rec.Observe), runtime.Into(&told))
	testrun.OK(t, err)
	rec.Stop()
	return rec, told
}

// tree is the template of EDTs that fork in two and join through events, down to a depth.
var tree = func() *edt.Template {
	join := edt.NewTemplate("trace.join", 0, 3, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	var fork *edt.Template
	fork = edt.NewTemplate("trace.fork", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		depth := in.Param(0)
		if depth == 0 {
			return guid.Null
		}
		var ends [2]guid.GUID
		for k := range ends {
			// The slot stays open until the dependence on the end is added.
			child, end := c.Spawn(fork, &edt.Spec{Params: edt.Params(depth - 1), Output: true})
			ends[k] = end
			defer c.AddDependence(guid.Null, child, 0, datablock.Null)
		}
		block, _ := c.NewBlock(8)
		c.Release(block)
		c.NewEDT(join, nil, edt.From(ends[0], datablock.Null), edt.From(ends[1], datablock.Null),
			edt.From(block, datablock.RO))
		return guid.Null
	})
	return fork
}()

func growTree(depth uint64) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(tree, edt.Params(depth), edt.From(guid.Null, datablock.Null))
		return guid.Null
	}
}

func TestFileTellsTheRun(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			rec, told := record(t, workers, 1<<16, growTree(8))
			f := parse(t, rec, trace.About{Process: "tree", CPUs: told.Placement})
			f.check(t)
			edts := f.of("X", "edt")
			if want := int(told.Counters.EDTRun); len(edts) != want || want != 1+511+255 {
				t.Errorf("%d slices, the run had %d EDTs", len(edts), want)
			}
			seen := map[string]bool{}
			for _, e := range edts {
				seen[string(e.Args)[:strings.Index(string(e.Args), ",")]] = true
			}
			testrun.Equal(t, len(edts), len(seen), "GUIDs of EDTs")
			// One for each child, whose slot is satisfied on its creation or later; two for
			// each join; one for the root.
			testrun.Equal(t, 510+2*255+1, len(f.of("s", "")), "arrows")
			if parked := len(f.of("X", "idle")); workers > 1 && parked == 0 {
				t.Error("no worker was ever idle")
			}
			names := map[string]bool{}
			for _, m := range f.of("M", "") {
				names[string(m.Args)] = true
			}
			for w, cpu := range told.Placement {
				if name := fmt.Sprintf(`{"name":"worker %d (CPU %d)"}`, w, cpu); !names[name] {
					t.Errorf("%s is missing in %v", name, names)
				}
			}
		})
	}
}

// TestSlices: EDTs of a template have one name; their arguments differ.
func TestSlices(t *testing.T) {
	rec, _ := record(t, 2, 100, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, _ := c.NewBlock(8)
		c.Release(block)
		for k := range uint64(3) {
			c.NewEDT(numbered, edt.Params(k), edt.From(block, datablock.RO), edt.From(guid.Null, datablock.Null))
		}
		return guid.Null
	})
	f := parse(t, rec, trace.About{})
	f.check(t)
	var got []string
	for _, e := range f.of("X", "edt") {
		var args struct {
			Label, GUID string
			Blocks      int
		}
		testrun.OK(t, json.Unmarshal(e.Args, &args))
		_, err := guid.Parse(args.GUID)
		testrun.OK(t, err)
		got = append(got, fmt.Sprintf("%s %q %d", e.Name, args.Label, args.Blocks))
	}
	slices.Sort(got)
	testrun.Same(t, []string{`main "" 1`, `trace."numbered" "number 0" 1`, `trace."numbered" "number 1" 1`,
		`trace."numbered" "number 2" 1`}, got, "slices")
}

var numbered = edt.NewTemplate("trace.\"numbered\"", 1, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }).
	Describe(func(params []uint64, _ []datablock.Dep) string { return fmt.Sprint("number ", params[0]) })

// A ring that is too short keeps the end of the run, and the file says what is missing.
func TestOldestAreDropped(t *testing.T) {
	for _, events := range []int{1, 2, 17, 100} {
		rec, _ := record(t, 1, events, programs["chain"](500))
		dropped := rec.Dropped()
		f := parse(t, rec, trace.About{})
		f.check(t)
		if f.OtherData.Which != "oldest" || dropped[0] == 0 || !slices.Equal(dropped, f.OtherData.Dropped) {
			t.Errorf("%d events: file says %+v", events, f.OtherData)
		}
		if n := len(f.of("X", "edt")); n > events || events > 17 && n < events/4 {
			t.Errorf("%d events: %d slices", events, n)
		}
	}
}

// An EDT that creates and satisfies another has one arrow to it.
func TestOneArrowFromCreatorThatSatisfies(t *testing.T) {
	rec, _ := record(t, 1, 1<<10, programs["events"](100))
	f := parse(t, rec, trace.About{})
	f.check(t)
	if s, c := len(f.of("s", "satisfy")), len(f.of("s", "create")); s != 99 || c != 1 {
		t.Errorf("%d arrows of satisfactions, %d of creations; want 99 and 1", s, c)
	}
}

// An EDT that goes on has one slice for each body, with an arrow from the slice before, or from the EDT that satisfies
// it.
func TestEDTThatGoesOn(t *testing.T) {
	const rounds = 6
	rec, told := record(t, 1, 1<<10, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		round := 0
		satisfies := c.NewTemplate("satisfies", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			c.Pass(guid.FromWords(datablock.Slice[uint64](in.Dep(0))[0], datablock.Slice[uint64](in.Dep(0))[1]), 0)
			return guid.Null
		})
		c.NewEDT(c.NewTemplate("round", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			if round++; round == rounds {
				return guid.Null
			}
			if round%2 == 0 {
				c.Again()
				return guid.Null
			}
			e := c.NewEvent(edt.Sticky)
			c.Again(edt.Change{Slot: 0, Source: e})
			g, bytes := c.NewBlock(16)
			datablock.SliceOf[uint64](bytes)[0], datablock.SliceOf[uint64](bytes)[1] = e.Words()
			c.Release(g)
			c.NewEDT(satisfies, nil, edt.From(g, datablock.RW))
			return guid.Null
		}), nil, edt.From(guid.Null, datablock.RW))
		return guid.Null
	})
	f := parse(t, rec, trace.About{})
	f.check(t)
	slices := map[string]int{}
	for _, e := range f.of("X", "edt") {
		slices[e.Name]++
	}
	if slices["round"] != rounds || slices["satisfies"] != rounds/2 || told.Counters.EDTRun != 1+rounds+rounds/2 {
		t.Errorf("slices %v", slices)
	}
	if s, c := len(f.of("s", "satisfy")), len(f.of("s", "create")); s != rounds/2 || c != rounds {
		t.Errorf("%d arrows of satisfactions, %d of creations; want %d and %d", s, c, rounds/2, rounds)
	}
}

// A worker that has found an EDT is not idle.
func TestIdleEnds(t *testing.T) {
	rec := trace.New(1, 10)
	h := edttest.New(1, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
		o := rec.Observe(w)
		for range 2 {
			o.WorkerIdle()
			o.WorkerParked()
			o.WorkerWoke()
			o.WorkerBusy()
			for begin := sys.Cycles(); float64(sys.Cycles()-begin)*sys.CyclePeriod() < 2000; {
			}
		}
		return o
	}})
	defer h.Graph.Close()
	rec.Stop()
	f := parse(t, rec, trace.About{})
	f.check(t)
	idle := slices.DeleteFunc(f.of("X", "idle"), func(e event) bool { return e.Name != "idle" })
	if len(idle) != 2 || len(f.of("X", "idle")) != 4 || idle[0].end() >= idle[1].begin() {
		t.Errorf("idle: %+v", idle)
	}
}

// A run that fails is recorded up to its failure.
func TestPanicEndsTheLastSlice(t *testing.T) {
	rec := trace.New(1, 100)
	err := runtime.Run(t.Context(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(leaf, nil)
		c.NewEDT(c.NewTemplate("bad", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { panic("bad") }), nil)
		return guid.Null
	}, runtime.Workers(1), runtime.Observe(rec.Observe))
	testrun.As[*edt.PanicError](t, err)
	rec.Stop()
	f := parse(t, rec, trace.About{Ending: err.Error()})
	f.check(t)
	edts := f.of("X", "edt")
	last := edts[len(edts)-1]
	if last.Name != "bad" || !strings.Contains(string(last.Args), `"unfinished":true`) ||
		f.OtherData.Ending != err.Error() {
		t.Errorf("last slice %+v %s, ending %q", last, last.Args, f.OtherData.Ending)
	}
}

func TestNothingRan(t *testing.T) {
	rec := trace.New(2, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := runtime.Run(ctx, growTree(1), runtime.Workers(2), runtime.Observe(rec.Observe)); err == nil {
		t.Fatal("the run was not cancelled")
	}
	rec.Stop()
	f := parse(t, rec, trace.About{})
	f.check(t)
	if n := len(f.of("X", "")); n > 0 {
		t.Errorf("%d slices", n)
	}
}

func TestRecordingAllocatesNothing(t *testing.T) {
	for name, program := range programs {
		mallocs := func(n int) uint64 {
			var before, after goruntime.MemStats
			rec := trace.New(1, 1<<10)
			goruntime.ReadMemStats(&before)
			testrun.OK(t, runtime.Run(t.Context(), program(n), runtime.Workers(1), runtime.Observe(rec.Observe)))
			goruntime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		mallocs(20_000) // the process keeps the memory that the first run maps
		short, long := mallocs(100), mallocs(20_000)
		if long > short+100 {
			t.Errorf("%s: %d allocations with 100 EDTs, %d with 20000", name, short, long)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteErrors(t *testing.T) {
	rec, _ := record(t, 1, 100, programs["chain"](10))
	testrun.Fails(t, rec.Write(full{}, trace.About{}), "full", "error")
}
