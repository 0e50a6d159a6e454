package c2c

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	app "ocr/apps/c2c"
	"ocr/internal/measure/bench"
)

// newRow returns a row that is to be measured.
func (r *run) newRow(k key) *row {
	x := &row{key: k, cfg: app.Defaults(), budget: budget{limit: r.MaxTime}}
	x.cfg.Test, x.cfg.Form, x.cfg.Width, x.cfg.Length = k.test, k.form, k.width, k.length
	x.cfg.Transfers, x.cfg.Warmup = r.Transfers, r.Warmup
	x.cfg.Limit = x.longest(x.cfg.Limit)
	if x.once = x.runner(r.bed.Options); k.form != C { // its time limit is the trial's whole time
		x.once = app.Again(x.once)
	}
	return x
}

// calibrate finds the transfers of a trial.
func (x *row) calibrate(ctx context.Context) error {
	cfg, err := app.Calibrate(ctx, x.cfg, x.timed(x.once))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		x.cfg = cfg
	}
	return err
}

// side makes a side of a bench.Plan, a run of which is a trial. failed gets the error of a trial, and says how the row
// ends with it.
func (x *row) side(failed func(*row, error) error) bench.Side {
	once := x.timed(x.once)
	return bench.Side{
		Name: x.name(),
		Once: func(ctx context.Context) (_ time.Duration, err error) {
			cfg := x.cfg
			cfg.Line = x.kept % lines
			if x.latest, err = once(ctx, cfg); err != nil && ctx.Err() == nil {
				err = failed(x, err)
			}
			return x.latest.Ends[0].Elapsed, err
		},
		Over: func(bool) bool { return x.spentUp() && x.kept > 0 },
		Figures: func(time.Duration, int) []bench.Value {
			x.see(x.latest)
			return figures(x.latest)
		},
	}
}

// see records a trial.
func (x *row) see(r app.Result) {
	x.kept++
	at := place(r.Ends[0]) + "," + place(r.Ends[1])
	if !slices.Contains(x.placements, at) {
		x.placements = append(x.placements, at)
	}
	doubts := append(r.Doubts(), x.strayed(r)...)
	if len(doubts) == 0 {
		return
	}
	if x.doubted++; x.doubted == 1 {
		x.doubts = doubts
	}
}

// strayed says which ends were not on the processors asked for.
func (k key) strayed(r app.Result) []string {
	var doubts []string
	for end, asked := range []int{k.pair.From, k.pair.To} {
		if found := r.Ends[end].CPU; found[0] >= 0 && found[0] == found[1] && found[0] != asked {
			doubts = append(doubts, fmt.Sprintf("%s: end %c ran on processor %d, not on %d", k.name(), 'A'+end, found[0], asked))
		}
	}
	return doubts
}

// place says where an end was: "0", or "0>1" if it has moved.
func place(e app.End) string {
	name := func(cpu int) string {
		if cpu < 0 {
			return "?"
		}
		return strconv.Itoa(cpu)
	}
	if e.CPU[0] == e.CPU[1] {
		return name(e.CPU[0])
	}
	return name(e.CPU[0]) + ">" + name(e.CPU[1])
}

const (
	timeUnit        = "ns/oneway" // of a transfer, by A's clock
	preemptionsUnit = "preemptions"
	collectionsUnit = "collections"
)

// rateUnit is that of the payload that arrives.
func rateUnit(t app.Test) string {
	if t.HasLength() {
		return "Gbit/s"
	}
	return "Mbit/s"
}

// figures returns the metrics of a trial; the first is the time that tables show.
func figures(r app.Result) []bench.Value {
	test := r.Config.Test
	rate := r.Rate()
	if !test.HasLength() {
		rate *= 1000
	}
	return []bench.Value{
		{Unit: timeUnit, Value: r.OneWay(0)},
		{Unit: "ns/roundtrip", Value: r.RoundTrip(0)},
		{Unit: rateUnit(test), Value: rate},
		{Unit: preemptionsUnit, Value: float64(preemptions(r))},
		{Unit: collectionsUnit, Value: float64(r.Collections)},
	}
}

// preemptions returns how often the threads of both ends were made to leave their processor, -1 if that is not known.
func preemptions(r app.Result) int64 {
	a, b := r.Ends[0].Preemptions, r.Ends[1].Preemptions
	if a < 0 || b < 0 {
		return -1
	}
	return a + b
}
