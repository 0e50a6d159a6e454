package edt

import (
	"fmt"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/proof/model/history"
	"ocr/internal/proof/testrun"
)

// A noter is the host of one worker: it notes which EDTs became ready, and when.
type noter struct {
	clock *history.Recorder
	ready []readied
}

type readied struct {
	task Ready
	at   int64
}

func (h *noter) Ready(k Ready) { h.ready = append(h.ready, readied{k, h.clock.Now()}) }
func (h *noter) Stop()         {}

// A bench is a graph with some workers, whose contexts the test's goroutines use at
// the same time, and blocks to tell satisfactions apart.
type bench struct {
	t      *testing.T
	g      *Graph
	ctxs   []*Ctx
	hosts  []*noter
	tmpls  [5]*Template // by number of slots
	blocks []guid.GUID  // from 1
}

func newBench(t *testing.T, workers int) *bench {
	b := &bench{t: t, g: NewGraph(Config{Workers: workers})}
	t.Cleanup(b.g.Close)
	for range workers {
		h := &noter{}
		b.hosts = append(b.hosts, h)
		b.ctxs = append(b.ctxs, b.g.NewWorker(h).Ctx())
	}
	nothing := func(*Ctx, Args) guid.GUID { return guid.Null }
	for n := 1; n < len(b.tmpls); n++ {
		b.tmpls[n] = b.ctxs[0].NewTemplate(fmt.Sprintf("waits%d", n), 0, n, nothing)
	}
	b.blocks = append(b.blocks, guid.Null)
	for range 8 {
		b.blocks = append(b.blocks, b.ctxs[0].NewBlockNoAcquire(8))
	}
	return b
}

// round begins a history.
func (b *bench) round(clients int) *history.Recorder {
	r := history.New(clients)
	for _, h := range b.hosts {
		h.clock, h.ready = r, h.ready[:0]
	}
	return r
}

// readyTimes returns when each of these EDTs became ready, once each.
func (b *bench) readyTimes(edts []guid.GUID) []int64 {
	b.t.Helper()
	at := make([]int64, len(edts))
	for _, h := range b.hosts {
		for _, r := range h.ready {
			k := slices.IndexFunc(edts, func(g guid.GUID) bool { _, lo := g.Words(); return uint32(lo) == r.task.index() })
			if k < 0 || at[k] != 0 {
				b.t.Fatalf("EDT %d of %d is ready twice, or is none of them", k, len(edts))
			}
			at[k] = r.at
		}
	}
	if k := slices.Index(at, 0); k >= 0 {
		b.t.Fatalf("EDT %d of %d never became ready", k, len(edts))
	}
	return at
}

// got returns the number of the block that a ready EDT has in a slot.
func (b *bench) got(edt guid.GUID, slot int) int {
	_, lo := edt.Words()
	word := b.g.slotAt(b.g.edts.At(uint32(lo)), uint32(slot)).word
	return slices.IndexFunc(b.blocks, func(g guid.GUID) bool { _, lo := g.Words(); return lo == word })
}

func (b *bench) run() {
	for w, h := range b.hosts {
		for _, r := range h.ready {
			workerOf(b.ctxs[w]).Execute(r.task)
		}
	}
}

// An eventCall is a call on an event: a satisfaction, with a block, or a dependence,
// whose result is the block that its EDT got.
type eventCall struct {
	satisfies bool
	block     int
}

func describeEvent(input, output any) string {
	if c := input.(eventCall); c.satisfies {
		return fmt.Sprintf("satisfy with %d", c.block)
	}
	return fmt.Sprintf("depend: %v", output)
}

// triggerSpec is an event that triggers when it is first satisfied; its state is the block.
var triggerSpec = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		has, c := state.(int), input.(eventCall)
		if !c.satisfies {
			return has != 0 && output == has, has
		}
		if has == 0 {
			has = c.block
		}
		return true, has
	},
	DescribeOperation: describeEvent,
}

// channelSpec is a channel event. Its state is what waits: blocks of satisfactions, or
// negated, the blocks that dependences have got from later satisfactions.
var channelSpec = porcupine.Model{
	Init: func() any { return [4]int{} },
	Step: func(state, input, output any) (bool, any) {
		waits, c := state.([4]int), input.(eventCall)
		v := c.block
		if !c.satisfies {
			v = -output.(int)
		}
		if waits[0]*v < 0 { // the other side waits
			if waits[0] != -v {
				return false, waits
			}
			copy(waits[:], waits[1:])
			waits[len(waits)-1] = 0
			return true, waits
		}
		waits[slices.Index(waits[:], 0)] = v
		return true, waits
	},
	DescribeOperation: describeEvent,
}

// A latchCall counts a latch, or is the dependence that waits for it.
type latchCall struct{ step int }

// latchSpec is a latch that begins at 1, and is gone when it has triggered.
var latchSpec = porcupine.Model{
	Init: func() any { return 1 },
	Step: func(state, input, _ any) (bool, any) {
		n, c := state.(int), input.(latchCall)
		if c.step == 0 {
			return n == 0, n
		}
		return n != 0, n + c.step
	},
}

func linearRounds(n int) int {
	return testrun.Sized(n/10, n/3, 20*n)
}

