package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/harness"
)

// How long a trial may take. Go's scheduler looks at a thread every 10 ms.
const (
	longestTrial = 8 * time.Millisecond
	// leastTransfers is what a trial has however long they take.
	leastTransfers = 20
	// firstTransfers is the length of the trial that the others are fitted by.
	firstTransfers = 200
)

// c2cSide is a form of a test on a pair of processors: one line of the results.
type c2cSide struct {
	c2cGroup
	form  c2capp.Form
	cfg   c2capp.Config // as asked for
	lines int           // places in memory that trials take in turn
	exact bool          // no trial has fewer transfers than asked for
	once  func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error)

	fitted   c2capp.Config // cfg with transfers that fit a trial
	quickest float64       // ns that a transfer has taken at least
	latest   c2capp.Result
	spoilt   error // what made the latest trial be taken again; nil
	gone     bool  // given up: its turns pass without a trial
	figures  []bench.Value
	told     harness.GraphRun // of the latest graph
	c2cSeen
}

// c2cSeen is what the trials that were kept tell beside their times. Trial t used
// place t % lines.
type c2cSeen struct {
	kept       int
	placements []string // where the ends were found: every different answer once
	doubted    int      // trials with doubts
	doubts     []string // of the first of them
}

// calibrate runs trials that are dropped, and finds how many transfers fit one.
// The quickest counts: a trial that was disturbed says nothing of the next.
func (x *c2cSide) calibrate(ctx context.Context) error {
	x.quickest = math.Inf(1)
	x.fit(firstTransfers)
	for range 3 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r, err := x.attempt(ctx, x.fitted)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		x.quickest = min(x.quickest, r.OneWay(0))
		cost := x.quickest
		if x.cfg.Form == c2capp.Parked {
			cost += float64(x.cfg.Pause.Nanoseconds())
		}
		x.fit(int(float64(longestTrial.Nanoseconds()) / cost))
	}
	if x.exact {
		x.fitted.Transfers = x.cfg.Transfers
	}
	return nil
}

// fit sets the transfers of a trial to n where that is less than asked for, and those
// of the warm-up to n where nothing was asked for. Go's monitor thread wakes every 70 us
// until it has found nothing to do for some 5 ms: in a shorter warm-up and trial it
// takes a tenth of a processor, which the C program does not have to pay.
func (x *c2cSide) fit(n int) {
	n = max(n, leastTransfers) / 2 * 2
	x.fitted = x.cfg
	x.fitted.Transfers = min(x.cfg.Transfers/2*2, n)
	x.fitted.Warmup = (x.cfg.Warmup + 1) / 2 * 2
	if x.cfg.Warmup == 0 {
		x.fitted.Warmup = min(n, c2capp.MaxTransfers)
	}
}

// turn makes a side of a bench.Plan, a run of which is a trial. A side that was given
// up repeats its latest figures, which nobody reads: the others go on, unless none of
// the group is left.
func (r *c2cRun) turn(x *c2cSide, group []*c2cSide) bench.Side {
	return bench.Side{
		Name: x.name(),
		Once: func(ctx context.Context) (time.Duration, error) {
			if x.gone {
				return 0, nil
			}
			cfg := x.fitted
			cfg.Line = x.kept % x.lines
			result, err := x.attempt(ctx, cfg)
			if err == nil || fatal(ctx, err) {
				x.latest = result
				return result.Ends[0].Elapsed, err
			}
			if r.giveUp(x, err); allGone(group) {
				return 0, errNoneLeft
			}
			return 0, nil
		},
		Figures: func(time.Duration, int) []bench.Value {
			if x.gone {
				return x.figures
			}
			x.see(x.latest, x.spoilt)
			x.figures = c2cFigures(x.latest)
			return x.figures
		},
	}
}

func (x *c2cSide) name() string {
	return fmt.Sprintf("%s/%s/%s/%v", c2cName, x.test, x.form, x.c2cGroup)
}

// see takes note of a trial; spoilt is why it was taken again, nil where it was not.
func (s *c2cSeen) see(r c2capp.Result, spoilt error) {
	s.kept++
	at := place(r.Ends[0]) + "," + place(r.Ends[1])
	if !slices.Contains(s.placements, at) {
		s.placements = append(s.placements, at)
	}
	doubts := r.Doubts()
	if spoilt != nil {
		doubts = append(doubts, fmt.Sprintf("a trial failed and was taken again: %v", spoilt))
	}
	if len(doubts) == 0 {
		return
	}
	if s.doubted++; s.doubted == 1 {
		s.doubts = doubts
	}
}

// place tells where an end was: "0", or "0>1" where it has moved.
func place(e c2capp.End) string {
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

// Units of what happened to a trial.
const (
	preemptionsUnit = "preemptions"
	collectionsUnit = "collections"
)

// c2cFigures returns the metrics of a trial; the first is the time that tables show.
func c2cFigures(r c2capp.Result) []bench.Value {
	figures := []bench.Value{{Unit: timeUnit(r.Config.Test), Value: r.OneWay(0)}}
	if r.Config.Test.Replies() {
		figures = append(figures, bench.Value{Unit: "ns/roundtrip", Value: r.RoundTrip(0)})
	}
	rate := bench.Value{Unit: "Gbit/s", Value: r.Rate()}
	if !r.Config.Test.HasLength() {
		rate = bench.Value{Unit: "Mbit/s", Value: 1000 * r.Rate()}
	}
	return append(figures,
		bench.Value{Unit: timeUnit(r.Config.Test) + "-b", Value: r.OneWay(1)},
		bench.Value{Unit: "transfers/s", Value: 1e9 / r.OneWay(0)},
		rate,
		bench.Value{Unit: preemptionsUnit, Value: float64(preemptions(r))},
		bench.Value{Unit: collectionsUnit, Value: float64(r.Collections)},
	)
}

func timeUnit(t c2capp.Test) string {
	if t.Replies() {
		return "ns/oneway"
	}
	return "ns/block"
}

// preemptions returns how often the threads of both ends were made to leave their
// processor, -1 where that is not known. Both ends of form Local are one thread.
func preemptions(r c2capp.Result) int64 {
	a, b := r.Ends[0].Preemptions, r.Ends[1].Preemptions
	if a < 0 || b < 0 {
		return -1
	}
	if r.Config.Form == c2capp.Local {
		return max(a, b)
	}
	return a + b
}
