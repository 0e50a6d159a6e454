package edt_test

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func value(d *datablock.Dep) *uint64 { return &datablock.Slice[uint64](d)[0] }

// TestRecordingMemory: a sealed node with two edges and a block takes at most 200 bytes, its record included.
func TestRecordingMemory(t *testing.T) {
	const nodes, record = 20_000, 128
	heap := func() uint64 {
		for range 2 { // one collection leaves what sync.Pools hold
			goruntime.GC()
		}
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	err := runtime.Run(t.Context(), body(func(c *edt.Ctx, _ edt.Args) {
		nop := c.NewTemplate("nop", 0, 1, body(nothing))
		blocks := make([]guid.GUID, nodes)
		for k := range blocks {
			blocks[k] = c.NewBlockNoAcquire(8)
		}
		before := heap()
		r := c.NewRecording()
		last := [2]edt.Node{}
		for k := range nodes {
			n := r.Add(nop, nil, edt.From(blocks[k], datablock.EW))
			n.After(last[0], last[1])
			last = [2]edt.Node{last[1], n}
		}
		r.Seal(c)
		each := record + (float64(heap())-float64(before))/nodes
		if t.Logf("%.0f bytes a node", each); each > 200 {
			t.Error("too many")
		}
		r.Destroy(c)
	}), runtime.Workers(1))
	testrun.OK(t, err)
}

// TestReplayHoldsItsBlocks: to an EDT outside, all runs act as one EDT, although the nodes release their block early.
func TestReplayHoldsItsBlocks(t *testing.T) {
	for modes, want := range map[[2]datablock.Mode]uint64{
		{datablock.EW, datablock.EW}: 6, {datablock.RW, datablock.Const}: 3, {datablock.RO, datablock.RW}: 3,
	} {
		for _, outside := range []datablock.Mode{datablock.EW, datablock.Const, datablock.RW} {
			if modes[0] == datablock.RO && outside == datablock.RW {
				continue // it runs beside the graph
			}
			for workers := range 3 {
				tr := &trial{t: t, workers: 1 + workers, where: fmt.Sprintf("%v, %v outside", modes, outside)}
				tr.simulate(uint64(workers), program(func(tr *trial, c *edt.Ctx) {
					a, r, looked := c.NewBlockNoAcquire(8), c.NewRecording(), tr.times("look", 3)
					look := c.NewTemplate("look", 0, 1, body(tr.reads(looked, want)))
					var self [2]guid.GUID
					var before edt.Node
					for k, m := range modes {
						n := r.Add(c.NewTemplate("step", 0, 2, body(func(c *edt.Ctx, in edt.Args) {
							if m == datablock.RW || m == datablock.EW {
								*value(in.Dep(0))++
							}
							if self[k] != c.Self() && !self[k].IsNull() {
								tr.Errorf("node %d is %v, and was %v", k, c.Self(), self[k])
							}
							if self[k] = c.Self(); k == 0 {
								c.NewEDT(look, nil, edt.From(a, outside))
							}
							c.Release(a)
							if in.Dep(0).Size() != 0 || in.Dep(1).GUID() != a || in.Dep(1).Size() != 0 {
								tr.Errorf("the body has more than the name of the block")
							}
						})), nil, edt.From(a, m), edt.From(a, datablock.Null))
						n.After(before)
						before = n
					}
					r.Run(c, 3, guid.Null)
				}))
			}
		}
	}
}

// TestReplayWithoutTemplates: a sealed recording runs as before if its templates are destroyed, and their numbers stay
// theirs.
func TestReplayWithoutTemplates(t *testing.T) {
	for _, sites := range []bool{false, true} {
		ran := 0
		h := edttest.New(1, edt.Config{Workers: 1, Sites: sites})
		testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
			step := c.NewTemplate("step", 0, 0, body(func(*edt.Ctx, edt.Args) { ran++ }))
			r, done := c.NewRecording(), c.NewEvent(edt.Once)
			r.Add(step, nil)
			r.Seal(c)
			c.DestroyTemplate(step)
			c.DestroyTemplate(c.NewTemplate("other", 0, 0, body(nothing)))
			c.NewEDT(c.NewTemplate("end", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				c.NewTemplate("another", 0, 0, body(nothing))
				r.Destroy(c)
			})), nil, edt.From(done, datablock.Null))
			r.Run(c, 3, done)
		})))
		if h.Graph.Close(); ran != 3 {
			t.Errorf("sites %v: the node ran %d times", sites, ran)
		}
	}
}

