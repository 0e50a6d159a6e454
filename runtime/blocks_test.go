package runtime

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// TestExclusiveBlocks: EDTs that each want five blocks exclusively, in any slot
// order, all run, one after the other if they share a block. Taking the blocks
// in slot order would deadlock.
func TestExclusiveBlocks(t *testing.T) {
	const edts, blocks, each = 100, 8, 5
	for seed := range uint64(shortened(40)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var sums [blocks]uint64
		var want [blocks]uint64
		mustRun(t, starting(func(c *edt.Ctx) {
			all := make([]guid.GUID, blocks)
			for k := range all {
				all[k] = c.NewBlockNoAcquire(8)
			}
			add := c.NewTemplate("add", 0, each, func(_ *edt.Ctx, in edt.Args) guid.GUID {
				for k := range each {
					datablock.Slice[uint64](in.Dep(k))[0]++
				}
				return guid.Null
			})
			done := c.NewLatch(edts)
			collect := c.NewTemplate("collect", 0, blocks+1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
				for k := range sums {
					sums[k] = datablock.Slice[uint64](in.Dep(k))[0]
				}
				return guid.Null
			})
			last := c.NewEDT(collect, nil)
			c.AddDependence(done, last, blocks, datablock.Null)
			for range edts {
				var deps []edt.Source
				for _, k := range rng.Perm(blocks)[:each] {
					deps = append(deps, edt.From(all[k], datablock.EW))
					want[k]++
				}
				c.Spawn(add, &edt.Spec{Deps: deps, OutputEvent: done})
			}
			for k, g := range all {
				c.AddDependence(g, last, k, datablock.RW)
			}
		}), Workers(1+int(seed%4)), StealGap(0))
		if sums != want {
			t.Fatalf("seed %d: counted %v, want %v", seed, sums, want)
		}
	}
}

// TestConstSeesNoWrites: a reader in mode Const sees a block in one state, while
// writers change all of it, and again the same at the end of its body.
func TestConstSeesNoWrites(t *testing.T) {
	const words = 64
	var readers, torn atomic.Int64
	n := shortened(2000)
	mustRun(t, starting(func(c *edt.Ctx) {
		g := c.NewBlockNoAcquire(8 * words)
		write := c.NewTemplate("write", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			for k := range datablock.Slice[uint64](in.Dep(0)) {
				datablock.Slice[uint64](in.Dep(0))[k]++
			}
			return guid.Null
		})
		read := c.NewTemplate("read", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			ws := datablock.Slice[uint64](in.Dep(0))
			first := ws[0]
			for range 3 {
				for _, w := range ws {
					if w != first {
						torn.Add(1)
						return guid.Null
					}
				}
			}
			readers.Add(1)
			return guid.Null
		})
		for k := range n {
			if k%3 == 0 {
				c.NewEDTAt(c.Place(k%c.Workers()), write, nil, edt.From(g, datablock.EW))
			} else {
				c.NewEDTAt(c.Place(k%c.Workers()), read, nil, edt.From(g, datablock.Const))
			}
		}
	}), Workers(4), StealGap(0))
	if torn.Load() != 0 || readers.Load() != int64(n-(n+2)/3) {
		t.Errorf("%d reads were torn, %d were whole", torn.Load(), readers.Load())
	}
}

// TestReleasedDataIsSeen: what was written before a release is seen by whom an
// event then makes ready, on another worker, while the writer still runs. Under
// the race detector this checks the ordering itself.
func TestReleasedDataIsSeen(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Once, edt.Sticky, edt.Idempotent} {
		n := shortened(2000)
		seen := 0
		mustRun(t, starting(func(c *edt.Ctx) {
			var relay *edt.Template
			relay = c.NewTemplate("relay", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
				step := in.Param(0)
				for _, w := range datablock.Slice[uint64](in.Dep(0)) {
					if w != step {
						t.Errorf("step %d sees %d", step, w)
					}
				}
				seen++ // ordered by the events as well
				c.DestroyBlock(in.Dep(0).GUID())
				if int(step) == n {
					return guid.Null
				}
				g, bytes := c.NewBlock(256)
				for k := range datablock.SliceOf[uint64](bytes) {
					datablock.SliceOf[uint64](bytes)[k] = step + 1
				}
				e := c.NewEvent(typ)
				c.NewEDTAt(c.Bind((c.Worker()+1)%c.Workers()), relay, edt.Params(step+1), edt.From(e, datablock.EW))
				c.Release(g)
				c.Satisfy(e, g)
				return guid.Null
			})
			g, bytes := c.NewBlock(256)
			for k := range datablock.SliceOf[uint64](bytes) {
				datablock.SliceOf[uint64](bytes)[k] = 1
			}
			c.NewEDT(relay, edt.Params(1), edt.From(g, datablock.EW))
		}), Workers(2))
		if seen != n {
			t.Errorf("%v: %d steps, want %d", typ, seen, n)
		}
	}
}

// TestChannelOrder: generations arrive in the order in which they were sent, also
// if sender and receiver are on two workers.
func TestChannelOrder(t *testing.T) {
	n := sized(1000, 50_000)
	var got []uint64
	mustRun(t, starting(func(c *edt.Ctx) {
		ch, back := c.NewChannel(edt.Unbounded), c.NewChannel(edt.Unbounded)
		var send, receive *edt.Template
		send = c.NewTemplate("send", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			k := in.Param(0)
			g, bytes := c.NewBlock(8)
			datablock.SliceOf[uint64](bytes)[0] = k
			c.Release(g)
			c.Satisfy(ch, g)
			if int(k) < n {
				c.NewEDTAt(c.Bind(1), send, edt.Params(k+1), edt.From(back, datablock.Null))
			}
			return guid.Null
		})
		receive = c.NewTemplate("receive", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			got = append(got, datablock.Slice[uint64](in.Dep(0))[0])
			c.DestroyBlock(in.Dep(0).GUID())
			if k := in.Param(0); int(k) < n {
				c.NewEDTAt(c.Bind(0), receive, edt.Params(k+1), edt.From(ch, datablock.RO))
				c.Satisfy(back, guid.Null)
			}
			return guid.Null
		})
		for range 10 { // the sender may be so far ahead
			c.Satisfy(back, guid.Null)
		}
		c.NewEDTAt(c.Bind(1), send, edt.Params(1), edt.From(guid.Null, datablock.Null))
		c.NewEDTAt(c.Bind(0), receive, edt.Params(1), edt.From(ch, datablock.RO))
	}), Workers(2))
	if len(got) != n {
		t.Fatalf("received %d, want %d", len(got), n)
	}
	for k, v := range got {
		if v != uint64(k+1) {
			t.Fatalf("generation %d carries %d", k+1, v)
		}
	}
}
