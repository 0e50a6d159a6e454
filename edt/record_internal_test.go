package edt

import (
	"errors"
	"sync/atomic"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// collector is a host that runs nothing.
type collector struct{ ready []Ready }

func (h *collector) Ready(k Ready) { h.ready = append(h.ready, k) }
func (h *collector) Stop()         {}

func newCtx(t testing.TB) (*Ctx, *collector) {
	g := NewGraph(Config{Workers: 1})
	t.Cleanup(g.Close)
	h := new(collector)
	return g.NewWorker(h).Ctx(), h
}

// lastGeneration makes a record's object the last one of its place, until the end of the test: runs
// to come take the record again.
func lastGeneration(t testing.TB, h *ids.Header) {
	tag := (*uint32)(unsafe.Pointer(h))
	old := *tag
	t.Cleanup(func() { *tag = old + 1 })
	*tag = 1<<31 | 1<<30 - 1
}

// waiting creates an EDT with open slots whose record has no generations left.
func waiting(tb testing.TB, c *Ctx, slots int) (uint32, guid.GUID) {
	_, lo := c.NewEDT(c.NewTemplate("waiting", 0, slots, func(*Ctx, Args) guid.GUID { return guid.Null }), nil).Words()
	i := uint32(lo)
	t := c.g.edts.At(i)
	lastGeneration(tb, &t.Header)
	return i, c.g.edtGUID(i, t)
}

func TestPlaceOfEDTIsRetired(t *testing.T) {
	for _, destroy := range []bool{false, true} {
		c, h := newCtx(t)
		i, g := waiting(t, c, 1)
		if destroy {
			c.DestroyEDT(g)
		} else {
			c.AddDependence(guid.Null, g, 0, datablock.RW)
			workerOf(c).Execute(h.ready[0])
		}
		for range 10 {
			if j, next := waiting(t, c, 1); j == i {
				t.Fatalf("destroyed=%v: the place is reused, for %v", destroy, next)
			}
		}
		if c.Exists(g) {
			t.Errorf("destroyed=%v: %v exists", destroy, g)
		}
	}
}

func TestPlaceOfEventIsRetired(t *testing.T) {
	c, _ := newCtx(t)
	_, lo := c.NewEvent(Once).Words()
	e := c.g.events.At(uint32(lo))
	lastGeneration(t, &e.Header)
	g := guid.FromWords(c.g.highEvent, e.Low(uint32(lo)))
	c.Satisfy(g, guid.Null)
	for range 10 {
		if _, next := c.NewEvent(Once).Words(); uint32(next) == uint32(lo) {
			t.Fatal("the place is reused")
		}
	}
	if c.Exists(g) {
		t.Errorf("%v exists", g)
	}
}

// Records are whole cache lines, so that two workers do not share one, and hold no pointers.
func TestRecordSizes(t *testing.T) {
	testrun.Equal(t, 0, unsafe.Sizeof(edtRecord{})%64, "bytes of an EDT beyond whole lines")
	testrun.Equal(t, 64, unsafe.Sizeof(event{}), "bytes of an event")
	datablock.NewView[edtRecord]() // panics if it holds a pointer
	datablock.NewView[event]()
	datablock.NewView[node]()
}

// A body that makes and releases many blocks does not gather what it gave up.
func TestReleasedBlocksAreForgotten(t *testing.T) {
	c, _ := newCtx(t)
	for range 10 {
		g, _ := c.NewBlock(8)
		c.Release(g)
	}
	testrun.Equal(t, 0, len(c.created), "blocks kept as held")
}

// A call on a stack that has no frame of an app is reported without a place.
func TestCallSiteWithoutAnApp(t *testing.T) {
	c, _ := newCtx(t)
	told := make(chan string)
	go func() { told <- outermost(c) }()
	testrun.Equal(t, "", <-told, "the place")
}

// outermost is called by nothing but functions of this package and Go's runtime.
func outermost(c *Ctx) string {
	at := c.callSite()
	file, _ := at.line()
	return file
}

// workerOf returns the worker of a context: its only field is the context.
func workerOf(c *Ctx) *Worker { return (*Worker)(unsafe.Pointer(c)) }

// An EDT that goes on takes another record when its own has no generations left.
func TestEDTGoesOnInANewPlace(t *testing.T) {
	for _, params := range []int{1, 6} {
		c, h := newCtx(t)
		ran := 0
		tmpl := c.NewTemplate("goes on", params, 1, func(c *Ctx, in Args) guid.GUID {
			if ran++; in.Param(params-1) != 7 || in.Dep(0).IsNull() {
				t.Errorf("round %d: parameters %v, block %v", ran, in.Params(), in.Dep(0).GUID())
			}
			c.Again()
			return guid.Null
		})
		list := make([]uint64, params)
		list[params-1] = 7
		g := c.NewEDT(tmpl, list, From(c.NewBlockNoAcquire(8), datablock.RW))
		_, lo := g.Words()
		i := uint32(lo)
		lastGeneration(t, &c.g.edts.At(i).Header)
		k := h.ready[0]
		for round := range 3 {
			if k = workerOf(c).Execute(k); (k.index() == i) || k == 0 {
				t.Fatalf("round %d: the place is reused, or there is no EDT: %#x", round, k)
			}
		}
		if ran != 3 || c.g.edts.At(i).phase != phaseFree || c.g.edts.Lookup(c.g.edts.At(i).Low(i)) != nil {
			t.Errorf("%d rounds; the old record is in phase %v", ran, c.g.edts.At(i).phase)
		}
	}
}

// Only an EDT goes on: calls by others, as observers, end the run.
func TestOnlyAnEDTGoesOn(t *testing.T) {
	for _, changes := range [][]Change{nil, {{Slot: 0}}, {{Slot: 0}, {Slot: 1}}} {
		c, _ := newCtx(t)
		if len(changes) == 1 {
			changes[0].Source = c.NewEvent(Sticky)
		}
		func() {
			defer func() { _ = recover() }()
			c.Again(changes...)
			t.Errorf("%d changes: the call returned", len(changes))
		}()
		if end := c.g.Ended(); end == nil || !errors.Is(end.Err, ErrNoEDT) {
			t.Errorf("%d changes: the run has ended with %v", len(changes), end)
		}
	}
}

// A slot that lost the race for its event is as it was: open, so that it can be connected by
// the way that takes more than one try.
func TestSlotThatLostARaceIsOpen(t *testing.T) {
	c, _ := newCtx(t)
	i, g := waiting(t, c, 2)
	_, lo := c.NewEvent(Sticky).Words()
	e, k := c.g.events.At(uint32(lo)), c.g.edts.At(i)
	var over atomic.Bool
	others := make(chan bool)
	go func() { // keeps changing the list, as if other slots were put in and taken out
		defer close(others)
		for !over.Load() {
			atomic.StoreUint64(&e.head, slotRef(7, 1))
			atomic.StoreUint64(&e.head, 0)
		}
	}()
	for tries := 1; quickWait(e, &k.slots[1], uint64(datablock.RO)<<linkModeAt, slotRef(i, 1)); tries++ {
		if link := k.slots[1].link; link&^refMask != uint64(datablock.RO)<<linkModeAt|slotWaiting {
			t.Fatalf("try %d: the slot waits with link %#x", tries, link)
		}
		k.slots[1].link = slotOpen
	}
	over.Store(true)
	<-others
	testrun.Equal(t, slotOpen, k.slots[1].link, "link of the slot")
	// The slow way takes the slot.
	atomic.StoreUint64(&e.head, 0)
	c.addDependence(c.g.eventGUID(e.Low(uint32(lo))), g, 1, datablock.RO)
	if k.slots[1].state() != slotWaiting || e.head != slotRef(i, 1) {
		t.Errorf("the slot has link %#x, the event %#x", k.slots[1].link, e.head)
	}
}

// The worker that grants an EDT its last block does not read the EDT's record: the queue says
// where the EDT wants to run. Until the grant the EDT is runnable, from then on it is ready.
func TestGrantOfTheLastBlock(t *testing.T) {
	c, h := newCtx(t)
	places := []Affinity{0, PlaceOn(0), BindTo(0)}
	ran := 0
	tmpl := c.NewTemplate("waiter", 1, 2, func(_ *Ctx, in Args) guid.GUID {
		ran++
		for n := range 2 {
			if b := datablock.Slice[uint64](in.Dep(n)); len(b) != 2 || b[1] != uint64(n) {
				t.Errorf("slot %d has the words %v", n, b)
			}
		}
		return guid.Null
	})
	for _, place := range places {
		for _, prio := range []int8{0, 1, 127, -1, -128} {
			var blocks [2]guid.GUID
			for n := range blocks {
				g, b := c.NewBlock(16)
				blocks[n], datablock.SliceOf[uint64](b)[1] = g, uint64(n)
			}
			h.ready = nil
			id, _ := c.Spawn(tmpl, &Spec{
				Params: Params(0), Hint: Hint{Affinity: place, Priority: prio},
				Deps: []Source{From(blocks[0], datablock.EW), From(blocks[1], datablock.EW)},
			})
			for n, block := range blocks {
				if s := c.g.Snapshot(); len(h.ready) != 0 || len(s.Templates) != 1 || s.Templates[0].Acquiring != 1 {
					t.Fatalf("with %d blocks: %d EDTs are ready, %+v", n, len(h.ready), s.Templates)
				}
				c.Release(block)
			}
			_, lo := id.Words()
			if len(h.ready) != 1 || h.ready[0].index() != uint32(lo) || h.ready[0].Place() != place ||
				h.ready[0].Priority() != prio {
				t.Fatalf("place %v, priority %d: ready is %#x", place, prio, h.ready)
			}
			if s := c.g.Snapshot(); s.Templates[0].Ready != 1 || s.Templates[0].Acquiring != 0 || s.Count != 0 {
				t.Errorf("with all blocks: %+v", s)
			}
			workerOf(c).Execute(h.ready[0])
		}
	}
	testrun.Equal(t, 5*len(places), ran, "EDTs ran")
}
