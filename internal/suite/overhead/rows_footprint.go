package overhead

import (
	"fmt"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Objects of a batch: whole regions of records, which come in huge pages.
const (
	recordsBatch   = 1 << 16
	blocksBatch    = 1 << 14
	goroutineBatch = 1 << 12
)

// Rows of records come before those of what lies beside such a record.
func footprintRows() []*Row {
	one := edt.Counters{EventCreated: 1}
	rows := []*Row{
		footprintRow("edt", "an EDT that waits, with up to four parameters and four slots",
			&footprint{n: recordsBatch, make: makeEDTs(4), counts: edt.Counters{EDTCreated: 1}}, goroutinePeer()),
		footprintRow("edt-spill/slots=16", "what an EDT of 16 slots has beside its record", &footprint{
			n: recordsBatch, open: touchEDTs, opened: func(all uint64) edt.Counters { return edt.Counters{EDTCreated: all, EDTDestroyed: all} },
			make: makeEDTs(16), counts: edt.Counters{EDTCreated: 1},
		}),
		footprintRow("event", "an event", &footprint{n: recordsBatch, make: func(c *edt.Ctx, n int) {
			for range n {
				c.NewEvent(edt.Sticky)
			}
		}, counts: one}, kept("chan", recordsBatch, func() any { return make(chan struct{}) })),
		footprintRow("event-queue/type=channel", "what a channel event in which two satisfactions wait has beside its record", &footprint{
			n: recordsBatch, open: touchEvents, opened: touched, counts: edt.Counters{EventCreated: 1, EventSatisfied: 2},
			make: func(c *edt.Ctx, n int) {
				for range n {
					e := c.NewChannel(2)
					c.Satisfy(e, guid.Null)
					c.Satisfy(e, guid.Null)
				}
			},
		}),
		nodeFootprint(), labelFootprint(),
		footprintRow("block", "a data block of any size, without its bytes", &footprint{
			n: recordsBatch, make: makeBlocks(otherClass), counts: edt.Counters{BlockCreated: 1},
			bytes: otherClass,
		}),
	}
	for _, size := range []int{8, 64, 4 << 10} {
		rows = append(rows, footprintRow(fmt.Sprintf("block-bytes/bytes=%d", size), "the bytes of a block",
			&footprint{n: blocksBatch, open: touchBlocks, opened: touchedBlocks, make: makeBlocks(size), counts: edt.Counters{BlockCreated: 1}},
			kept("bytes", blocksBatch, func() any {
				b := make([]byte, size)
				return &b[0]
			})))
	}
	return rows
}

func footprintRow(name, what string, f *footprint, peers ...Peer) *Row {
	return &Row{Section: Footprint, Name: "memory/" + name, What: what, footprint: f, Peers: peers}
}

func makeEDTs(slots int) func(c *edt.Ctx, n int) {
	return func(c *edt.Ctx, n int) {
		for range n {
			c.NewEDT(bare[slots], nil)
		}
	}
}

// otherClass is a size of blocks whose memory is not used for those that are measured.
const otherClass = 128

func makeBlocks(size int) func(c *edt.Ctx, n int) {
	return func(c *edt.Ctx, n int) {
		for range n {
			c.NewBlockNoAcquire(size)
		}
	}
}

// touchBlocks has the records of so many blocks in memory.
func touchBlocks(c *edt.Ctx, all int) {
	touch(all, func() guid.GUID { return c.NewBlockNoAcquire(otherClass) }, c.DestroyBlock)
}

func touchedBlocks(all uint64) edt.Counters {
	return edt.Counters{BlockCreated: all, BlockDestroyed: all}
}

// touchEDTs has the records of so many EDTs in memory.
func touchEDTs(c *edt.Ctx, all int) {
	touch(all, func() guid.GUID { return c.NewEDT(bare[4], nil) }, c.DestroyEDT)
}

// touch makes objects, and destroys them when all are there.
func touch(all int, create func() guid.GUID, destroy func(guid.GUID)) {
	objects := make([]guid.GUID, all)
	for k := range objects {
		objects[k] = create()
	}
	for _, g := range objects {
		destroy(g)
	}
}

// nodeFootprint lets an event wait for another again and again: a node each time.
func nodeFootprint() *Row {
	var from, to guid.GUID
	return footprintRow("node", "the node by which an event waits for an event", &footprint{
		n: recordsBatch,
		open: func(c *edt.Ctx, _ int) {
			from, to = c.NewEvent(edt.Sticky), c.NewLatch(1)
		},
		opened: func(uint64) edt.Counters { return edt.Counters{EventCreated: 2} },
		make: func(c *edt.Ctx, n int) {
			for range n {
				c.AddDependence(from, to, edt.Decr, datablock.Null)
			}
		},
		counts: edt.Counters{DependenceAdded: 1},
	})
}

// labelFootprint has events beforehand: what is measured is the label's.
func labelFootprint() *Row {
	var rng guid.GUID
	next := 0
	return footprintRow("label", "what an event under a label has beside its record", &footprint{
		n: recordsBatch,
		open: func(c *edt.Ctx, all int) {
			rng, next = c.NewRange(all, guid.KindEvent), 0
			touchEvents(c, all)
		},
		opened: touched,
		make: func(c *edt.Ctx, n int) {
			for range n {
				if err := c.NewLabelledEvent(c.Label(rng, next), edt.Sticky); err != nil {
					expect("labels in use", 0, 1)
				}
				next++
			}
		},
		counts: edt.Counters{EventCreated: 1},
	}, mapPeer())
}

// touchEvents has the records of so many events in memory.
func touchEvents(c *edt.Ctx, all int) {
	touch(all, func() guid.GUID { return c.NewEvent(edt.Sticky) }, c.DestroyEvent)
}

func touched(all uint64) edt.Counters { return edt.Counters{EventCreated: all, EventDestroyed: all} }

// kept are objects of plain Go. The list of them is there beforehand.
func kept(name string, n int, object func() any) Peer {
	var list []any
	next := 0
	return Peer{Name: name, footprint: &footprint{
		n: n,
		ready: func(all int) {
			list, next = make([]any, all), 0
			for k := range list {
				list[k] = &next // so that its memory is there
			}
		},
		keep: func(n int) {
			for range n {
				list[next] = object()
				next++
			}
		},
		free: func() { list = nil },
	}}
}

// goroutinePeer is goroutines that wait for a channel.
func goroutinePeer() Peer {
	var open chan struct{}
	var wait sync.WaitGroup
	var waiting atomic.Int64
	due := int64(0)
	return Peer{Name: "goroutine", footprint: &footprint{
		n: goroutineBatch,
		keep: func(n int) {
			if open == nil {
				open = make(chan struct{})
			}
			gate := open
			due += int64(n)
			for range n {
				wait.Go(func() {
					waiting.Add(1)
					<-gate
				})
			}
			for waiting.Load() < due {
				goruntime.Gosched()
			}
		},
		free: func() {
			if open == nil {
				return
			}
			close(open)
			wait.Wait()
			open = nil
		},
	}}
}

// mapPeer is entries of a Go map from GUID to GUID.
func mapPeer() Peer {
	var m map[guid.GUID]guid.GUID
	return Peer{Name: "map-entry", footprint: &footprint{
		n: recordsBatch,
		keep: func(n int) {
			if m == nil {
				m = make(map[guid.GUID]guid.GUID)
			}
			for range n {
				g := guid.FromWords(1, uint64(len(m)))
				m[g] = g
			}
		},
		free: func() { m = nil },
	}}
}
