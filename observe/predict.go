package observe

import (
	"context"
	"fmt"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/watch/predict"
	"ocr/runtime"
)

// Costs are what the steps of package runtime take on this machine, for [Predict]: [MeasureCosts] measures them.
type Costs = predict.Costs

// Predicted is what [Predict] says of a run.
type Predicted struct {
	predict.Result
	Span time.Duration // Tinf: the same run with workers without number, and a runtime that takes no time
}

// Predict says how long a program would take on a number of workers, each with a processor of its own. It runs main
// three times, on the caller's goroutine: on one worker, to learn how long EDTs take, on so many, and for the span. No
// body runs beside another one, and Ctx.Worker and Ctx.Places are as on that many workers. It returns what runtime.Run
// would, and an error if the program uses an [edt.External] or [edt.Blocking]. Memory bandwidth and caches that workers
// share, two threads of one core, contention for a word, and the garbage collector beside many workers are not
// predicted.
func Predict(ctx context.Context, main edt.Func, workers int, costs Costs, argv ...string) (Predicted, error) {
	if workers < 1 || workers > runtime.MaxWorkers {
		return Predicted{}, &runtime.OptionError{
			Option: fmt.Sprintf("Predict(%d workers)", workers), Problem: fmt.Sprintf("want 1 to %d", runtime.MaxWorkers)}
	}
	known := predict.Known{}
	var all [3]predict.Result
	for k, cfg := range []predict.Config{
		{Workers: 1, Costs: costs, Known: known},
		{Workers: workers, Costs: costs, Known: known},
		{Workers: workers, Costs: predict.Free(), Known: known, Endless: true},
	} {
		h := predict.New(cfg)
		err := h.Run(ctx, main, argv...)
		all[k] = h.Result
		if h.Graph.Close(); err != nil {
			return Predicted{}, err
		}
	}
	return Predicted{all[1], all[2].Time}, nil
}

// MeasureCosts measures what the runtime's steps take, on two of the process's processors, in 0.1 s. With one processor
// the figures of two workers mean nothing. A theft is taken for as dear as a hand-off, which moves as many cache lines.
func MeasureCosts() Costs {
	c := Costs{Spin: runtime.DefaultSpin, Gap: runtime.DefaultStealGap}
	h := predict.New(predict.Config{Workers: 1, Costs: predict.Free(), Known: predict.Known{}})
	defer h.Graph.Close()
	var own bouncing
	if h.Run(context.Background(), own.main) == nil {
		own.hop = h.Result.Work / bounces
	}
	local, remote, woken := bounce(1), bounce(2), bounce(2, runtime.Spin(0))
	least := func(d time.Duration) time.Duration { return max(d, 0) }
	c.EDT = least(local.hop - own.hop)
	c.Send = least(remote.call - local.call)
	c.Hop = least(remote.hop - local.hop - c.Send)
	c.Steal = c.Send + c.Hop
	c.Wake = least(woken.call - remote.call)
	c.Waking = least(woken.hop - local.hop - c.Send - c.Wake)
	return c
}

// bounces is how many EDTs hand over to the next one.
const bounces = 300

// A bouncing is a program of EDTs of which each creates the next on the next of two workers, or of one.
type bouncing struct {
	hop, call time.Duration // of an EDT, and of the call that makes the next one
	began     int64
	calls     [2]int64 // of each worker
}

// bounce runs such a program a few times, and returns the least.
func bounce(workers int, opts ...runtime.Option) bouncing {
	least := bouncing{hop: time.Hour, call: time.Hour}
	opts = append(opts, runtime.Workers(workers), runtime.Watchdog(runtime.Watch{}))
	for range 5 {
		var b bouncing
		if runtime.Run(context.Background(), b.main, opts...) == nil {
			least.hop = min(least.hop, b.hop)
			least.call = min(least.call, time.Duration(b.calls[0]+b.calls[1])/bounces)
		}
	}
	return least
}

func (b *bouncing) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	var hop *edt.Template
	hop = c.NewTemplate("hop", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		before, left := sys.Nanotime(), in.Param(0)
		switch left {
		case 0:
			b.hop = time.Duration(before-b.began) / bounces
			return guid.Null
		case bounces:
			b.began = before
		}
		next := c.Bind((c.Worker() + 1) % c.Places())
		c.Spawn(hop, &edt.Spec{Params: []uint64{left - 1}, Hint: edt.Hint{Affinity: next}})
		b.calls[c.Worker()] += sys.Nanotime() - before
		return guid.Null
	})
	c.Spawn(hop, &edt.Spec{Params: []uint64{bounces}})
	return guid.Null
}
