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

// TestRecallOfAnother: RECALL finds a lease that goes back meanwhile, and the next block gets the record.
func TestRecallOfAnother(t *testing.T) {
	c := newRank(t, 1)
	m := &rank.Message{Kind: msgGrant, Tail: make([]byte, 8)}
	putGUID(m, 0, guid.FromWords(c.g.space.Of(0).High(uint8(guid.KindBlock)), 1<<63|1))
	m.Words[leaseSize] = 8
	p := c.takeLease(m)
	c.blocks.Receive(p.i, p.r, nil)
	l := &c.g.away.leases
	l.mu.Lock()
	if !c.dropProxy(p) {
		t.Fatal("the proxy stays")
	}
	l.mu.Unlock()

	next := c.NewBlockNoAcquire(16)
	_, lo := next.Words()
	if uint32(lo) != p.i {
		t.Fatalf("the next block has record %d, want %d", uint32(lo), p.i)
	}
	sent := c.g.away.Sent()
	c.recall(p, theLease)
	if r := c.g.blocks.Lookup(lo); r == nil || r.Away() || c.g.away.Sent() != sent {
		t.Errorf("the next block is %v, and %d messages went", r, c.g.away.Sent()-sent)
	}
	if !c.blocks.At(uint32(lo)).TryAcquire(datablock.EW) {
		t.Error("the next block cannot be had")
	}
}

// TestProxyThatCloses: an EDT that comes while a proxy closes gets a new one, which stays when the first has gone.
func TestProxyThatCloses(t *testing.T) {
	loop := rank.NewLoop(2, nil)
	g := NewGraph(Config{Workers: 1, Ranks: &Ranks{Engine: loop.Engine(0), Run: ids.NewRun()}})
	defer g.Close()
	c := g.away.courier
	const low = 1<<63 | 5
	closing := c.enterProxy(1, low, nil)
	// the last EDT in it has ended, on a worker that goes on with closeProxy
	atomic.StoreInt64(&c.events.At(closing).count, 0)
	open := c.enterProxy(1, low, nil)
	if open == closing {
		t.Fatal("an EDT counts in a proxy that closes")
	}
	c.closeProxy(closing, c.events.At(closing))
	if again := c.enterProxy(1, low, nil); again != open {
		t.Errorf("proxy %d, want %d", again, open)
	}
	if e := c.events.At(open); e.count != 2 || e.head != 2 {
		t.Errorf("%d EDTs in the proxy, with %d tokens, want 2 and 2", e.count, e.head)
	}
}
