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

// otherClass is a size of blocks whose memory is not used for those that are measured.
const otherClass = 128

// footprintRows are by what they measure: rows of records come before those of what lies
// beside such a record, which have the records there beforehand.
func footprintRows() []*Row {
	anEDT := before{(*edt.Ctx).DestroyEDT, newEDT(4), waitingEDT}
	event := before{(*edt.Ctx).DestroyEvent, newSticky, anEvent}
	block := before{(*edt.Ctx).DestroyBlock, newBlock(otherClass), edt.Counters{BlockCreated: 1, BlockDestroyed: 1}}
	oneEDT, oneEvent, oneBlock := edt.Counters{EDTCreated: 1}, edt.Counters{EventCreated: 1}, edt.Counters{BlockCreated: 1}
	rows := []*Row{
		footprintRow("edt", "an EDT that waits, with up to four parameters and four slots",
			footprint{make: newEDT(4), counts: oneEDT}, goroutinePeer()),
		footprintRow("edt-spill/slots=16", "what an EDT of 16 slots has beside its record",
			footprint{before: anEDT, make: newEDT(16), counts: oneEDT}),
		footprintRow("event", "an event", footprint{make: newSticky, counts: oneEvent},
			kept("chan", recordsBatch, func() any { return make(chan struct{}) })),
		footprintRow("event-queue/type=channel", "what a channel event in which two satisfactions wait has beside its record",
			footprint{before: event, counts: edt.Counters{EventCreated: 1, EventSatisfied: 2}, make: func(c *edt.Ctx) guid.GUID {
				e := c.NewChannel(2)
				c.Satisfy(e, guid.Null)
				c.Satisfy(e, guid.Null)
				return e
			}}),
		nodeFootprint(),
		labelFootprint(event),
		footprintRow("block", "a data block of any size, without its bytes",
			footprint{make: newBlock(otherClass), counts: oneBlock, bytes: otherClass}),
	}
	for _, size := range []int{8, 64, 4 << 10} {
		rows = append(rows, footprintRow(fmt.Sprintf("block-bytes/bytes=%d", size), "the bytes of a block",
			footprint{n: blocksBatch, before: block, make: newBlock(size), counts: oneBlock},
			kept("bytes", blocksBatch, func() any {
				b := make([]byte, size)
				return &b[0]
			})))
	}
	return rows
}

func footprintRow(name, what string, f footprint, peers ...Peer) *Row {
	if f.n == 0 {
		f.n = recordsBatch
	}
	return &Row{Name: "memory/" + name, What: what, footprint: &f, Peers: peers}
}

func newSticky(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }

func newEDT(slots int) func(c *edt.Ctx) guid.GUID {
	return func(c *edt.Ctx) guid.GUID { return c.NewEDT(bare[slots], nil) }
}

func newBlock(size int) func(c *edt.Ctx) guid.GUID {
	return func(c *edt.Ctx) guid.GUID { return c.NewBlockNoAcquire(size) }
}

// nodeFootprint lets an event wait for another again and again: a node each time.
func nodeFootprint() *Row {
	var from, to guid.GUID
	return footprintRow("node", "the node by which an event waits for an event", footprint{
		open: func(c *edt.Ctx, _ int) edt.Counters {
			from, to = c.NewEvent(edt.Sticky), c.NewLatch(1)
			return edt.Counters{EventCreated: 2}
		},
		make: func(c *edt.Ctx) guid.GUID {
			c.AddDependence(from, to, edt.Decr, datablock.Null)
			return from
		},
		counts: edt.Counters{DependenceAdded: 1},
	})
}

// labelFootprint has events beforehand: what is measured is the label's.
func labelFootprint(event before) *Row {
	var rng guid.GUID
	next := 0
	return footprintRow("label", "what an event under a label has beside its record", footprint{
		before: event,
		open: func(c *edt.Ctx, all int) edt.Counters {
			rng, next = c.NewRange(all, guid.KindEvent), 0
			return edt.Counters{}
		},
		make: func(c *edt.Ctx) guid.GUID {
			label := c.Label(rng, next)
			if err := c.NewLabelledEvent(label, edt.Sticky); err != nil {
				expect("labels in use", 0, 1)
			}
			next++
			return label
		},
		counts: edt.Counters{EventCreated: 1},
	}, mapPeer())
}

// kept are objects of plain Go. The list of them is there beforehand.
func kept(name string, n int, object func() any) Peer {
	return Peer{Name: name, footprint: &footprint{n: n, plain: func(all int) (func(n int), func()) {
		list, next := make([]any, all), 0
		for k := range list {
			list[k] = &next // so that its memory is there
		}
		return func(n int) {
			for range n {
				list[next] = object()
				next++
			}
		}, func() { goruntime.KeepAlive(list) }
	}}}
}

// goroutinePeer is goroutines that wait for a channel.
func goroutinePeer() Peer {
	return Peer{Name: "goroutine", footprint: &footprint{n: goroutineBatch, plain: func(int) (func(n int), func()) {
		open := make(chan struct{})
		var wait sync.WaitGroup
		var waiting atomic.Int64
		due := int64(0)
		keep := func(n int) {
			due += int64(n)
			for range n {
				wait.Go(func() {
					waiting.Add(1)
					<-open
				})
			}
			for waiting.Load() < due {
				goruntime.Gosched()
			}
		}
		return keep, func() { close(open); wait.Wait() }
	}}}
}

// mapPeer is entries of a Go map from GUID to GUID.
func mapPeer() Peer {
	return Peer{Name: "map-entry", footprint: &footprint{n: recordsBatch, plain: func(int) (func(n int), func()) {
		m := make(map[guid.GUID]guid.GUID)
		return func(n int) {
			for range n {
				g := guid.FromWords(1, uint64(len(m)))
				m[g] = g
			}
		}, func() { goruntime.KeepAlive(m) }
	}}}
}