// recordsTaken is the number of records that a worker takes at a time. It uses the first of them again and again.
const recordsTaken = 4096

// TestReplayHints: hints hold in all runs. The records are used again after the recording is destroyed.
func TestReplayHints(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		order, highest := []int(nil), uint64(0)
		block := wordBlock(c, 0)
		worker := c.Worker()
		step := c.NewTemplate("step", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
			*value(in.Dep(0))++
			order = append(order, int(in.Param(0)))
			_, lo := c.Self().Words()
			if highest = max(highest, lo%recordsTaken); c.Worker() != worker {
				tr.Errorf("a bound node runs on worker %d, want %d", c.Worker(), worker)
			}
		}))
		var next *edt.Template
		next = c.NewTemplate("next", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
			if left := in.Param(0); left > 0 {
				r, done := c.NewRecording(), c.NewEvent(edt.Sticky)
				add := func(k uint64, source guid.GUID) edt.Node {
					return r.Add(step, edt.Params(k), ew(source)).SetHint(edt.Hint{Affinity: edt.BindTo(worker)})
				}
				a, b := add(0, block), add(2, block)
				add(1, a.Slot(0))
				a.After(add(3, b.Slot(0)), edt.Node{})
				c.NewEDTAt(edt.BindTo(worker), c.NewTemplate("end", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
					r.Destroy(c)
					c.NewEDTAt(edt.BindTo(worker), next, edt.Params(left-1), rw(guid.Null))
				})), nil, rw(done))
				r.Run(c, 2, done)
				return
			}
			if want := slices.Repeat([]int{2, 3, 0, 1}, 2*40); !slices.Equal(order, want) || highest > 100 {
				tr.Errorf("highest record %d, order %v, want %v", highest, order, want)
			}
		}))
		c.NewEDTAt(edt.BindTo(worker), next, edt.Params(40), rw(guid.Null))
	}))
}

// TestReplayStaleNamesTheNode: if a block is gone when the graph runs, the error names the line that added the node.
func TestReplayStaleNamesTheNode(t *testing.T) {
	for _, sites := range []bool{false, true} {
		h := edttest.New(1, edt.Config{Workers: 1, Sites: sites})
		err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
			r := newDraft(c)
			b := wordBlock(c, 1)
			r.Add(r.t, nil, rw(r.n.Slot(0)), rw(b))
			r.Seal(c)
			c.DestroyBlock(b)
			r.Run(c, 1, guid.Null)
		}))
		h.Graph.Close()
		testrun.Fails(t, err, "slot 1 of node 1, added at recording_test.go:", "sites %t", sites)
	}
}

// TestWatchedReplayNamesItsCaller: an error about a node of a watched run names the EDT that called Run.
func TestWatchedReplayNamesItsCaller(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 1, Sites: true})
	defer h.Graph.Close()
	var self guid.GUID
	err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		self = c.Self()
		r := newDraft(c)
		r.Run(c, 1, guid.Null)
		c.DestroyBlock(r.a) // the node is not made yet
	}))
	testrun.Is(t, err, edt.ErrStale)
	if e := testrun.As[*edt.Error](t, err); e.EDT != self || e.Template != "main" {
		t.Errorf("%v: by %v of %q, want %v of main", err, e.EDT, e.Template, self)
	}
}

