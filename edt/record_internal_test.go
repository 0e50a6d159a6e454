package edt

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
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

// lastGeneration gives a record its last generation until the end of the test, as later runs use the record again.
func lastGeneration(t testing.TB, h *ids.Header) {
	tag := (*uint32)(unsafe.Pointer(h))
	old := *tag
	t.Cleanup(func() { *tag = old + 1 })
	*tag = 1<<31 | 1<<30 - 1
}

// waiting creates an EDT with open slots, in a record that has no generations left.
func waiting(tb testing.TB, c *Ctx, slots int) (uint32, guid.GUID) {
	_, lo := c.NewEDT(idleTemplate(c, slots), nil).Words()
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

// TestRecordSizes: records are whole cache lines, so that two workers do not share one, and hold no pointers.
func TestRecordSizes(t *testing.T) {
	testrun.Equal(t, 0, unsafe.Sizeof(edtRecord{})%64, "bytes of an EDT beyond whole lines")
	testrun.Equal(t, 64, unsafe.Sizeof(event{}), "bytes of an event")
	for _, record := range []reflect.Type{
		reflect.TypeFor[edtRecord](), reflect.TypeFor[event](), reflect.TypeFor[node](),
	} {
		testrun.Equal(t, "", datablock.PointerIn(record), "pointer in %v", record)
	}
}

// TestTakeHoldsOnce: once the descriptions of a block's slots are complete, later runs do not write them again, also if
// the slots have different modes.
func TestTakeHoldsOnce(t *testing.T) {
	id := guid.FromWords(1, 2)
	r := &Recording{
		deps:   []dep.State{{ID: id, Access: dep.Access(datablock.RW)}, {ID: id, Access: dep.Access(datablock.Const)}},
		holds:  []hold{{mode: datablock.EW}},
		holdOf: []uint32{0, 0},
	}
	c := new(Ctx)
	for k := range 2 {
		c.deps = []dep.State{{ID: id, Addr: 64, Size: 8, Access: dep.In(uint8(datablock.EW), dep.Held)}}
		r.takeHolds(c)
		testrun.Equal(t, 8+k, r.deps[1].Size, "run %d", k)
		r.deps[1].Size++
	}
}

// workerOf returns the worker of a context: its only field is the context.
func workerOf(c *Ctx) *Worker { return (*Worker)(unsafe.Pointer(c)) }

// TestOnlyAnEDT: calls that need a running EDT end the run if none runs, as for an observer between two EDTs.
func TestOnlyAnEDT(t *testing.T) {
	for name, call := range map[string]func(c *Ctx){
		"again, no change":   func(c *Ctx) { c.Again() },
		"again, an event":    func(c *Ctx) { c.Again(Change{Source: c.NewEvent(Sticky)}) },
		"again, two changes": func(c *Ctx) { c.Again(Change{Slot: 0}, Change{Slot: 1}) },
		"the output event":   func(c *Ctx) { c.Output() },
	} {
		c, _ := newCtx(t)
		func() {
			defer func() { _ = recover() }()
			call(c)
			t.Errorf("%s: the call returned", name)
		}()
		if end := c.g.Ended(); end == nil || !errors.Is(end.Err, ErrNoEDT) {
			t.Errorf("%s: the run has ended with %v", name, end)
		}
	}
}

// A witness is a host that looks at the graph each time it gets an EDT: in the middle of the call that made the EDT
// ready, as another worker might that runs the EDT at once.
type witness struct {
	collector
	look func()
}

func (h *witness) Ready(k Ready) {
	h.collector.Ready(k)
	if h.look != nil {
		h.look()
	}
}

// newWitness makes a graph of two workers. The second may make calls while the first is in the middle of a call.
func newWitness(t *testing.T) (c, other *Ctx, h *witness) {
	g := NewGraph(Config{Workers: 2})
	t.Cleanup(g.Close)
	h = new(witness)
	return g.NewWorker(h).Ctx(), g.NewWorker(h).Ctx(), h
}

func idleTemplate(c *Ctx, slots int) *Template {
	return c.NewTemplate("idle", 0, slots, func(*Ctx, Args) guid.GUID { return guid.Null })
}

// TestBlocksAreReleasedBeforeTheOutput: an EDT has released all its blocks, also those that it created, when its output
// event makes others ready.
func TestBlocksAreReleasedBeforeTheOutput(t *testing.T) {
	c, _, h := newWitness(t)
	given := c.NewBlockNoAcquire(8)
	var made guid.GUID
	main := c.NewTemplate("main", 0, 1, func(c *Ctx, _ Args) guid.GUID {
		made, _ = c.NewBlock(8)
		return guid.Null
	})
	waiters := idleTemplate(c, 1)
	out := c.NewEvent(Sticky)
	for range 2 { // the first is kept to run next, the host gets the second
		c.NewEDT(waiters, nil, From(out, datablock.Null))
	}
	c.Spawn(main, &Spec{Deps: []Source{From(given, datablock.EW)}, OutputEvent: out})
	looked := false
	h.look = func() {
		looked = true
		for name, b := range map[string]guid.GUID{"given": given, "made": made} {
			_, lo := b.Words()
			if !c.g.blocks.At(uint32(lo)).TryAcquire(datablock.EW) {
				t.Errorf("the block that it was %s is held", name)
			}
		}
	}
	workerOf(c).Execute(h.ready[0])
	if !looked {
		t.Error("no waiter was handed to the host")
	}
}

// TestNextChannelIsEmpty: satisfactions that waited in a destroyed channel event do not wait in the next event of its
// record.
func TestNextChannelIsEmpty(t *testing.T) {
	c, h := newCtx(t)
	for range 2 {
		ch := c.NewChannel(Unbounded)
		c.NewEDT(idleTemplate(c, 1), nil, From(ch, datablock.RW))
		c.NewEDT(idleTemplate(c, 1), nil, From(ch, datablock.RW))
		if len(h.ready) != 0 {
			t.Fatal("an EDT is satisfied with what another event was")
		}
		c.DestroyEvent(ch)
		ch = c.NewChannel(Unbounded)
		c.Satisfy(ch, guid.Null)
		c.Satisfy(ch, guid.Null)
		c.DestroyEvent(ch)
	}
	testrun.Equal(t, 1, len(c.known), "pairs of queues")
}

// drain runs ready EDTs on the collector's only worker until none is left.
func (h *collector) drain(c *Ctx) {
	for len(h.ready) > 0 {
		k := h.ready[0]
		h.ready = h.ready[1:]
		for k != 0 {
			k = workerOf(c).Execute(k)
		}
	}
}

// TestDestroyedRecordingGivesItsTemplateBack: the number of the recording's template is used again.
func TestDestroyedRecordingGivesItsTemplateBack(t *testing.T) {
	c, h := newCtx(t)
	idle := idleTemplate(c, 0)
	for k := range 300 {
		r := c.NewRecording()
		r.Add(idle, nil)
		if r.Seal(c); k%2 == 0 {
			r.Run(c, 1, guid.Null)
			h.drain(c)
		}
		r.Destroy(c)
	}
	if n := len(c.local.generation); n > 8 {
		t.Errorf("300 recordings, one after the other, have used %d numbers of templates", n)
	}
}

// argDep makes a dependence on a block with these bytes.
func argDep(t testing.TB, b []byte) *datablock.Dep {
	if len(b) == 0 {
		return new(datablock.Dep)
	}
	s := new(block.Store)
	s.Open(0)
	t.Cleanup(s.Close)
	var l block.Local
	l.Init(s, nil)
	i, r, err := l.Create(len(b), false)
	testrun.OK(t, err)
	copy(r.Bytes(), b)
	d := &dep.State{ID: guid.FromWords(1, r.Low(i)), Access: dep.In(uint8(datablock.RO), dep.Held)}
	r.ShowMemory(d, 0)
	return block.Show(d)
}

func FuzzArgv(f *testing.F) {
	f.Add([]byte{})
	f.Add(encodeArgv([]string{"prog", "", "x y"}))
	f.Add(append(encodeArgv(nil), 1, 2, 3))
	f.Add(slices.Repeat([]byte{1}, 24))
	f.Fuzz(func(t *testing.T, b []byte) {
		argv := Argv(argDep(t, b))
		for _, a := range argv {
			if strings.Contains(a, "\x00") {
				t.Fatalf("%q", argv)
			}
		}
		if argv == nil {
			return
		}
		testrun.Same(t, argv, Argv(argDep(t, encodeArgv(argv))), "encoded and decoded")
	})
}

func TestArgvWithoutFinalZero(t *testing.T) {
	b := encodeArgv([]string{"a", "bc"})
	testrun.Same(t, []string{"a", "bc"}, Argv(argDep(t, b[:len(b)-1])))
}
