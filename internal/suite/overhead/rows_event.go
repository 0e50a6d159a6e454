package overhead

import (
	"fmt"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// pairLen is how many creations, each with its destruction, are timed at a time.
const pairLen = 2048

func eventRows() []*Row {
	var rows []*Row
	for _, kind := range []struct {
		name   string
		create func(c *edt.Ctx) guid.GUID
	}{
		{"idempotent", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Idempotent) }},
		{"sticky", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }},
		{"latch", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }},
		{"counted", func(c *edt.Ctx) guid.GUID { return c.NewCounted(1) }},
		{"channel", func(c *edt.Ctx) guid.GUID { return c.NewChannel(1) }},
	} {
		rows = append(rows, &Row{
			Section: Events, Name: "event-create-destroy/type=" + kind.name, What: "creating an event and destroying it",
			measure: call{n: pairLen, act: pairs(kind.create), counts: edt.Counters{EventCreated: 1, EventDestroyed: 1}}.measure,
		})
	}
	rows = append([]*Row{{
		Section: Events, Name: "event-create-destroy/type=once", What: "creating a once event and satisfying it, which destroys it",
		measure: call{n: pairLen, act: oncePairs, counts: edt.Counters{EventCreated: 1, EventDestroyed: 1, EventSatisfied: 1}}.measure,
		Peers:   []Peer{makeChan},
	}}, rows...)
	counts := edt.Counters{EventCreated: 1, EventDestroyed: 1}
	rows = append(rows,
		&Row{
			Section: Events, Name: "event-create/type=sticky", What: "creating an event",
			measure: call{act: createEvents(edt.Sticky), tidy: destroyEvents, counts: counts}.measure,
		},
		&Row{
			Section: Events, Name: "event-destroy/type=sticky", What: "destroying an event",
			measure: call{prepare: createEvents(edt.Sticky), act: destroyEvents, counts: counts}.measure,
		})
	for _, waiters := range []int{0, 1, 8, 1000} {
		rows = append(rows, satisfyRow(waiters))
	}
	return rows
}

// pairs creates and destroys events, through a function: its call is in the figure.
func pairs(create func(c *edt.Ctx) guid.GUID) func(c *edt.Ctx, l *lane) {
	return func(c *edt.Ctx, l *lane) {
		for range l.n {
			c.DestroyEvent(create(c))
		}
	}
}

func oncePairs(c *edt.Ctx, l *lane) {
	for range l.n {
		c.Satisfy(c.NewEvent(edt.Once), guid.Null)
	}
}

// satisfyRow satisfies sticky events that so many EDTs wait for, each with one slot.
func satisfyRow(waiters int) *Row {
	w := uint64(waiters)
	n := batchLen / max(waiters, 1)
	return &Row{
		Section: Events, Name: fmt.Sprintf("satisfy/waiters=%d", waiters),
		What: "satisfying a sticky event that so many EDTs wait for, which makes them ready",
		measure: call{
			n: max(n, 1),
			prepare: func(c *edt.Ctx, l *lane) {
				for k := range l.events {
					l.events[k] = c.NewEvent(edt.Sticky)
					for range waiters {
						c.NewEDT(bare[1], nil, edt.From(l.events[k], datablock.RW))
					}
				}
			},
			act: func(c *edt.Ctx, l *lane) {
				for _, e := range l.events {
					c.Satisfy(e, guid.Null)
				}
			},
			tidy:   destroyEvents,
			counts: plus(ran(w), edt.Counters{EventCreated: 1, EventDestroyed: 1, EventSatisfied: 1}),
		}.measure,
		Peers: []Peer{closeChan(waiters)},
	}
}

// made keeps channels on the heap.
var made [64]atomic.Pointer[chan struct{}]

// makeChan makes a channel, and leaves it to the collector.
var makeChan = peerSets("make-chan", func(int) peerLoop {
	return peerLoop{work: func(worker int) func(int) int64 {
		return func(n int) int64 {
			for range n {
				c := make(chan struct{}, 1)
				made[worker%len(made)].Store(&c)
			}
			return 0
		}
	}}
})

// closeChan closes channels that so many goroutines wait for. Only that is timed.
func closeChan(waiters int) Peer {
	n := max(1, 64/max(waiters, 1))
	return peerSets("close-chan", func(int) peerLoop {
		var woken atomic.Uint64
		return peerLoop{n: n, work: func(int) func(int) int64 {
			return func(n int) int64 {
				gates := make([]chan struct{}, n)
				var wait sync.WaitGroup
				var waiting atomic.Int64
				for k := range gates {
					gates[k] = make(chan struct{})
					for range waiters {
						wait.Go(func() {
							waiting.Add(1)
							<-gates[k]
							woken.Add(1)
						})
					}
				}
				for waiting.Load() < int64(n*waiters) {
					goruntime.Gosched()
				}
				goruntime.Gosched() // the last to say so are waiting by now, mostly
				start := trial.Now()
				for _, g := range gates {
					close(g)
				}
				elapsed := trial.Now() - start
				wait.Wait()
				return max(elapsed, 1)
			}
		}, check: func(n uint64) uint64 {
			if got := woken.Load(); got != n*uint64(waiters) {
				return got
			}
			return n
		}}
	})
}