// TestRefusedAndRecovered: after Seal or Run has refused a graph and the body has recovered, an error has the line of
// its own call, and the recording does not run.
func TestRefusedAndRecovered(t *testing.T) {
	refused := func(call func()) {
		defer func() { _ = recover() }()
		call()
	}
	var line int
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		r := newDraft(c)
		r.Add(r.t, edt.Params(1))
		refused(func() { r.Seal(c) })
		_, _, line, _ = goruntime.Caller(0)
		c.Release(guid.Null)
	}))
	testrun.Is(t, err, edt.ErrCount)
	testrun.Fails(t, err, fmt.Sprintf("(recording_test.go:%d)", line+1))

	err = edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		r := newDraft(c)
		r.Seal(c)
		c.DestroyBlock(r.a)
		refused(func() { r.Run(c, 1, guid.Null) })
		r.Destroy(c)
	}))
	if testrun.Is(t, err, edt.ErrStale); errors.Is(err, edt.ErrRuns) {
		t.Errorf("the graph never ran: %v", err)
	}
}

// TestReplayEnds: a panic, an abort and a shutdown in a node end the run. Snapshots and reports show nodes as EDTs.
func TestReplayEnds(t *testing.T) {
	for name, end := range map[string]struct {
		body action
		want func(err error) bool
	}{
		"panic": {func(*edt.Ctx, edt.Args) { panic("own") }, func(err error) bool {
			p, ok := errors.AsType[*edt.PanicError](err)
			return ok && p.Template == "ends" && strings.HasPrefix(p.Site, "recording_test.go:")
		}},
		"abort":    {func(c *edt.Ctx, _ edt.Args) { c.Abort(7) }, func(err error) bool { return err != nil }},
		"shutdown": {func(c *edt.Ctx, _ edt.Args) { c.Shutdown() }, func(err error) bool { return err == nil }},
	} {
		underSeeds(t, 2, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				if !end.want(err) {
					tr.Errorf("%s: the run ends with %v", name, err)
				}
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				r := newDraft(c)
				n := r.Add(c.NewTemplate("ends", 0, 1, body(end.body)), nil, ew(r.a))
				n.After(r.n)
				r.Add(r.t, nil, ew(r.a)).After(n)
				r.Run(c, 5, guid.Null)
			})
		})
	}
}

// TestReplayOfARank: ranks other than that of the recording refuse it, and the places of its nodes are on its rank.
func TestReplayOfARank(t *testing.T) {
	for seed := range uint64(4) {
		h := edttest.NewRanks(seed, 2, edt.Config{Workers: 2})
		ran, refused := new(tally), "not an object of this run: it was recorded in another run, or on another rank"
		err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
			here := newDraft(c)
			far := c.NewBlockNear(8, c.Bind(1))
			c.NewEDTAt(c.Bind(3), c.NewTemplate("far", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				r := c.NewRecording()
				t := c.NewTemplate("node", 0, 1, body(func(c *edt.Ctx, in edt.Args) {
					if *value(in.Dep(0))++; c.Worker() != 2+ran.next()%2 {
						c.Abort(1)
					}
				}))
				a := r.Add(t, nil, ew(far)).SetHint(edt.Hint{Affinity: edt.BindTo(3)})
				r.Add(t, nil, ew(far)).SetHint(edt.Hint{Affinity: c.Bind(2)}).After(a)
				r.Add(here.t, nil).SetHint(edt.Hint{Priority: 1})
				done := c.NewEvent(edt.Once)
				c.NewEDTAt(c.Bind(3), c.NewTemplate("end", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { here.Run(c, 1, guid.Null) })),
					nil, rw(done))
				r.Run(c, 3, done)
			})), nil)
		}))
		h.Graph.Close()
		if err == nil || !strings.Contains(err.Error(), refused) || ran.get() != 6 {
			t.Errorf("seed %d: %d nodes ran, and the run ended with %v, want %q", seed, ran.get(), err, refused)
		}
	}
}

