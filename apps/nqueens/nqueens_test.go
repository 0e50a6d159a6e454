package nqueens

import (
	"errors"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/harness/trialtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestForms(t *testing.T) {
	for _, cfg := range []Config{{1, 0}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {5, 2}, {6, 6}, {8, 0}, {8, 1}, {8, 8}, {9, 4}, {10, 3}} {
		t.Run(fmt.Sprint(cfg), func(t *testing.T) {
			if err := cfg.Validate(); err != nil {
				t.Fatal(err)
			}
			app := New(cfg)
			trialtest.Forms(t, onceOnly{app})
		})
	}
}

// onceOnly spoils a result when it has been verified: the next run must make its own.
type onceOnly struct{ *App }

func (a onceOnly) Verify() error {
	defer func() { a.ways = 1 << 40 }()
	return a.App.Verify()
}

func TestIncomplete(t *testing.T) { trialtest.Incomplete(t, New(Config{10, 3})) }

func TestCheck(t *testing.T) { trialtest.Checked(t, New(Config{7, 4})) }

func TestExplore(t *testing.T) {
	for _, opts := range [][]edttest.Option{{}, {edttest.Workers(3), edttest.Delays(1)}, {edttest.Pruned()}} {
		trialtest.Explore(t, func() trial.App { return New(Config{5, 3}) }, append(opts, edttest.MaxSchedules(300))...)
	}
}

// TestSpread holds that the rows which are dealt out are dealt out evenly.
func TestSpread(t *testing.T) { trialtest.Spread(t, New(Config{10, dealt})) }

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
		if got := search(n); got != known[n] {
			t.Errorf("%d queens: %d ways, known are %d", n, got, known[n])
		}
	}
}

func TestVerify(t *testing.T) {
	app := New(Config{6, 2})
	if err := app.serial(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	app.ways++
	var wrong *trial.VerifyError
	if err := app.Verify(); !errors.As(err, &wrong) || err.Error() != "nqueens: wrong result: ways to place 6 queens: got 5, expected 4" {
		t.Errorf("one way too many: %v", err)
	}
}

func TestValidate(t *testing.T) {
	for cfg, want := range map[Config]string{
		{0, 0}:   "nqueens: --n 0: must be 1..18",
		{19, 0}:  "nqueens: --n 19: must be 1..18",
		{8, -1}:  "nqueens: --cutoff -1: must be 0..8",
		{8, 9}:   "nqueens: --cutoff 9: must be 0..8",
		{12, 8}:  "nqueens: --cutoff 8: must be 0..7, for at most 4194304 tasks",
		{18, 18}: "nqueens: --cutoff 18: must be 0..5, for at most 4194304 tasks",
	} {
		if err := cfg.Validate(); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", cfg, err, want)
		}
	}
	for _, cfg := range []Config{Defaults(), {1, 1}, {10, 10}, {18, 5}, {12, 7}} {
		if err := cfg.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkForms(b *testing.B) { trialtest.Benchmark(b, New(Defaults())) }

func TestRanks(t *testing.T) { trialtest.Ranks(t, New(Config{8, 4}), true) }
