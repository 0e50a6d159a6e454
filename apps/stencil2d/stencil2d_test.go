package stencil2d

import (
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var plan = trialtest.Plan[Config, *App]{
	New:   New,
	Spoil: func(a *App) { clear(a.got.grid) },
	Valid: []Config{Defaults()},
	Forms: []Config{
		{1, 1, 1, 1}, {1, 1, 7, 2}, {2, 1, 3, 3}, {5, 8, 4, 4}, {7, 3, 10, 5}, {24, 7, 9, 6}, {50, 5, 20, 7},
	},
	Checked:    []Config{{10, 4, 6, 1}},
	Explored:   []Config{{3, 2, 3, 1}},
	Incomplete: []Config{{7, 3, 10, 5}},
	Ranks:      []Config{{40, 10, 6, 1}},
	Refused: map[string]Config{
		"stencil2d: --size 0: must be 1..8000":       {0, 250, 100, 1},
		"stencil2d: --size 8001: must be 1..8000":    {8001, 250, 100, 1},
		"stencil2d: --tile 0: " + tooMany:            {1000, 0, 100, 1},
		"stencil2d: --tile 15: " + tooMany:           {1000, 15, 100, 1},
		"stencil2d: --tile 8001: " + tooMany:         {1000, 8001, 100, 1},
		"stencil2d: --steps 0: must be 1..10000":     {1000, 250, 0, 1},
		"stencil2d: --steps 10001: must be 1..10000": {1000, 250, 10_001, 1},
	},
}

const tooMany = "must be 16..8000: at most 64 tiles a side"

func TestApp(t *testing.T) { plan.Test(t) }

// The residuals fall: a grid whose points become averages of their neighbours converges.
func TestComesToRest(t *testing.T) {
	got := New(Config{6, 6, 400, 1}).literal()
	for step, r := range got.residuals[1:] {
		if r > got.residuals[step] {
			t.Errorf("residual %v after %v", r, got.residuals[step])
		}
	}
	if first, last := got.residuals[0], got.residuals[399]; first < 0.1 || last > 1e-20 {
		t.Errorf("residuals %v to %v", first, last)
	}
}

func TestSpoiltResults(t *testing.T) {
	app := New(plan.Forms[5])
	for want, spoil := range map[string]func(){
		"the residual of step 9": func() { app.got.residuals[8] *= 1 + 1e-15 },
		"row 23, column 0":       func() { app.got.grid[24*26+1] *= 1 + 1e-15 },
		"how many numbers":       func() { app.got.residuals = app.got.residuals[:8] },
	} {
		testrun.OK(t, app.relax(t.Context(), 1))
		spoil()
		testrun.Equal(t, want, testrun.As[*trial.VerifyError](t, app.Verify(), "wrong %s", want).Where, "what is wrong")
	}
}

func TestSabotaged(t *testing.T) {
	app := New(plan.Forms[5])
	trialtest.Sabotaged(t, app, trialtest.Slightly, func() (all []*float64) {
		for row := range app.cfg.Size {
			for column := range app.cfg.Size {
				all = append(all, &app.got.grid[(row+1)*app.cfg.stride()+column+1])
			}
		}
		for step := range app.got.residuals {
			all = append(all, &app.got.residuals[step])
		}
		return all
	})
}
