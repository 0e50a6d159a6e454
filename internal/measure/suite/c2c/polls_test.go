package c2c

import (
	"context"
	"testing"

	app "ocr/apps/c2c"
	"ocr/internal/proof/testrun"
)

// TestPolls holds that the polls of form polled are counted in a trial of their own, by
// element in the results, and by ranges of elements in the text.
func TestPolls(t *testing.T) {
	cfg := single()
	cfg.Tests, cfg.CountPolls = []app.Test{app.Array}, true
	r := testRun(cfg, 4, zeroOne)
	var sides []*row
	for _, form := range []app.Form{app.Polled, app.Goroutines} {
		x := rowOf(form, 100)
		x.key = key{groupOf(app.Array, app.Same, 5, 0, 1), form}
		x.cfg.Test, x.cfg.Length = app.Array, 5
		once := x.once
		x.once = func(ctx context.Context, cfg app.Config) (app.Result, error) {
			result, err := once(ctx, cfg)
			if cfg.CountPolls {
				for i := range cfg.Length {
					e := app.ElementPolls{InVain: uint64(10_000 * i), Most: uint64(i)}
					e.Transfers[i], e.Transfers[app.PollBuckets-1] = 2, 1
					result.Polls[1] = append(result.Polls[1], e)
				}
			}
			return result, err
		}
		sides = append(sides, x)
	}
	testrun.OK(t, r.measured(t, sides...))
	testrun.OK(t, r.countPolls(t.Context(), sides))
	result := r.result(false)
	if len(result.Results) != 3 {
		t.Fatalf("%d results, want two forms and the polls of one", len(result.Results))
	}
	counted := result.Results[2]
	testrun.Equal(t, "c2c/array/polled/width=8/layout=same/length=5/cpus=0,1/polls=element", counted.Name, "name")
	want := [][]float64{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}}
	testrun.Same(t, want, [][]float64{counted.Metrics.Samples("polls/transfer"), counted.Metrics.Samples("most-polls")},
		"by element")
	const table = `
array, 5 x 8 bytes, 0:1: polls in vain of an element, and transfers by their number
elements   mean  most  0  1  2-3  4-7  8-15  16-31  32-63  64-127  128+
0             0     0  2  0    0    0     0      0      0       0     1
1         1.000     1  0  2    0    0     0      0      0       0     1
2-3       2.500     3  0  0    2    2     0      0      0       0     2
4         4.000     4  0  0    0    0     2      0      0       0     1
`
	testrun.Contains(t, textOf(t, result), table)
}