// TestEventsTriggerOnce has dependences race with the satisfactions of an event: each
// EDT becomes ready once, and all get the block of one satisfaction, the first.
func TestEventsTriggerOnce(t *testing.T) {
	const dependers, each = 2, 2
	for _, tc := range []struct {
		typ        string
		satisfiers int
		event      func(c *Ctx) guid.GUID
		destroy    bool
	}{
		{"sticky", 1, func(c *Ctx) guid.GUID { return c.NewEvent(Sticky) }, true},
		{"idempotent", 2, func(c *Ctx) guid.GUID { return c.NewEvent(Idempotent) }, true},
		{"counted", 1, func(c *Ctx) guid.GUID { return c.NewCounted(dependers * each) }, false},
	} {
		t.Run(tc.typ, func(t *testing.T) {
			b := newBench(t, dependers+tc.satisfiers)
			for range linearRounds(20_000) {
				r, event := b.round(dependers+tc.satisfiers), tc.event(b.ctxs[0])
				edts, begin := make([]guid.GUID, dependers*each), make([]int64, dependers*each)
				for k := range edts {
					edts[k] = b.ctxs[0].NewEDT(b.tmpls[1], nil)
				}
				var all []func()
				for d := range dependers {
					all = append(all, func() {
						for k := d * each; k < (d+1)*each; k++ {
							begin[k] = r.Now()
							b.ctxs[d].AddDependence(event, edts[k], 0, datablock.Null)
						}
					})
				}
				for s := range tc.satisfiers {
					all = append(all, func() {
						r.Do(dependers+s, eventCall{true, s + 1}, func() any {
							b.ctxs[dependers+s].Satisfy(event, b.blocks[s+1])
							return nil
						})
					})
				}
				r.Together(all...)
				for k, end := range b.readyTimes(edts) {
					r.Note(k/each, eventCall{}, begin[k], b.got(edts[k], 0), end)
				}
				r.Check(t, triggerSpec)
				if tc.destroy {
					b.ctxs[0].DestroyEvent(event)
				}
				if b.ctxs[0].Exists(event) {
					t.Fatal("the event is still there")
				}
				b.run()
			}
		})
	}
}

// TestChannelEventsPair has satisfactions and dependences of a channel event come at
// the same time: the first meets the first, in one order of all calls.
func TestChannelEventsPair(t *testing.T) {
	const side, each = 2, 2
	b := newBench(t, 2*side)
	for range linearRounds(40_000) {
		r, event := b.round(2*side), b.ctxs[0].NewChannel(Unbounded)
		edts, times := make([]guid.GUID, side*each), make([][2]int64, side*each)
		for k := range edts {
			edts[k] = b.ctxs[0].NewEDT(b.tmpls[1], nil)
		}
		var all []func()
		for d := range side {
			all = append(all, func() {
				for k := d * each; k < (d+1)*each; k++ {
					begin := r.Now()
					b.ctxs[d].AddDependence(event, edts[k], 0, datablock.Null)
					times[k] = [2]int64{begin, r.Now()}
				}
			}, func() {
				for k := d*each + 1; k <= (d+1)*each; k++ {
					r.Do(side+d, eventCall{true, k}, func() any {
						b.ctxs[side+d].Satisfy(event, b.blocks[k])
						return nil
					})
				}
			})
		}
		r.Together(all...)
		b.readyTimes(edts)
		for k, at := range times {
			r.Note(k/each, eventCall{}, at[0], b.got(edts[k], 0), at[1])
		}
		r.Check(t, channelSpec)
		b.ctxs[0].DestroyEvent(event)
		b.run()
	}
}

// TestLatchesTriggerAtZero counts a latch up and down on several workers.
func TestLatchesTriggerAtZero(t *testing.T) {
	const counters = 3
	b := newBench(t, counters)
	for range linearRounds(20_000) {
		r, latch := b.round(counters+1), b.ctxs[0].NewLatch(1)
		edts := []guid.GUID{b.ctxs[0].NewEDT(b.tmpls[1], nil, From(latch, datablock.Null))}
		begin := r.Now()
		count := func(w, slot, step int) {
			r.Do(w, latchCall{step}, func() any { b.ctxs[w].SatisfySlot(latch, guid.Null, slot); return nil })
		}
		for w := range counters { // the latch must not come to zero before
			count(w, Incr, 1)
		}
		var all []func()
		for w := range counters {
			all = append(all, func() {
				count(w, Incr, 1)
				count(w, Decr, -1)
				count(w, Decr, -1)
				if w == 0 {
					count(w, Decr, -1)
				}
			})
		}
		r.Together(all...)
		r.Note(counters, latchCall{}, begin, nil, b.readyTimes(edts)[0])
		r.Check(t, latchSpec)
		if b.ctxs[0].Exists(latch) {
			t.Fatal("the latch is still there")
		}
		b.run()
	}
}

// TestSlotsAreCountedOut has as many workers satisfy the slots of one EDT: one of
// them makes it ready, and then all slots are there.
func TestSlotsAreCountedOut(t *testing.T) {
	const slots = 4
	b := newBench(t, slots)
	for range linearRounds(40_000) {
		r := b.round(slots)
		edts := []guid.GUID{b.ctxs[0].NewEDT(b.tmpls[slots], nil)}
		var all []func()
		for n := range slots {
			all = append(all, func() { b.ctxs[n].AddDependence(b.blocks[n+1], edts[0], n, datablock.Null) })
		}
		r.Together(all...)
		b.readyTimes(edts)
		for n := range slots {
			if got := b.got(edts[0], n); got != n+1 {
				t.Fatalf("slot %d has block %d", n, got)
			}
		}
		b.run()
	}
}
