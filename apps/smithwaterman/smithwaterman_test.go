package smithwaterman

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var plan = trialtest.Plan[Config, *App]{
	New:   New,
	Spoil: func(a *App) { a.got = outcome{} },
	Valid: []Config{Defaults()},
	Forms: []Config{
		{1, 1, 0, 1}, {2, 1, 0, 2}, {7, 3, 0.2, 3}, {10, 10, 0.5, 4}, {64, 8, 0.1, 5}, {100, 33, 0, 6}, {120, 7, 1, 7},
		{500, 61, 0.1, 8},
	},
	Checked:    []Config{{20, 6, 0.1, 1}},
	Explored:   []Config{{8, 3, 0.1, 1}},
	Incomplete: []Config{{64, 8, 0.1, 5}},
	Ranks:      []Config{{120, 10, 0.1, 1}},
	Refused: map[string]Config{
		"smithwaterman: --length 0: must be 1..400000":      {0, 200, 0.1, 1},
		"smithwaterman: --length 400001: must be 1..400000": {400_001, 200, 0.1, 1},
		"smithwaterman: --tile 0: " + tooMany:               {10_000, 0, 0.1, 1},
		"smithwaterman: --tile 10001: " + tooMany:           {10_000, 10_001, 0.1, 1},
		"smithwaterman: --tile 4: " + tooMany:               {10_000, 4, 0.1, 1},
		"smithwaterman: --differ NaN: must be 0..1":         {10_000, 200, math.NaN(), 1},
		"smithwaterman: --differ 1.5: must be 0..1":         {10_000, 200, 1.5, 1},
	},
}

const tooMany = "must be 5..10000: no more than the strings have, and at most 2000 tiles a side"

func TestApp(t *testing.T) { plan.Test(t) }

// Every worker gets as many columns as every other, or one more.
func TestSpread(t *testing.T) {
	for workers, want := range map[int][]int{1: {100}, 2: {50, 50}, 3: {40, 30, 30}} {
		if got := trialtest.Places(t, New(Config{100, 10, 0.1, 1}), workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: tiles %v, want %v", workers, got, want)
		}
	}
}

// The parts that are alike score, though the strings begin and end differently.
func TestStringsAreSimilar(t *testing.T) {
	app := New(Config{1000, 100, 0.1, 1})
	same := New(Config{1000, 100, 0, 1}).literal()
	if got := app.literal(); got.Score < same.Score/2 || got.Score > same.Score || got.Row < 800 || got.Row > 900 {
		t.Errorf("%v; without differences %v", got, same)
	}
	if same.Score < 1500 || same.Score > 1520 {
		t.Errorf("750 equal letters: %v", same)
	}
	if slices.Equal(app.b, New(Config{1000, 100, 0.1, 2}).b) || !slices.Equal(app.b, New(app.cfg).b) {
		t.Error("strings do not follow from the seed")
	}
}

func TestSpoiltResults(t *testing.T) {
	app := New(plan.Forms[5])
	for what, spoil := range map[string]func(*outcome){
		"score":   func(o *outcome) { o.Score++ },
		"row":     func(o *outcome) { o.Row-- },
		"column":  func(o *outcome) { o.Column++ },
		"borders": func(o *outcome) { o.Borders-- },
	} {
		if err := app.serial(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		spoil(&app.got)
		var wrong *trial.VerifyError
		if err := app.Verify(); !errors.As(err, &wrong) {
			t.Errorf("wrong %s: %v", what, err)
		}
	}
}

// A tile that is computed with a wrong neighbour is seen in the sum of the borders.
func TestSpoiltTile(t *testing.T) {
	app := New(plan.Forms[5])
	table := app.newTable()
	var found outcome
	for row := range table.strips {
		table.sweepRow(row, 0, len(table.strips), &found)
		if row == 1 {
			table.columns[40].Score += 50
		}
	}
	if err := app.finish(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if err := app.Verify(); err == nil || !strings.Contains(err.Error(), "sum of the tiles' borders") {
		t.Errorf("a spoilt border: %v", err)
	}
}

func TestOutcomesAddInAnyOrder(t *testing.T) {
	all := []outcome{{5, 2, 9, 1}, {7, 3, 1, 2}, {7, 2, 8, 4}, {7, 2, 7, 8}, {1, 0, 0, 16}}
	for range all {
		if got := total(all); got != (outcome{7, 2, 7, 31}) {
			t.Errorf("%v of %v", got, all)
		}
		all = append(all[1:], all[0])
	}
}
