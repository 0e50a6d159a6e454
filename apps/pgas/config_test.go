package pgas

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestDefaultsAreValid(t *testing.T) {
	for _, test := range Tests() {
		cfg := Defaults(test.Name)
		if err := cfg.Validate(); err != nil {
			t.Error(err)
		}
		if len(test.Sizes()) == 0 {
			t.Errorf("%s has no sizes", test.Name)
		}
		for _, bytes := range test.Sizes() {
			for _, stride := range append(test.Strides(), 1) {
				cfg.Bytes, cfg.Stride = bytes, stride
				if err := cfg.Validate(); err != nil {
					t.Errorf("default size %d, stride %d: %v", bytes, stride, err)
				}
			}
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, test := range []struct {
		test   string
		change func(*Config)
		want   string
	}{
		{"nonsense", func(*Config) {},
			`--tests "nonsense": must be putget, putput, getget, putbw, getbw, putbibw, getbibw, ` +
				`stridedput, stridedget, randomput, randomget, reduce, reduceinplace`},
		{"putget", func(c *Config) { c.Form = "x" }, `--forms "x": must be direct, edt`},
		{"putput", func(c *Config) { c.Sync = "" }, `--sync "": must be p2p, flag`},
		{"putput", func(c *Config) { c.Sync, c.Form = Flag, EDT },
			`--sync flag: an EDT does not poll: the edt form has no flag in the data: must be p2p`},
		{"putput", func(c *Config) { c.Sync, c.Bytes = Flag, 12 },
			`--sizes 12: the flag is the message's last word: must be 4 and multiples of 8`},
		{"putget", func(c *Config) { c.PEs = 0 }, `--pes 0: must be 1..512`},
		{"putget", func(c *Config) { c.PEs = -2 }, `--pes -2: must be 1..512`},
		{"putget", func(c *Config) { c.PEs = 514 }, `--pes 514: must be 1..512`},
		{"putget", func(c *Config) { c.PEs = 3 }, `--pes 3: PEs work in pairs: must be even numbers`},
		{"getget", func(c *Config) { c.Sync = Flag }, `--sync "flag": must be p2p`},
		{"putbw", func(c *Config) { c.Bytes = 0 }, `--sizes 0: must be 1..1073741824`},
		{"putbw", func(c *Config) { c.Bytes = -4 }, `--sizes -4: must be 1..1073741824`},
		{"putbw", func(c *Config) { c.Bytes = 1 << 29 },
			`--sizes 536870912: the test needs a segment of 1073742464 bytes and has 67108864: ` +
				`must be less`},
		{"putbw", func(c *Config) { c.Segment = 100 },
			`--segment 100: the test needs a segment of 768 bytes: must be 768 and more`},
		{"putbw", func(c *Config) { c.Segment = -1 }, `--segment -1: must be 1..17179869184`},
		{"stridedput", func(c *Config) { c.Stride = 0 }, `--strides 0: elements would overlap: must be 1..1048576`},
		{"stridedput", func(c *Config) { c.Stride = -2 }, `--strides -2: elements would overlap: must be 1..1048576`},
		{"stridedput", func(c *Config) { c.Stride = 1<<20 + 1 }, `--strides 1048577: must be 1..1048576`},
		{"reduce", func(c *Config) { c.Bytes = 6 }, `--sizes 6: elements have 4 bytes: must be multiples of 4`},
		{"putget", func(c *Config) { c.Iterations = -1 }, `--iters -1: must be 0..1099511627776`},
		{"putget", func(c *Config) { c.MaxTime = -time.Second }, `--max-time -1s: must be 0 and more`},
		{"putget", func(c *Config) { c.MaxTime = 0 },
			`--max-time 0s: nothing else says how many iterations there are: must be more than 0`},
		{"putget", func(c *Config) { c.MaxTime = time.Microsecond },
			`--max-time 1µs: the calibration needs as much: must be 0, or 1ms and more`},
	} {
		cfg := Defaults(test.test)
		test.change(&cfg)
		err := cfg.Validate()
		var bad *trial.ConfigError
		if !errors.As(err, &bad) || err.Error() != "pgas: "+test.want {
			t.Errorf(" got %v\nwant %s", err, test.want)
		}
	}
}

// Partners are each other's, and half of the PEs are origins.
func TestPartners(t *testing.T) {
	for pes := 2; pes <= 24; pes += 2 {
		cfg := Defaults("putbw")
		cfg.PEs = pes
		origins := 0
		for pe := range pes {
			if p := cfg.Partner(pe); cfg.Partner(p) != pe || p == pe || cfg.Origin(p) == cfg.Origin(pe) {
				t.Errorf("%d PEs: PE %d has partner %d", pes, pe, p)
			}
			if cfg.Origin(pe) {
				origins++
			}
		}
		if origins != pes/2 || !cfg.Origin(0) {
			t.Errorf("%d PEs: %d origins", pes, origins)
		}
	}
}

func TestTestNames(t *testing.T) {
	var names []string
	for _, test := range Tests() {
		names = append(names, test.Name)
		if got, ok := Lookup(test.Name); !ok || got.Name != test.Name {
			t.Errorf("%s is not found", test.Name)
		}
		if strings.ToLower(test.Name) != test.Name || strings.ContainsAny(test.Name, "/= ") {
			t.Errorf("%q cannot be in a result's name", test.Name)
		}
	}
	slices.Sort(names)
	testrun.Equal(t, len(tests), len(slices.Compact(names)), "different names")
}

func TestPhases(t *testing.T) {
	cfg := Defaults("putbw")
	cfg.MaxTime = time.Second
	for _, test := range []struct {
		given int
		each  float64 // ns
		want  int
	}{
		{0, 100, 5_000_000}, {0, 1e9, 5}, {1000, 100, 1000}, {1 << 39, 100, 10_000_000}, {1, 100, 1},
	} {
		cfg.Iterations = test.given
		p := &calibrator{plan: newPlan(cfg)}
		h := p.firstPhase()
		for h.kind == calibrate {
			h = p.after(h, time.Duration(test.each*float64(h.n)))
		}
		if h.kind != warmUp || p.batch(h) < 10 {
			t.Errorf("%+v: phase %+v of %d iterations after the calibration", test, h, p.batch(h))
		}
		if h = p.after(h, time.Second); h.kind != timed || h.n != test.want {
			t.Errorf("%+v: %d iterations, want %d", test, h.n, test.want)
		}
		testrun.Equal(t, over, p.after(h, 1).kind, "%+v: goes on after the timed part", test)
	}
}

// Batches that something else has slowed down do not decide N, and a calibration comes to an end whatever it measures.
func TestCalibrationSurvivesDisturbance(t *testing.T) {
	const each, want = 100, 5_000_000
	for name, elapsed := range map[string]func(batch, n int) int{
		"none":          func(_, n int) int { return each * n },
		"first batches": func(batch, n int) int { return each*n + max(0, 3-batch)*10_000_000 },
		"every second":  func(batch, n int) int { return each*n + batch%2*4_000_000 },
		"all but two":   func(batch, n int) int { return each*n + min(batch%7, 1)*3_000_000 },
		"growing":       func(batch, n int) int { return each*n + batch*batch*1_000_000 },
	} {
		p := &calibrator{plan: newPlan(Defaults("putbw"))}
		h, batch := p.firstPhase(), 0
		for ; h.kind == calibrate; batch++ {
			h = p.after(h, time.Duration(elapsed(batch, h.n)))
		}
		h = p.after(h, time.Duration(each*p.batch(h)))
		if h.kind != timed || h.n < want*9/10 || h.n > want*11/10 || batch > 40 {
			t.Errorf("%s: %d iterations after %d batches, want %d", name, h.n, batch, want)
		}
	}
}

// A slow warm-up does not lower N, a fast one does not raise it above what is given.
func TestWarmUpCorrects(t *testing.T) {
	for _, test := range []struct{ given, calibrated, warm, want int }{
		{0, 100, 50, 10_000_000}, {0, 100, 400, 5_000_000}, {5000, 100, 50, 5000}, {5000, 400_000, 100, 5000},
	} {
		cfg := Defaults("putbw")
		cfg.Iterations = test.given
		p := &calibrator{plan: newPlan(cfg)}
		h := p.firstPhase()
		for h.kind == calibrate {
			h = p.after(h, time.Duration(test.calibrated*h.n))
		}
		if h = p.after(h, time.Duration(test.warm*p.batch(h))); h.n != test.want {
			t.Errorf("%+v: %d iterations", test, h.n)
		}
	}
}

func TestSlicesOfAResult(t *testing.T) {
	r := Result{Iterations: 10, Config: Config{Bytes: 1 << 20}, Origins: []Timing{
		{Start: 100, End: 2100, Marks: []Mark{{4, 500}, {10, 2100}}},
		{Start: 200, End: 4200, Marks: []Mark{{10, 4200}}},
	}}
	if ns, n := r.Slices(); !slices.Equal(ns, []float64{100, 1600.0 / 6, 400}) ||
		!slices.Equal(n, []float64{4, 6, 10}) {
		t.Errorf("slices of %v ns an iteration, %v iterations", ns, n)
	}
	if r.Elapsed() != 3000 || r.Span() != 4100 || r.NsPerIteration() != 300 {
		t.Errorf("elapsed %v, span %v, %v ns an iteration", r.Elapsed(), r.Span(), r.NsPerIteration())
	}
	rates := r.MessagesPerSecond()
	if rates.Min != 10/4e-6 || rates.Max != 10/2e-6 || rates.Sum != rates.Min+rates.Max || rates.Mean != rates.Sum/2 {
		t.Errorf("rates %+v", rates)
	}
	if r.MBPerSecond() != rates || math.Abs(r.AggregateMBPerSecond()*4.1e-6-20) > 1e-9 {
		t.Errorf("%+v MB/s, aggregate %v", r.MBPerSecond(), r.AggregateMBPerSecond())
	}
}

// Time that is excluded is subtracted.
func TestExcludedTime(t *testing.T) {
	var tally tally
	tally.begin(10)
	tally.excluded = 1 << 40
	tally.mark(5)
	tally.iterations = 10
	tally.end()
	got := tally.timing
	if got.End > got.Start-1<<39 || got.Marks[0].At > got.Start-1<<39 || got.Marks[1].At != got.End {
		t.Errorf("%+v", got)
	}
	for _, test := range []string{"reduceinplace", "reduce"} {
		for _, form := range []Form{Direct, EDT} {
			cfg := Defaults(test)
			cfg.Form, cfg.Bytes, cfg.MaxTime, cfg.Iterations = form, 64, 0, 200
			app := New(cfg)
			if err := runtime.Run(t.Context(), app.Main(), runtime.Workers(cfg.PEs)); err != nil ||
				(app.tallies[0].excluded > 0) != (test != "reduce") {
				t.Errorf("%s: excluded %v, error %v", name(cfg), app.tallies[0].excluded, err)
			}
		}
	}
}

func TestNotes(t *testing.T) {
	for _, test := range []struct {
		name string
		cpus []int
		want string // in the only note; none if empty
	}{
		{"putbw", []int{0, 1}, ""},
		{"putbw", []int{-1, -1}, ""},
		{"putbw", []int{3, 3}, "PEs 0 and 1 on processor 3"},
		{"putbw", []int{0, 1, 2, 1}, "PEs 1 and 3 on processor 1"},
		{"putbw", []int{0, 0, 1, 1}, ""}, // PE 0 is paired with PE 2
		{"reduce", []int{0, 0}, ""},
		{"randomput", []int{0, 1}, "each PE has one target"},
		{"randomput", []int{0, 1, 2, 3}, ""},
	} {
		cfg := Defaults(test.name)
		cfg.PEs = len(test.cpus)
		notes := cfg.Notes(test.cpus)
		if len(notes) > 1 || (len(notes) == 1) != (test.want != "") ||
			!strings.Contains(strings.Join(notes, ""), test.want) {
			t.Errorf("%s on %v: %q, want %q", test.name, test.cpus, notes, test.want)
		}
	}
}
