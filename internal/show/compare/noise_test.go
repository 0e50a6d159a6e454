package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// noisy is a machine of two processors with busy loops beside the measurement. It models what we saw on a real machine:
// under load it runs at one pace for seconds, and then at another, as the core's other thread is busy or not; every
// process has a pace of its own, a few percent from the others; the loops take their share of the processors and
// caches, and some samples include time slices of the loops, which last several milliseconds.
type noisy struct {
	rng   *rand.Rand
	loops int
	slow  bool // the slower of two paces
}

// operations is the number of results in a document, and slowed the operation that the change makes slower.
const (
	operations = 40
	slowed     = 17
)

// run returns the measurements of a process, with samples of each operation. The change multiplies the time of slowed
// by factor.
func (m *noisy) run(samples int, factor float64) *report.Document {
	turns := float64(m.loops) / 2
	pace := (1 + 0.03*turns) * (1 + 0.01*m.rng.NormFloat64())
	if m.loops > 0 && m.rng.Float64() < 0.1 {
		m.slow = !m.slow
	}
	if m.slow {
		pace *= 1.6
	}
	d := &report.Document{App: "app", Verified: true, Conditions: m.conditions()}
	for op := range operations {
		typical := float64(10+op) * pace
		if op == slowed {
			typical *= factor
		}
		var values []float64
		for range samples {
			v := typical * (1 + 0.02*m.rng.NormFloat64())
			if m.rng.Float64() < turns/(12+turns) {
				v *= 1 + turns*m.rng.Float64() // it includes time slices of the loops
			}
			values = append(values, v)
		}
		d.Results = append(d.Results, report.Result{Name: fmt.Sprintf("app/op%d", op),
			Metrics: bench.Metrics{{Unit: "ns/op", Samples: values}}})
	}
	return d
}

func (m *noisy) conditions() *machine.Conditions {
	share := 2 / float64(2+m.loops) // of the processors for this process
	return &machine.Conditions{Processors: 2, Others: (1 - share) * (0.95 + 0.05*m.rng.Float64())}
}

// tries runs an experiment 20 times, each with a seed of its own.
func tries(experiment func(seed uint64, r *rand.Rand)) {
	for seed := range uint64(20) {
		experiment(seed, rand.New(rand.NewPCG(seed, 12)))
	}
}

func changed(c *Comparison) []*Row {
	return c.rows(func(r *Row) bool { return r.Verdict == Slower || r.Verdict == Faster })
}

// TestSameBinaryWithLoopsBesideOne: a binary against itself, measured one after the other, with 8 busy loops beside one
// measurement. Without the conditions in the documents, every try would find changes.
func TestSameBinaryWithLoopsBesideOne(t *testing.T) {
	fooled := 0
	tries(func(seed uint64, rng *rand.Rand) {
		quiet, err1 := Of("quiet", (&noisy{rng: rng}).run(10, 1))
		busy, err2 := Of("busy", (&noisy{rng: rng, loops: 8}).run(10, 1))
		testrun.OK(t, errors.Join(err1, err2))
		c := Compare(quiet, busy, Options{Alpha: 0.05, FailOver: 5})
		if len(changed(c)) > 0 || c.Rows[0].Verdict != Unknown || !strings.HasPrefix(c.Notes()[0],
			"not comparable: other processes took ") {
			t.Errorf("try %d: %d changes, %s, %q, want: not comparable", seed, len(changed(c)), c.Rows[0].Verdict, c.Notes())
		}
		quiet.Conditions = nil
		if len(changed(Compare(quiet, busy, Options{Alpha: 0.05, FailOver: 5}))) > 0 {
			fooled++
		}
	})
	if fooled < 15 {
		t.Errorf("the figures alone would have misled us in %d of 20 tries only: the experiment is too easy", fooled)
	}
}

// alternated compares two programs that ran in turn, 30 times each.
func alternated(m *noisy, factor float64) *Comparison {
	var runs [2][]*report.Document
	for round := range 30 {
		for turn := range 2 { // in Alternate's order
			which := (turn + round) % 2
			runs[which] = append(runs[which], m.run(15, []float64{1, factor}[which]))
		}
	}
	return Compare(merge("old", runs[0], ""), merge("new", runs[1], ""), Options{Alpha: 0.05, FailOver: 5})
}

// TestSameBinaryInTurn: alternated under equal load, a binary does not differ from itself, except in the one try of 20
// that the level allows.
func TestSameBinaryInTurn(t *testing.T) {
	for _, loops := range []int{0, 8} {
		wrong := 0
		tries(func(seed uint64, rng *rand.Rand) {
			c := alternated(&noisy{rng: rng, loops: loops}, 1)
			if len(changed(c)) > 0 {
				wrong++
			}
			if c.NotComparable != "" || len(c.Regressions()) > 0 {
				t.Errorf("%d loops, try %d: %q, regressions %v", loops, seed, c.NotComparable, c.Regressions())
			}
		})
		if wrong > 1 {
			t.Errorf("%d loops: changes in %d of 20 tries", loops, wrong)
		}
	}
}

// TestSlowDownUnderLoad: one operation of 40 is 10 % slower, and 8 loops run beside both binaries.
func TestSlowDownUnderLoad(t *testing.T) {
	found, wrong := 0, 0
	tries(func(seed uint64, rng *rand.Rand) {
		c := alternated(&noisy{rng: rng, loops: 8}, 1.1)
		others := 0
		for _, r := range changed(c) {
			switch {
			case r.Name != fmt.Sprintf("app/op%d", slowed):
				others++
			case r.Regression && c.NotComparable == "":
				found++
			}
		}
		wrong += min(others, 1)
	})
	if found < 20 || wrong > 1 {
		t.Errorf("found in %d of 20 tries, and other changes in %d", found, wrong)
	}
}

func TestUnlike(t *testing.T) {
	quiet := machine.Conditions{Processors: 2, Others: 0.02}
	for _, tt := range []struct {
		what   string
		change func(c *machine.Conditions)
		want   string
	}{
		{"the same", func(*machine.Conditions) {}, ""},
		{"a little more", func(c *machine.Conditions) { c.Others = 0.1 }, ""},
		{"others", func(c *machine.Conditions) { c.Others = 0.5 },
			"other processes took 2 % of the processors in one and 50 % in the other"},
		{"hypervisor", func(c *machine.Conditions) { c.Steal = 0.3 },
			"the hypervisor took 0 % of the processors in one and 30 % in the other"},
	} {
		other := quiet
		tt.change(&other)
		testrun.Same(t, tt.want, unlike(&quiet, &other), "%s", tt.what)
	}
	testrun.Same(t, "", unlike(nil, &quiet), "an old document")
}
