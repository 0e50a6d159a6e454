package edt

import (
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/rank"
)

// What a worker ends while the courier has just found it is nothing to the courier any more, also if its record has
// another object by then.

// newRank makes the graph of one of two ranks.
func newRank(t *testing.T, me int) *Ctx {
	g := NewGraph(Config{Workers: 1, Ranks: &Ranks{Engine: rank.NewLoop(2, nil).Engine(me), Run: ids.NewRun()}})
	t.Cleanup(g.Close)
	return g.NewWorker(new(collector)).Ctx()
}

// TestNameOfAnother: a name is looked up while its EDT is destroyed, and the next one gets the record.
func TestNameOfAnother(t *testing.T) {
	c := newRank(t, 0)
	names := &c.g.away.names
	waits := c.NewTemplate("waits", 0, 1, func(*Ctx, Args) guid.GUID { return guid.Null })
	first := c.NewEDT(waits, nil, Open)
	_, lo := first.Words()
	i := uint32(lo)
	named := guid.FromWords(c.highEDT|remoteBit, names.add(1, i))
	if own, ok := c.localName(named); !ok || own != first {
		t.Fatalf("%v is %v (%v), want %v", named, own, ok, first)
	}

	names.forget(i)
	c.DestroyEDT(first)
	_, lo = c.NewEDT(waits, nil, Open).Words()
	if uint32(lo) != i {
		t.Fatalf("the next EDT has record %d, want %d", uint32(lo), i)
	}
	_, name := named.Words()
	maker, serial := ids.NamedBy(name)
	// as it was when the look-up began
	atomic.StoreUint64(&names.by[maker].page(serial).records[serial%namePageLen], uint64(i))
	own, _ := c.localName(named)
	if _, lo := own.Words(); c.g.edts.Lookup(lo) != nil {
		t.Errorf("%v, which is gone, is %v", named, own)
	}
}

// TestRecallOfAnother: RECALL finds a lease that goes back meanwhile, and the next block gets the record.
func TestRecallOfAnother(t *testing.T) {
	c := newRank(t, 1)
	m := &rank.Message{Kind: msgGrant, Tail: make([]byte, 8)}
	putGUID(m, 0, guid.FromWords(c.g.space.Of(0).High(uint8(guid.KindBlock)), 1<<63|1))
	m.Words[leaseSize] = 8
	p := c.takeLease(m)
	p.pins = 1
	c.blocks.Receive(p.i, p.r, nil)
	l := &c.g.away.leases
	l.mu.Lock()
	if !c.dropProxy(p, msgDestroy) {
		t.Fatal("the proxy stays")
	}
	l.mu.Unlock()

	next := c.NewBlockNoAcquire(16)
	_, lo := next.Words()
	if uint32(lo) != p.i {
		t.Fatalf("the next block has record %d, want %d", uint32(lo), p.i)
	}
	sent := c.g.away.Sent()
	c.recall(p)
	if r := c.g.blocks.Lookup(lo); r == nil || r.Away() || c.g.away.Sent() != sent {
		t.Errorf("the next block is %v, and %d messages went", r, c.g.away.Sent()-sent)
	}
	if !c.blocks.At(uint32(lo)).TryAcquire(datablock.EW) {
		t.Error("the next block cannot be had")
	}
}
