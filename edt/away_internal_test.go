package edt

import (
	"math/rand/v2"
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

// Names are found while their EDTs are here, in whatever order these go, also if pages are used again.
func TestRemoteNames(t *testing.T) {
	b := &remoteNames{by: make([]namesFrom, 2)}
	here, gone := map[uint64]uint32{}, map[uint64]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	free := uint32(1)
	records := []uint32{}
	for step := range 40 * namePageLen {
		for lo, want := range here { // one of them
			if i, early := b.find(lo); i != want || early || b.name(i) != lo {
				t.Fatalf("%x: record %d, want %d; early %v; its name %x", lo, i, want, early, b.name(i))
			}
			break
		}
		if grows := step/(4*namePageLen)%2 == 0; grows || len(here) == 0 {
			i := free
			if n := len(records); n > 0 {
				i, records = records[n-1], records[:n-1]
			} else {
				free += uint32(random.IntN(3000)) + 1
			}
			maker := random.IntN(2)
			if lo := ids.RemoteName(maker, b.by[maker].seen); b.name(i) != 0 {
				t.Fatalf("record %d has name %x", i, b.name(i))
			} else if _, early := b.find(lo); !early {
				t.Fatalf("%x is not early", lo)
			} else if got := b.add(maker, i); got != lo {
				t.Fatalf("named %x, want %x", got, lo)
			} else {
				here[lo] = i
			}
			continue
		}
		for lo, i := range here {
			b.forget(i)
			delete(here, lo)
			gone[lo], records = true, append(records, i)
			break
		}
	}
	for lo := range gone {
		if i, early := b.find(lo); i != 0 || early {
			t.Errorf("%x is gone: record %d, early %v", lo, i, early)
		}
	}
	for k := range b.by {
		if n := len(b.by[k].pages); n*namePageLen > int(b.by[k].seen) {
			t.Errorf("maker %d: %d pages for %d names", k, n, b.by[k].seen)
		}
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
