package cg

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/harness/trialtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shapes have one point, one slab, even and uneven slabs, slabs of one plane; some end by the tolerance.
var shapes = []Config{
	{1, 1, 1, 0}, {1, 1, 50, 0}, {2, 1, 50, 0}, {7, 7, 10, 0}, {9, 1, 5, 0}, {12, 3, 20, 0},
	{13, 5, 1, 0}, {20, 6, 100, 1e-8}, {17, 4, 3, 1e-8}, {16, 2, 100, 0.9}, {10, 3, 400, 0},
}

// sameBits is an App whose iterations and result must be those of the serial form, to the last bit. It spoils
// what it has verified: the next run must make its own.
type sameBits struct {
	*App
	x []float64
	k scalars
}

func newSameBits(t *testing.T, cfg Config) sameBits {
	t.Helper()
	app := New(cfg)
	if err := app.serial(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	return sameBits{New(cfg), app.x, app.scalars}
}

func (a sameBits) Verify() error {
	err := a.App.Verify()
	if err == nil && (a.scalars != a.k || !slices.Equal(a.App.x, a.x)) {
		err = fmt.Errorf("not the bits of the serial form: %+v, want %+v", a.scalars, a.k)
	}
	a.scalars = scalars{}
	clear(a.App.x)
	return err
}

func TestForms(t *testing.T) {
	for _, cfg := range shapes {
		t.Run(fmt.Sprint(cfg), func(t *testing.T) {
			if err := cfg.Validate(); err != nil {
				t.Fatal(err)
			}
			trialtest.Forms(t, newSameBits(t, cfg))
		})
	}
}

func TestIncomplete(t *testing.T) {
	trialtest.Incomplete(t, New(Config{Size: 10, Planes: 2, Iterations: 20}))
}

func TestCheck(t *testing.T) { trialtest.Checked(t, New(Config{Size: 8, Planes: 3, Iterations: 4})) }

func TestSpread(t *testing.T) { trialtest.Spread(t, New(Config{Size: 8, Planes: 1, Iterations: 4})) }

func TestExplore(t *testing.T) {
	small := func() trial.App { return newSameBits(t, Config{Size: 5, Planes: 2, Iterations: 3}) }
	for _, opts := range [][]edttest.Option{{}, {edttest.Workers(3), edttest.Delays(1)}, {edttest.Pruned()}} {
		trialtest.Explore(t, small, append(opts, edttest.MaxSchedules(300))...)
	}
}

func TestSabotaged(t *testing.T) {
	for _, cfg := range []Config{{10, 3, 3, 0}, {8, 2, 100, 1e-7}} {
		app := New(cfg)
		trialtest.Sabotaged(t, app, trialtest.Slightly, func() (points []*float64) {
			cfg.each(func(_, _, _, at int) { points = append(points, &app.x[at]) })
			return append(points, &app.scalars.RR)
		})
		trialtest.Sabotaged(t, app, func(n int) int { return n - 1 },
			func() []*int { return []*int{&app.scalars.Iterations} })
	}
}

// What is wrong with the result that others are compared with is seen too: x, the residual, the iterations, or how far
// they came.
func TestSound(t *testing.T) {
	cfg := Config{Size: 12, Planes: 3, Iterations: 8}
	app := New(cfg)
	for name, spoil := range map[string]func(*solution){
		"":                   func(*solution) {},
		"x":                  func(s *solution) { s.x[2*plane(12)+5*14+6] += 1e-6 },
		"NaN":                func(s *solution) { s.x[2*plane(12)+5*14+6] = math.NaN() },
		"residual":           func(s *solution) { s.scalars.RR *= 1.1 },
		"too few":            func(s *solution) { s.scalars.Iterations = 7 },
		"slow":               func(s *solution) { clear(s.x); s.scalars.RR = s.scalars.First },
		"above tolerance":    func(s *solution) { s.scalars.Tolerance = 1e-9; s.scalars.Iterations = 5 },
		"more than was done": func(s *solution) { s.scalars.Iterations = 100 },
	} {
		s := cfg.literal(app.b)
		spoil(s)
		var wrong *trial.VerifyError
		if err := cfg.sound(app.b, s); errors.As(err, &wrong) != (name != "") {
			t.Errorf("spoiled %q: %v", name, err)
		}
	}
}

func TestValidate(t *testing.T) {
	for want, cfg := range map[string]Config{
		"cg: --size 0: must be 1..384":                             {0, 1, 1, 0},
		"cg: --size 385: must be 1..384":                           {385, 1, 1, 0},
		"cg: --planes 0: must be 1..10":                            {10, 0, 1, 0},
		"cg: --planes 11: must be 1..10":                           {10, 11, 1, 0},
		"cg: --iterations 0: must be 1..100000":                    {10, 1, 0, 0},
		"cg: --iterations 100001: must be 1..100000":               {10, 1, 100_001, 0},
		"cg: --tolerance 1: must be 0 or more, and less than 1":    {10, 1, 1, 1},
		"cg: --tolerance -0.5: must be 0 or more, and less than 1": {10, 1, 1, -0.5},
		"cg: --tolerance NaN: must be 0 or more, and less than 1":  {10, 1, 1, math.NaN()},
	} {
		if err := cfg.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", cfg, err, want)
		}
	}
	if err := Defaults().Validate(); err != nil {
		t.Error(err)
	}
	if err := New(Config{3, 1, 1, 0}).Verify(); !errors.Is(err, trial.ErrIncomplete) {
		t.Errorf("Verify before a run: %v", err)
	}
}

func BenchmarkForms(b *testing.B) { trialtest.Benchmark(b, New(Defaults())) }

func TestRanks(t *testing.T) {
	trialtest.Ranks(t, New(Config{Size: 8, Planes: 1, Iterations: 4}), true)
}
