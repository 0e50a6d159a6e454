package edt_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

const maxWorkers = 3

// A trial is one run of a program, on one host.
type trial struct {
	t       *testing.T
	where   string
	workers int
	ranks   int // 0 for one
	pool    bool

	// The program may set these before it runs.
	argv   []string
	sites  bool
	memory uint64

	checks []func(err error)
	want   func(err error) // nil: the run must end without an error

	counters edt.Counters
	leaks    []edt.Leak
}

// everywhere runs a program under permuted schedules of 1 to 3 pretended workers, on pools of 1 to 3 real ones, and
// over ranks. build makes the program afresh for each.
func everywhere(t *testing.T, build func(tr *trial) edt.Func) {
	t.Helper()
	underSeeds(t, 10, build)
}

// underSeeds is everywhere with this number of seeds, for programs on which schedules have little influence.
func underSeeds(t *testing.T, seeds uint64, build func(tr *trial) edt.Func) {
	t.Helper()
	oneRank(t, seeds, build)
	overRanks(t, testrun.Sized(1, min(seeds, 3), seeds), build)
}

// oneRank runs a program in one process: on pretended workers, as underSeeds does, and on a pool.
func oneRank(t *testing.T, seeds uint64, build func(tr *trial) edt.Func) {
	t.Helper()
	seeds = testrun.Sized(min(seeds, 2), seeds, 10*seeds)
	for workers := 1; workers <= maxWorkers; workers++ {
		for seed := range seeds {
			tr := &trial{t: t, workers: workers, where: fmt.Sprintf("seed %d, %d pretended workers", seed, workers)}
			tr.simulate(seed, build)
			if t.Failed() {
				return
			}
		}
	}
	onPool(t, build)
}

// overRanks runs a program over 2 and 4 ranks, whose EDTs are spread by the seed.
func overRanks(t *testing.T, seeds uint64, build func(tr *trial) edt.Func) {
	t.Helper()
	for _, ranks := range []int{2, 4} {
		if testing.Short() && ranks == 2 {
			continue // half the time under the race detector; one goroutine runs all ranks
		}
		for seed := range seeds {
			tr := &trial{t: t, workers: 2 * ranks, ranks: ranks, where: fmt.Sprintf("seed %d, %d ranks", seed, ranks)}
			tr.simulate(seed, build)
			if t.Failed() {
				return
			}
		}
	}
}

// onPool runs a program on pools. A program whose EDTs must overlap runs only there.
func onPool(t *testing.T, build func(tr *trial) edt.Func) {
	t.Helper()
	for workers := 1; workers <= maxWorkers && !t.Failed(); workers++ {
		tr := &trial{t: t, workers: workers, pool: true, where: fmt.Sprintf("pool of %d", workers)}
		tr.runPool(build)
	}
}

func (tr *trial) simulate(seed uint64, build func(tr *trial) edt.Func) {
	tr.t.Helper()
	main := build(tr)
	cfg := edt.Config{Workers: tr.workers, Sites: tr.sites, Memory: tr.memory}
	h := edttest.New(seed, cfg)
	if tr.ranks > 1 {
		h.Graph.Close()
		cfg.Workers /= tr.ranks
		h = edttest.NewRanks(seed, tr.ranks, cfg)
	}
	defer h.Graph.Close()
	defer tr.noPanic()
	err := h.Run(main, tr.argv...)
	tr.counters = h.Graph.Counters()
	tr.leaks = onAnyRank(h.Graph.Leaks())
	tr.judge(err)
}

func (tr *trial) runPool(build func(tr *trial) edt.Func) {
	tr.t.Helper()
	main := build(tr)
	var report runtime.Report
	opts := []runtime.Option{
		runtime.Workers(tr.workers), runtime.Argv(tr.argv...), runtime.Into(&report), runtime.LeakReport(),
		runtime.Memory(tr.memory),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: func(s runtime.Stall) {
			testrun.Hangs(tr.t, s)
		}}),
	}
	if tr.sites {
		opts = append(opts, runtime.TrackSites())
	}
	defer tr.noPanic()
	err := runtime.Run(context.Background(), main, opts...)
	tr.counters = report.Counters.Counters
	tr.leaks = report.Leaks
	tr.judge(err)
}

