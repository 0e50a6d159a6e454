package cholesky

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plan has one tile, even tiles, uneven ones, tiles of one element, and some that Dgemm would cut.
var plan = trialtest.Plan[Config, *App]{
	New: New,
	Spoil: func(a *App) {
		for _, row := range a.factor {
			for _, tile := range row {
				clear(tile)
			}
		}
	},
	Valid:      []Config{Defaults(), {2000, 10}, {16_384, 320}},
	Forms:      []Config{{1, 1}, {7, 9}, {5, 1}, {12, 4}, {50, 9}, {31, 30}, {200, 64}, {300, 140}},
	Checked:    []Config{{70, 16}},
	Explored:   []Config{{7, 2}},
	Incomplete: []Config{{200, 10}},
	Ranks:      []Config{{200, 10}},
	Refused: map[string]Config{
		"cholesky: --size 0: must be 1..16384":                           {0, 1},
		"cholesky: --size 20000: must be 1..16384":                       {20_000, 100},
		"cholesky: --tile 0: must be 1..320: at most 200 tiles a side":   {100, 0},
		"cholesky: --tile 321: must be 5..320: at most 200 tiles a side": {1000, 321},
		"cholesky: --tile 9: must be 10..320: at most 200 tiles a side":  {2000, 9},
		"cholesky: --size -9223372036854775808: must be 1..16384":        {math.MinInt, -1},
	},
}

func TestApp(t *testing.T) { plan.Test(t) }

// Verification finds a fault in every element of a small factor, and in the smallest elements of a larger one, which
// change the residual the least.
func TestSabotaged(t *testing.T) {
	for size, most := range map[int]int{50: math.MaxInt, 300: 20} {
		app := New(Config{Size: size, Tile: size/2 - 5})
		elements := func() (all []*float64) {
			for row := range size {
				for column := range row + 1 {
					all = append(all, app.cfg.at(app.factor, row, column))
				}
			}
			slices.SortFunc(all, func(a, b *float64) int { return cmp.Compare(math.Abs(*a), math.Abs(*b)) })
			return all[:min(most, len(all))]
		}
		trialtest.Sabotaged(t, app, trialtest.Slightly, elements)
		trialtest.Sabotaged(t, app, func(float64) float64 { return math.NaN() }, elements)
	}
}

// Verification also checks the factor with which it compares the others.
func TestResidual(t *testing.T) {
	app := New(Config{Size: 50, Tile: 20})
	testrun.OK(t, app.pooled(t.Context(), 1))
	for _, at := range [][2]int{{0, 0}, {49, 0}, {49, 49}, {25, 24}} {
		for _, wrong := range []float64{0, 0.001, math.NaN(), math.Inf(1)} {
			v := app.cfg.at(app.factor, at[0], at[1])
			right := *v
			*v += wrong
			if err := app.sound(); (err != nil) != (wrong != 0) {
				t.Errorf("L(%d,%d) is wrong by %v: %v", at[0], at[1], wrong, err)
			}
			*v = right
		}
	}
}

// A matrix that has no factor gives a wrong result in all forms.
func TestNotPositiveDefinite(t *testing.T) {
	app := New(Config{Size: 50, Tile: 20})
	*app.cfg.at(app.input, 30, 30) = -1
	for _, form := range trialtest.AllForms(app) {
		testrun.OK(t, form.Run(t.Context(), 2))
		testrun.As[*trial.VerifyError](t, app.Verify(), "%s", form.Name)
	}
}
