package edt

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// While the creator of a labelled object carries the kept calls out, calls of other workers queue up behind them.
func TestCallsDuringCreationQueueUp(t *testing.T) {
	g := NewGraph(Config{Workers: 2})
	defer g.Close()
	h := new(collector)
	creator, other := g.NewWorker(h).Ctx(), g.NewWorker(h).Ctx()
	label := creator.Label(creator.NewRange(1, guid.KindEvent), 0)
	var blocks []guid.GUID
	for range 3 {
		blocks = append(blocks, creator.NewBlockNoAcquire(8))
	}
	creator.Satisfy(label, blocks[0])
	l := of(g.labels.named(label), label)
	l.deferred = append(l.deferred, deferredCall{call: func(*Ctx, guid.GUID) { other.Satisfy(label, blocks[2]) }})
	creator.Satisfy(label, blocks[1])
	testrun.OK(t, creator.NewLabelledChannel(label, Unbounded))
	var got []guid.GUID
	tmpl := creator.NewTemplate("receiver", 0, 1, func(_ *Ctx, in Args) guid.GUID {
		got = append(got, in.Dep(0).GUID())
		return guid.Null
	})
	for range blocks {
		creator.NewEDT(tmpl, nil, From(label, datablock.RW))
	}
	for _, k := range h.ready {
		workerOf(creator).Execute(k)
	}
	if len(got) != 3 || got[0] != blocks[0] || got[1] != blocks[1] || got[2] != blocks[2] {
		t.Errorf("received %v, want %v", got, blocks)
	}
}

// A kept call that destroys the object leaves the rest for the next one.
func TestKeptCallsWaitForTheNextObject(t *testing.T) {
	c, h := newCtx(t)
	label := c.Label(c.NewRange(1, guid.KindEvent), 0)
	ran := 0
	tmpl := c.NewTemplate("waiter", 0, 1, func(*Ctx, Args) guid.GUID {
		ran++
		return guid.Null
	})
	c.NewEDT(tmpl, nil, From(label, datablock.RW))
	c.Satisfy(label, guid.Null)
	c.NewEDT(tmpl, nil, From(label, datablock.RW))
	for round := 1; round <= 2; round++ {
		testrun.OK(t, c.NewLabelledEvent(label, Once))
		if round == 2 {
			c.Satisfy(label, guid.Null)
		}
		if len(h.ready) != round || c.Exists(label) {
			t.Fatalf("round %d: %d EDTs are ready, the object exists: %v", round, len(h.ready), c.Exists(label))
		}
	}
	for _, k := range h.ready {
		workerOf(c).Execute(k)
	}
	testrun.Equal(t, 2, ran, "waiters ran")
}

// A locksmith is a host that looks at the lock of a label when Stop is called.
type locksmith struct {
	collector
	g     *Graph
	label guid.GUID
	free  bool
}

func (h *locksmith) Stop() {
	s := h.g.labels.named(h.label)
	if h.free = s.TryLock(); h.free {
		s.Unlock()
	}
}

// A labelled block is made without the label's lock: it takes long to be zeroed, and
// calls on other labels go on meanwhile. Here it does not fit, which tells the host.
func TestLabelledBlockIsMadeUnlocked(t *testing.T) {
	g := NewGraph(Config{Workers: 1, Memory: 1 << 20})
	defer g.Close()
	h := &locksmith{g: g}
	c := g.NewWorker(h).Ctx()
	label := c.Label(c.NewRange(1, guid.KindBlock), 0)
	h.label = label
	func() {
		defer func() { workerOf(c).Recovered(recover()) }()
		_, _ = c.NewLabelledBlock(label, 2<<20)
		t.Error("a block that does not fit was created")
	}()
	if !h.free {
		t.Error("the label's lock is held while a block is made")
	}
	if end := g.Ended(); end == nil || end.Err == nil {
		t.Error("the run goes on")
	}
	if _, err := c.NewLabelledBlock(label, 8); err != ErrExists {
		t.Errorf("a creation after the end of the run: %v", err)
	}
}

// maker observes that a block was created, before other workers can find it.
type maker struct {
	NopObserver
	made func()
}

func (m maker) BlockCreated(_ guid.GUID, _ int, b []byte) []byte {
	m.made()
	return b
}

// A creator that comes while another worker makes the block waits until it can be found.
func TestCreatorOfATakenLabelWaitsForTheBlock(t *testing.T) {
	var label guid.GUID
	var other *Ctx
	late := make(chan struct{})
	var size int
	var err error
	g := NewGraph(Config{Workers: 2, Observe: func(*Worker) Observer {
		return maker{made: func() {
			go func() {
				defer close(late)
				defer func() { recover() }()
				_, err = other.NewLabelledBlock(label, 8)
				size = other.BlockSize(label)
			}()
			for range 1000 {
				goruntime.Gosched()
			}
			select {
			case <-late:
				t.Error("a creation that came too late returned before there was a block")
			default:
			}
		}}
	}})
	defer g.Close()
	h := new(collector)
	c := g.NewWorker(h).Ctx()
	other = g.NewWorker(h).Ctx()
	label = c.Label(c.NewRange(1, guid.KindBlock), 0)
	if _, err := c.NewLabelledBlock(label, 4096); err != nil {
		t.Fatal(err)
	}
	<-late
	if err != ErrExists || size != 4096 {
		t.Errorf("the late creation: %v, and finds a block of %d bytes", err, size)
	}
}

// Workers create objects under the same labels and destroy them. One at a time has a label,
// and in the end nothing is known of any.
func TestLabelsThatComeAndGo(t *testing.T) {
	const workers, rounds = 4, 2000
	g := NewGraph(Config{Workers: workers})
	defer g.Close()
	var events, blocks [3]guid.GUID
	var owners [2][3]atomic.Int32
	own := func(owner *atomic.Int32, err error, destroy func()) bool {
		if err != nil {
			return false
		}
		testrun.Equal(t, 1, owner.Add(1), "objects under one label")
		owner.Add(-1)
		destroy()
		return true
	}
	work := func(c *Ctx) (created int) {
		for k := 0; created < rounds; k++ {
			n := k % len(events)
			if own(&owners[0][n], c.NewLabelledEvent(events[n], Sticky), func() { c.DestroyEvent(events[n]) }) {
				created++
			}
			_, err := c.NewLabelledBlock(blocks[n], 8)
			own(&owners[1][n], err, func() { c.DestroyBlock(blocks[n]) })
		}
		return created
	}
	var all sync.WaitGroup
	for w := range workers {
		c := g.NewWorker(new(collector)).Ctx()
		if w == 0 {
			er, br := c.NewRange(len(events), guid.KindEvent), c.NewRange(len(blocks), guid.KindBlock)
			for n := range events {
				events[n], blocks[n] = c.Label(er, n), c.Label(br, n)
			}
		}
		all.Go(func() { work(c) })
	}
	all.Wait()
	left := 0
	tables := g.labels.tables.Load()
	tables.byName.each(func(guid.GUID, *label) { left++ })
	tables.byObject.each(func(guid.GUID, *guid.GUID) { left++ })
	if left != 0 || g.labels.slow.Load() != 0 {
		t.Errorf("%d entries are left, %d blocks", left, g.labels.slow.Load())
	}
}
