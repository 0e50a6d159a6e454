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
	single := call{
		open: func(c *edt.Ctx, l *lane) { copy(l.objects, labels(c, l.n)) },
		act: func(c *edt.Ctx, l *lane) {
			for _, label := range l.objects {
				if err := c.NewLabelledEvent(label, edt.Sticky); err != nil {
					expect("labels in use", 0, 1)
				}
				c.DestroyEvent(label)
			}
		},
		perOp: anEvent,
	}
	return []*Row{
		single.row("label-create-destroy", "creating a sticky event under a label and destroying it by the label",
			storeInMap()),
		{
			Name: "label-race", measure: raceLabels,
			What:  "trying to create an event under a label that every worker tries to create at the same time; one succeeds",
			Peers: []Peer{{Name: "sync-map", measure: raceMap}},
		},
	}
}

// storeInMap stores under keys of a sync.Map and deletes them, each worker its own. The keys
// are interfaces already.
func storeInMap() Peer {
	var m sync.Map
	var workers atomic.Uint64
	return loopPeer("sync-map", batchLen, func() func(n int) int {
		keys := make([]any, batchLen)
		for k, first := 0, workers.Add(1)*batchLen; k < len(keys); k++ {
			keys[k] = first + uint64(k)
		}
		return func(n int) (done int) {
			for _, key := range keys[:n] {
				m.Store(key, key)
				if _, was := m.LoadAndDelete(key); was {
					done++
				}
			}
			return done
		}
	})
}

// labels makes a range of labels.
func labels(c *edt.Ctx, n int) []guid.GUID {
	list := make([]guid.GUID, n)
	rng := c.NewRange(n, guid.KindEvent)
	for k := range list {
		list[k] = c.Label(rng, k)
	}
	return list
}

// A race is one round in which racers try to create the same things in the same order,
// starting together.
type race struct {
	racers                  int64
	ready, won, busy, ended atomic.Int64
}

// run is one racer: loop returns how many things it has created itself. The loops are timed
// together. run reports whether it was the last to end.
func (x *race) run(ctx context.Context, loop func() int64) bool {
	x.ready.Add(1)
	await(ctx, "racers", func() bool { return x.ready.Load() == x.racers })
	start := trial.Now()
	won := loop()
	x.busy.Add(trial.Now() - start)
	x.won.Add(won)
	return x.ended.Add(1) == x.racers && ctx.Err() == nil
}

// raceLabels has an EDT on every worker race for labels. The last to end cleans up and ends
// the round.
func raceLabels(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(batchLen, 4)
	var x *race
	var all []guid.GUID
	var racer *edt.Template
	s, err := work{
		perRound: plus(ran(workers), times(uint64(n), anEvent)),
		begin: func(r *team, c *edt.Ctx) {
			all = labels(c, n)
			racer = r.template(c, "overhead.racer", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				if x.run(ctx, func() int64 { return createLabels(c, all) }) {
					expect("labels that were created", uint64(n), uint64(x.won.Load()))
					for _, label := range all {
						c.DestroyEvent(label)
					}
					r.lanes[0].ended(c, workers*n, x.busy.Load())
				}
				return guid.Null
			})
		},
		round: func(c *edt.Ctx, _ *lane) {
			x = &race{racers: int64(workers)}
			for w := range workers {
				c.NewEDTAt(c.Bind(w), racer, nil)
			}
		},
	}.sample(ctx, b, Pool{Workers: workers}, 1)
	s.Rate *= float64(workers) // busy is the time of all of them
	return s, err
}

// createLabels returns how many labels this call has created.
func createLabels(c *edt.Ctx, list []guid.GUID) (won int64) {
	for _, label := range list {
		switch err := c.NewLabelledEvent(label, edt.Sticky); {
		case err == nil:
			won++
		case !errors.Is(err, edt.ErrExists):
			panic(err)
		}
	}
	return won
}

// raceMap has goroutines try to store under the same keys of a sync.Map.
func raceMap(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(batchLen, 4)
	return peerBench{1, workers * n, func() peerRound {
		return func(int) (int, int64) {
			var keys sync.Map
			x := &race{racers: int64(workers)}
			var wait sync.WaitGroup
			for range workers {
				wait.Go(func() {
					x.run(ctx, func() (won int64) {
						for k := range n {
							if _, loaded := keys.LoadOrStore(k, k); !loaded {
								won++
							}
						}
						return won
					})
				})
			}
			wait.Wait()
			return int(x.won.Load()) * workers, x.busy.Load()
		}
	}}.measure(ctx, b, workers)
}
