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
	"ocr/runtime"
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

// The method written down on whole vectors comes to the same, but for rounding.
func TestAgainstFormula(t *testing.T) {
	cfg := Config{Size: 11, Planes: 4, Iterations: 100, Tolerance: 1e-7}
	app := New(cfg)
	if err := runtime.Run(t.Context(), app.Main(), runtime.Workers(2)); err != nil {
		t.Fatal(err)
	}
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	r, p, x := slices.Clone(app.b), slices.Clone(app.b), make([]float64, len(app.b))
	rr, iterations := dot(r, r), 0
	for first := rr; rr > 1e-14*first; iterations++ {
		q := cfg.multiply(p)
		alpha := rr / dot(p, q)
		for i := range x {
			x[i] += alpha * p[i]
			r[i] -= alpha * q[i]
		}
		before := rr
		rr = dot(r, r)
		for i := range p {
			p[i] = r[i] + rr/before*p[i]
		}
	}
	if app.Iterations() != iterations {
		t.Errorf("%d iterations, want %d", app.Iterations(), iterations)
	}
	for at := range x {
		if math.Abs(app.x[at]-x[at]) > 1e-9 {
			t.Fatalf("x[%d] = %v, want %v", at, app.x[at], x[at])
		}
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

// What is wrong with a result is seen: x, the residual, the iterations, or how far they came.
func TestVerifyFindsWhatIsWrong(t *testing.T) {
	cfg := Config{Size: 12, Planes: 3, Iterations: 8}
	for name, spoil := range map[string]func(*App){
		"x":                  func(a *App) { a.x[2*plane(12)+5*14+6] += 1e-6 },
		"NaN":                func(a *App) { a.x[2*plane(12)+5*14+6] = math.NaN() },
		"residual":           func(a *App) { a.scalars.RR *= 1.1 },
		"too many":           func(a *App) { a.scalars.Iterations = 9 },
		"too few":            func(a *App) { a.scalars.Iterations = 7 },
		"not begun":          func(a *App) { a.scalars.Iterations = -1 },
		"slow":               func(a *App) { clear(a.x); a.scalars.RR = a.scalars.First },
		"above tolerance":    func(a *App) { a.scalars.Tolerance = 1e-9; a.scalars.Iterations = 5 },
		"more than was done": func(a *App) { a.cfg.Iterations, a.scalars.Iterations = 100, 100 },
	} {
		app := New(cfg)
		if err := runtime.Run(t.Context(), app.Main(), runtime.Workers(2)); err != nil {
			t.Fatal(err)
		}
		if err := app.Verify(); err != nil {
			t.Fatal(err)
		}
		spoil(app)
		var wrong *trial.VerifyError
		if err := app.Verify(); !errors.As(err, &wrong) {
			t.Errorf("%s: Verify says %v", name, err)
		} else {
			t.Log(err)
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