// TestReplaySharesItsBlocks: a run holds a block in the widest mode of its nodes, and no wider. An EDT outside may run
// beside it if this mode does not exclude its own.
func TestReplaySharesItsBlocks(t *testing.T) {
	for _, tc := range []struct{ first, second, outside datablock.Mode }{
		{datablock.RW, datablock.RO, datablock.RW}, {datablock.RO, datablock.RW, datablock.RW},
		{datablock.Const, datablock.RO, datablock.Const}, {datablock.RO, datablock.Const, datablock.Const},
		{datablock.Null, datablock.RO, datablock.EW}, {datablock.RW, datablock.Null, datablock.RW},
	} {
		beside := 0
		for seed := range uint64(20) {
			tr := &trial{t: t, workers: 1 + int(seed%3), where: fmt.Sprintf("seed %d, %v", seed, tc)}
			tr.simulate(seed, program(func(tr *trial, c *edt.Ctx) {
				a, r, ran := c.NewBlockNoAcquire(8), c.NewRecording(), tr.times("second", 8)
				outsider := c.NewTemplate("outsider", 0, 1, body(func(*edt.Ctx, edt.Args) {
					if ran.get() < 8 {
						beside++
					}
				}))
				starts := tr.times("outsider", 1)
				first := r.Add(c.NewTemplate("first", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
					if starts.get() == 0 {
						starts.add()
						c.NewEDT(outsider, nil, edt.From(a, tc.outside))
					}
				})), nil, edt.From(a, tc.first))
				second := c.NewTemplate("second", 0, 1, body(func(*edt.Ctx, edt.Args) { ran.add() }))
				r.Add(second, nil, edt.From(a, tc.second)).After(first)
				r.Run(c, 8, guid.Null)
			}))
		}
		if beside == 0 {
			t.Errorf("%v: in no order has the EDT outside run beside the graph", tc)
		}
	}
}

// TestRecordingRefusals: calls that have no Ctx panic at the app's line.
func TestRecordingRefusals(t *testing.T) {
	calls := []func(r *draft){
		func(r *draft) { r.Add(r.t, nil) }, func(r *draft) { r.n.Slot(0) },
		func(r *draft) { r.n.After() }, func(r *draft) { r.n.SetHint(edt.Hint{Priority: 1}) },
	}
	for why, prepare := range map[string]func(r *draft){
		"a recorded graph was changed after Seal or Run": func(r *draft) { r.Seal(r.c) },
		"the recorded graph was destroyed":               func(r *draft) { r.Destroy(r.c) },
		"no recorded graph":                              func(r *draft) { r.Recording, r.n = nil, edt.Node{} },
	} {
		for _, call := range calls {
			panics(t, why, func(r *draft) { prepare(r); call(r) })
		}
	}
	for why, call := range map[string]func(r *draft){
		"a node after a node of another recorded graph": func(r *draft) { r.n.After(newDraft(r.c).n) },
		"slot -1 of a node with 2":                      func(r *draft) { r.n.Slot(-1) },
		"slot 2 of a node with 2":                       func(r *draft) { r.n.Slot(2) },
		"slot 126 of a node with 127, of which the first 126 can be named": func(r *draft) {
			r.Add(r.t, nil, nulls(edt.MaxPassed+1)...).Slot(edt.MaxPassed)
		},
	} {
		panics(t, why, call)
	}
}

// panics calls a function that must panic in this file.
func panics(t *testing.T, why string, call func(r *draft)) {
	t.Helper()
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) { call(newDraft(c)) }))
	panicked := testrun.As[*edt.PanicError](t, err, "%s", why)
	testrun.Contains(t, fmt.Sprint(panicked.Value), why)
	testrun.Contains(t, panicked.Site, "recording_test.go:")
}
