package nqueens

import (
	"errors"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var plan = trialtest.Plan[Config, *App]{
	New:   New,
	Spoil: func(a *App) { a.ways = 1 << 40 },
	Valid: []Config{Defaults(), {1, 1}, {10, 10}, {18, 5}, {12, 7}},
	Forms: []Config{
		{1, 0}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {5, 2}, {6, 6}, {8, 0}, {8, 1}, {8, 8}, {9, 4}, {10, 3},
	},
	Checked:    []Config{{7, 4}},
	Explored:   []Config{{5, 3}},
	Incomplete: []Config{{10, 3}},
	Spread:     []Config{{10, dealt}}, // the rows that are dealt out are dealt out evenly
	Ranks:      []Config{{8, 4}},
	Refused: map[string]Config{
		"nqueens: --n 0: must be 1..18":                                 {0, 0},
		"nqueens: --n 19: must be 1..18":                                {19, 0},
		"nqueens: --cutoff -1: must be 0..8":                            {8, -1},
		"nqueens: --cutoff 9: must be 0..8":                             {8, 9},
		"nqueens: --cutoff 8: must be 0..7, for at most 4194304 tasks":  {12, 8},
		"nqueens: --cutoff 18: must be 0..5, for at most 4194304 tasks": {18, 18},
	},
}

func TestApp(t *testing.T) { plan.Test(t) }

// The known counts are those of a search that has nothing of the kernel.
func TestKnown(t *testing.T) {
	var columns []int
	var search func(n int) uint64
	search = func(n int) uint64 {
		if len(columns) == n {
			return 1
		}
		ways := uint64(0)
	next:
		for column := range n {
			for row, other := range columns {
				if d := column - other; d == 0 || d == len(columns)-row || -d == len(columns)-row {
					continue next
				}
			}
			columns = append(columns, column)
			ways += search(n)
			columns = columns[:len(columns)-1]
		}
		return ways
	}
	for n := range 10 {
		testrun.Equal(t, known[n], search(n), "%d queens: ways", n)
	}
}

func TestVerify(t *testing.T) {
	app := New(Config{6, 2})
	testrun.OK(t, app.serial(t.Context(), 1))
	app.ways++
	var wrong *trial.VerifyError
	if err := app.Verify(); !errors.As(err, &wrong) ||
		err.Error() != "nqueens: wrong result: ways to place 6 queens: got 5, expected 4" {
		t.Errorf("one way too many: %v", err)
	}
}
