package overhead

import (
	"context"
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
	once := call{n: pairLen, act: oncePairs, perOp: plus(anEvent, satisfied)}
	rows := []*Row{once.row(
		"event-create-destroy/type=once", "creating a once event and satisfying it, which destroys it", makeChan)}
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
		pair := call{n: pairLen, act: pairs(kind.create), perOp: anEvent}
		rows = append(rows, pair.row("event-create-destroy/type="+kind.name, "creating an event and destroying it"))
	}
	create, destroy := call{act: createStickies, tidy: destroyEvents, perOp: anEvent},
		call{prepare: createStickies, act: destroyEvents, perOp: anEvent}
	rows = append(rows, create.row("event-create/type=sticky", "creating an event"),
		destroy.row("event-destroy/type=sticky", "destroying an event"))
	for _, waiters := range []int{0, 1, 8, 1000} {
		rows = append(rows, satisfyRow(waiters))
	}
	return rows
}

func createStickies(c *edt.Ctx, l *lane) {
	for k := range l.objects {
		l.objects[k] = c.NewEvent(edt.Sticky)
	}
}

func destroyEvents(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.DestroyEvent(e)
	}
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

// satisfyRow satisfies sticky events that EDTs of one slot wait for.
func satisfyRow(waiters int) *Row {
	return call{
		n: max(1, batchLen/max(waiters, 1)),
		prepare: func(c *edt.Ctx, l *lane) {
			createStickies(c, l)
			for _, e := range l.objects {
				for range waiters {
					c.NewEDT(bare[1], nil, edt.From(e, datablock.RW))
				}
			}
		},
		act:   satisfyAll,
		tidy:  destroyEvents,
		perOp: plus(ran(waiters), anEvent, satisfied),
	}.row(fmt.Sprintf("satisfy/waiters=%d", waiters),
		"satisfying a sticky event that so many EDTs wait for, which makes them ready", closeChan(waiters))
}

func satisfyAll(c *edt.Ctx, l *lane) {
	for _, e := range l.objects {
		c.Satisfy(e, guid.Null)
	}
}

// makeChan makes a channel, and leaves it to the collector.
var makeChan = loopPeer("make-chan", peerLen, func() func(n int) int {
	var kept atomic.Pointer[chan struct{}]
	return func(n int) int {
		for range n {
			c := make(chan struct{}, 1)
			kept.Store(&c)
		}
		return n
	}
})

// closeChan closes channels that goroutines wait for. Only that is timed.
func closeChan(waiters int) Peer {
	return Peer{Name: "close-chan", measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(max(1, 64/max(waiters, 1)), 4)
		return peerBench{workers, n, func() peerRound {
			return func(n int) (int, int64) { return closeGates(n, waiters) }
		}}.measure(ctx, b, workers)
	}}
}

// closeGates returns how many of n channels have woken all that waited for them, and how long
// closing them took.
func closeGates(n, waiters int) (closed int, elapsed int64) {
	gates := make([]chan struct{}, n)
	var wait sync.WaitGroup
	var waiting, woken atomic.Int64
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
	goruntime.Gosched() // mostly, the last to count themselves are waiting by now
	start := trial.Now()
	for _, g := range gates {
		close(g)
	}
	elapsed = max(trial.Now()-start, 1)
	wait.Wait()
	if woken.Load() != int64(n*waiters) {
		return 0, elapsed
	}
	return n, elapsed
}
