package overhead

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

func labelRows() []*Row {
	return []*Row{
		{
			Section: Labels, Name: "label-create-destroy", What: "creating a sticky event under a label and destroying it by the label",
			measure: call{
				open: ownLabels,
				act: func(c *edt.Ctx, l *lane) {
					for _, label := range l.events {
						if err := c.NewLabelledEvent(label, edt.Sticky); err != nil {
							expect("labels in use", 0, 1)
						}
						c.DestroyEvent(label)
					}
				},
				counts: edt.Counters{EventCreated: 1, EventDestroyed: 1},
			}.measure,
		},
		{
			Section: Labels, Name: "label-race", What: "trying to create an event under a label that every worker tries to create at the same time; one succeeds",
			measure: raceLabels,
			Peers:   []Peer{{Name: "sync-map", measure: raceMap}},
		},
	}
}

// ownLabels gives a lane a range of labels.
func ownLabels(c *edt.Ctx, l *lane) {
	rng := c.NewRange(l.n, guid.KindEvent)
	for k := range l.events {
		l.events[k] = c.Label(rng, k)
	}
}

// race is the state of label-race: what one round tells the next.
type race struct {
	team   *workerTeam
	labels []guid.GUID
	won    atomic.Uint64
	busy   atomic.Int64
	ready  atomic.Int64 // racers at the line
	ended  atomic.Int64
	racer  *edt.Template
}

// raceLabels has an EDT on every worker try to create the same labels in the same
// order, starting together. What is timed is the loop of each.
func raceLabels(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(batchLen, 4)
	r := newTeam(b, Pool{Workers: workers}, 1)
	x := &race{team: r, labels: make([]guid.GUID, n)}
	r.begin = func(c *edt.Ctx) {
		rng := c.NewRange(n, guid.KindEvent)
		for k := range x.labels {
			x.labels[k] = c.Label(rng, k)
		}
		x.racer = r.template(c, "overhead.racer", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			x.run(ctx, c, workers)
			return guid.Null
		})
	}
	r.round = func(c *edt.Ctx, l *lane) {
		x.won.Store(0)
		x.busy.Store(0)
		x.ready.Store(0)
		x.ended.Store(0)
		l.own = plus(l.own, ran(uint64(workers)), edt.Counters{EventCreated: uint64(n), EventDestroyed: uint64(n)})
		for w := range workers {
			c.NewEDTAt(c.Bind(w), x.racer, nil)
		}
	}
	s, err := r.sample(ctx)
	s.Rate *= float64(workers) // busy is the time of all of them
	return s, err
}

// run is one racer. The last to end cleans up and ends the round.
func (x *race) run(ctx context.Context, c *edt.Ctx, workers int) {
	x.ready.Add(1)
	for polls := 0; x.ready.Load() < int64(workers) && ctx.Err() == nil; polls++ {
		x.team.bench.poll(polls)
	}
	start := trial.Now()
	won := uint64(0)
	for _, label := range x.labels {
		switch err := c.NewLabelledEvent(label, edt.Sticky); {
		case err == nil:
			won++
		case !errors.Is(err, edt.ErrExists):
			panic(err)
		}
	}
	x.busy.Add(trial.Now() - start)
	x.won.Add(won)
	if x.ended.Add(1) < int64(workers) || ctx.Err() != nil {
		return
	}
	expect("labels that were created", uint64(len(x.labels)), x.won.Load())
	for _, label := range x.labels {
		c.DestroyEvent(label)
	}
	x.team.lanes[0].ended(c, workers*len(x.labels), x.busy.Load())
}

// raceMap has goroutines try to store under the same keys of a sync.Map.
func raceMap(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(batchLen, 4)
	var busy atomic.Int64
	return peerRounds(ctx, b, workers, workers*n, func() (elapsed int64, won uint64) {
		busy.Store(0)
		var keys sync.Map
		var ready, wins atomic.Int64
		var wait sync.WaitGroup
		for range workers {
			wait.Go(func() {
				ready.Add(1)
				for polls := 0; ready.Load() < int64(workers); polls++ {
					b.poll(polls)
				}
				start := trial.Now()
				for k := range n {
					if _, loaded := keys.LoadOrStore(k, k); !loaded {
						wins.Add(1)
					}
				}
				busy.Add(trial.Now() - start)
			})
		}
		wait.Wait()
		return busy.Load(), uint64(wins.Load()) * uint64(workers)
	})
}
