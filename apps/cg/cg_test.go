package cg

import (
	"errors"
	"math"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plan has one point, one slab, even and uneven slabs, slabs of one plane; some runs end by the tolerance.
var plan = trialtest.Plan[Config, *App]{
	New: New,
	Spoil: func(a *App) {
		a.got.numbers = numbers{}
		clear(a.got.x)
	},
	Valid: []Config{Defaults()},
	Forms: []Config{
		{1, 1, 1, 0}, {1, 1, 50, 0}, {2, 1, 50, 0}, {7, 9, 10, 0}, {9, 1, 5, 0}, {12, 3, 20, 0},
		{13, 5, 1, 0}, {20, 6, 100, 1e-8}, {17, 4, 3, 1e-8}, {16, 2, 100, 0.9}, {10, 3, 400, 0},
	},
	Checked:    []Config{{8, 3, 4, 0}},
	Explored:   []Config{{5, 2, 3, 0}},
	Incomplete: []Config{{10, 2, 20, 0}},
	Ranks:      []Config{{8, 1, 4, 0}},
	Refused: map[string]Config{
		"cg: --size 0: must be 1..384":                             {0, 1, 1, 0},
		"cg: --size 385: must be 1..384":                           {385, 1, 1, 0},
		"cg: --planes 0: must be 1..384":                           {10, 0, 1, 0},
		"cg: --planes 385: must be 1..384":                         {10, 385, 1, 0},
		"cg: --iterations 0: must be 1..100000":                    {10, 1, 0, 0},
		"cg: --iterations 100001: must be 1..100000":               {10, 1, 100_001, 0},
		"cg: --tolerance 1: must be 0 or more, and less than 1":    {10, 1, 1, 1},
		"cg: --tolerance -0.5: must be 0 or more, and less than 1": {10, 1, 1, -0.5},
		"cg: --tolerance NaN: must be 0 or more, and less than 1":  {10, 1, 1, math.NaN()},
	},
}

func TestApp(t *testing.T) { plan.Test(t) }

func TestSabotaged(t *testing.T) {
	for _, cfg := range []Config{{10, 3, 3, 0}, {8, 2, 100, 1e-7}} {
		app := New(cfg)
		trialtest.Sabotaged(t, app, trialtest.Slightly, func() []*float64 {
			points := []*float64{&app.got.numbers.RR}
			for at := range app.got.x {
				points = append(points, &app.got.x[at])
			}
			return points
		})
		trialtest.Sabotaged(t, app, func(n int) int { return n - 1 },
			func() []*int { return []*int{&app.got.numbers.Iterations} })
	}
}

// Verification also checks the result with which it compares the others.
func TestSound(t *testing.T) {
	cfg := Config{Size: 12, Planes: 3, Iterations: 8}
	app, at := New(cfg), 2*plane(12)+5*14+6
	for name, spoil := range map[string]func(*solution){
		"":         func(*solution) {},
		"x":        func(s *solution) { s.x[at] += 1e-6 },
		"NaN":      func(s *solution) { s.x[at] = math.NaN() },
		"residual": func(s *solution) { s.numbers.RR *= 1.1 },
		"stalled": func(s *solution) {
			*s = *Config{Size: 12, Planes: 3, Iterations: 1}.literal(app.b)
			s.numbers.Iterations = 8
		},
	} {
		s := cfg.literal(app.b)
		spoil(s)
		var wrong *trial.VerifyError
		if _, err := cfg.sound(app.b, s); errors.As(err, &wrong) != (name != "") {
			t.Errorf("spoiled %q: %v", name, err)
		}
	}
}
