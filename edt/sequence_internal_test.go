package edt

import (
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A witness is a host that looks around each time an EDT is handed to it: in the middle
// of the call that made the EDT ready, as another worker might that runs it at once.
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

// newWitness makes a graph of two workers; the second is free to do what it likes while
// the first is in the middle of a call.
func newWitness(t *testing.T) (c, other *Ctx, h *witness) {
	g := NewGraph(Config{Workers: 2})
	t.Cleanup(g.Close)
	h = new(witness)
	return g.NewWorker(h).Ctx(), g.NewWorker(h).Ctx(), h
}

func idleTemplate(c *Ctx, slots int) *Template {
	return c.NewTemplate("idle", 0, slots, func(*Ctx, Args) guid.GUID { return guid.Null })
}

// An EDT has released its blocks when its output event makes others ready, those that it
// was given and those that it made.
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

// Satisfactions that waited in a channel event are gone with it: the next event does not hand them out.
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
	testrun.Equal(t, 1, len(c.g.channels.all), "pairs of queues")
}
