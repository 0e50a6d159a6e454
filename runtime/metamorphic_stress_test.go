package runtime

import (
	"context"
	"math/rand/v2"
	goruntime "runtime"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A jitter is an observer that lets time pass where it makes races likelier: between
// what a worker has done and what it does next. It also shuffles from whom its worker steals.
type jitter struct {
	edt.NopObserver
	rng  *rand.Rand
	id   int
	pool **pool
}

// jittered has every worker disturbed.
func jittered(seed uint64) []Option {
	var p *pool
	return []Option{
		prepared(func(q *pool) { p = q }),
		Observe(func(w *edt.Worker) edt.Observer {
			return &jitter{rng: rand.New(rand.NewPCG(seed, uint64(w.Number()))), id: w.Number(), pool: &p}
		}),
	}
}

func (j *jitter) pause() {
	switch r := j.rng.Uint32(); {
	case r%32 == 0:
		goruntime.Gosched()
	case r%64 == 1:
		for start := time.Now(); time.Since(start) < 2*time.Microsecond; {
		}
	case r%1024 == 2:
		time.Sleep(20 * time.Microsecond)
	}
}

func (j *jitter) shuffle() {
	v := (*j.pool).workers[j.id].victims
	j.rng.Shuffle(len(v), func(a, b int) { v[a], v[b] = v[b], v[a] })
}

func (j *jitter) EDTCreated(guid.GUID, *edt.Template, int)                { j.pause() }
func (j *jitter) EDTReady(guid.GUID)                                      { j.pause() }
func (j *jitter) EDTBegin(guid.GUID, *edt.Template, edt.Args)             { j.pause() }
func (j *jitter) EDTReturned(guid.GUID)                                   { j.pause() }
func (j *jitter) EDTEnded(guid.GUID)                                      { j.pause() }
func (j *jitter) EDTDestroyed(guid.GUID)                                  { j.pause() }
func (j *jitter) EventSatisfied(_, _, _ guid.GUID, _ int)                 { j.pause() }
func (j *jitter) EventDestroyed(guid.GUID)                                { j.pause() }
func (j *jitter) DependenceAdded(_, _ guid.GUID, _ int, _ datablock.Mode) { j.pause() }
func (j *jitter) SlotSatisfied(_ guid.GUID, _ int, _, _ guid.GUID)        { j.pause() }
func (j *jitter) BlockReleased(guid.GUID, datablock.Mode, bool)           { j.pause() }
func (j *jitter) BlockDestroyed(guid.GUID)                                { j.pause() }
func (j *jitter) WorkerIdle()                                             { j.pause(); j.shuffle() }
func (j *jitter) WorkerParked()                                           { j.pause() }
func (j *jitter) WorkerWoke()                                             { j.pause() }
func (j *jitter) WorkerStole(int)                                         { j.pause(); j.shuffle() }
func (j *jitter) WorkerBusy()                                             { j.pause() }

// collecting runs the collector again and again until stop is called.
func collecting() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			goruntime.GC()
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