// noPanic turns a panic that a host lets through into a failure of the test.
func (tr *trial) noPanic() {
	if v := recover(); v != nil {
		tr.Errorf("the host panicked: %v", v)
	}
}

func (tr *trial) judge(err error) {
	tr.t.Helper()
	if tr.want != nil {
		tr.want(err)
	} else if err != nil {
		tr.Errorf("run: %v", err)
	}
	for _, check := range tr.checks {
		check(err)
	}
}

// Helper and Errorf may be called inside EDTs, Fatalf only before and after the run.
func (tr *trial) Helper() { tr.t.Helper() }

func (tr *trial) Fatalf(format string, args ...any) {
	tr.t.Helper()
	tr.t.Fatalf("%s: %s", tr.where, fmt.Sprintf(format, args...))
}

func (tr *trial) Errorf(format string, args ...any) {
	tr.t.Helper()
	tr.t.Errorf("%s: %s", tr.where, fmt.Sprintf(format, args...))
}

// after adds a check that is called when the run has ended.
func (tr *trial) after(check func()) { tr.checks = append(tr.checks, func(error) { check() }) }

// A tally counts what happens in EDTs.
type tally struct{ n atomic.Int64 }

func (n *tally) add()      { n.n.Add(1) }
func (n *tally) get() int  { return int(n.n.Load()) }
func (n *tally) next() int { return int(n.n.Add(1)) }

// times makes a tally that must be want when the run has ended.
func (tr *trial) times(what string, want int) *tally {
	n := new(tally)
	tr.after(func() {
		tr.t.Helper()
		testrun.Equal(tr, want, n.get(), "%s", what)
	})
	return n
}

type action = func(c *edt.Ctx, in edt.Args)

// reads returns the body of an EDT that counts itself and must find a word in the block of slot 0.
func (tr *trial) reads(ran *tally, want uint64) action {
	return func(_ *edt.Ctx, in edt.Args) {
		ran.add()
		testrun.Equal(tr, want, wordOf(in.Dep(0)), "read")
	}
}

// body turns an action into the body of an EDT, which returns Null.
func body(f action) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		f(c, in)
		return guid.Null
	}
}

func program(main func(tr *trial, c *edt.Ctx)) func(tr *trial) edt.Func {
	return func(tr *trial) edt.Func { return body(func(c *edt.Ctx, _ edt.Args) { main(tr, c) }) }
}

// counting returns the program main with a tally that must be want when the run has ended.
func counting(what string, want int, main func(tr *trial, c *edt.Ctx, n *tally)) func(tr *trial) edt.Func {
	return func(tr *trial) edt.Func {
		n := tr.times(what, want)
		return body(func(c *edt.Ctx, _ edt.Args) { main(tr, c, n) })
	}
}

func nothing(*edt.Ctx, edt.Args) {}

// open creates an EDT whose slots are all open.
func open(c *edt.Ctx, slots int, f action) guid.GUID {
	return c.NewEDT(c.NewTemplate("open", 0, slots, body(f)), nil)
}

// launch creates an EDT with these dependences.
func launch(c *edt.Ctx, f action, deps ...edt.Source) guid.GUID {
	return c.NewEDT(c.NewTemplate("launched", 0, len(deps), body(f)), nil, deps...)
}

// rw makes a source from an event or block, in the default mode.
func rw(g guid.GUID) edt.Source { return edt.From(g, datablock.RW) }

// wordBlock makes a released block of one 64-bit word.
func wordBlock(c *edt.Ctx, v uint64) guid.GUID {
	g, b := c.NewBlock(8)
	datablock.SliceOf[uint64](b)[0] = v
	c.Release(g)
	return g
}

func wordOf(d *datablock.Dep) uint64 { return datablock.Slice[uint64](d)[0] }

func create(c *edt.Ctx, t *edt.Template, s edt.Spec) (task, output guid.GUID) { return c.Spawn(t, &s) }

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
