package predict_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/predict"
)

// A drawn graph has EDTs that depend on EDTs before them.
type drawn struct {
	takes []int64 // ns
	after [][]int // the EDTs that one waits for
}

func draw(rng *rand.Rand) (d drawn) {
	n, degree := 1+rng.IntN(60), 1+rng.IntN(4)
	for k := range n {
		d.takes = append(d.takes, 1+rng.Int64N(1000))
		var after []int
		for range min(k, rng.IntN(degree+1)) {
			after = append(after, rng.IntN(k))
		}
		d.after = append(d.after, after)
	}
	return d
}

// bounds are the sum of all times, and the longest path.
func (d drawn) bounds() (work, span int64) {
	end := make([]int64, len(d.takes))
	for k, took := range d.takes {
		for _, before := range d.after[k] {
			end[k] = max(end[k], end[before])
		}
		end[k] += took
		work, span = work+took, max(span, end[k])
	}
	return work, span
}

// main creates the graph in an order of its own. Times pass on the clock of the test.
func (d drawn) main(clock *int64, known predict.Known) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		ends := make([]guid.GUID, len(d.takes))
		for k := range d.takes {
			ends[k] = c.NewEvent(edt.Sticky)
		}
		for k, took := range d.takes {
			var sources []edt.Source
			for _, before := range d.after[k] {
				sources = append(sources, edt.From(ends[before], datablock.Null))
			}
			name := fmt.Sprintf("takes %d", took)
			known[name] = took
			t := c.NewTemplate(name, 0, len(sources), func(c *edt.Ctx, _ edt.Args) guid.GUID {
				*clock += took
				c.Satisfy(ends[k], guid.Null)
				return guid.Null
			})
			c.NewEDT(t, nil, sources...)
		}
		return guid.Null
	}
}

// TestBounds: without costs a run takes no less than work and span allow, and no more than a greedy schedule may.
func TestBounds(t *testing.T) {
	for seed := range uint64(testrun.Sized(50, 500, 10_000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d, workers, clock := draw(rng), 1+rng.IntN(9), int64(1)
		cfg := predict.Config{Workers: workers, Costs: predict.Free(), Known: predict.Known{}}
		work, span := d.bounds()
		got := predicted(t, cfg, &clock, d.main(&clock, cfg.Known))
		least := max((work+int64(workers)-1)/int64(workers), span)
		if most := work/int64(workers) + span; int64(got.Time) < least || int64(got.Time) > most {
			t.Errorf("seed %d: %d ns on %d workers; want %d to %d", seed, got.Time, workers, least, most)
		}
		cfg.Endless = true
		if endless := predicted(t, cfg, &clock, d.main(&clock, cfg.Known)); int64(endless.Time) != span {
			t.Errorf("seed %d: %d ns without an end of workers; the span is %d", seed, endless.Time, span)
		}
		if got.Overhead != 0 || int64(got.Work) != work || got.Idle != time.Duration(workers)*got.Time-got.Work {
			t.Errorf("seed %d: work %d, overhead %d, idle %d", seed, got.Work, got.Overhead, got.Idle)
		}
	}
}
