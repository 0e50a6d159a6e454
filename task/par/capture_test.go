package par_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// A loop of a closure runs each index once, in one EDT of grain indexes, and leaves no template behind. So does one
// that runs in a body of another.
func TestForOfClosure(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := slices.Clone(ranges)
	for range 20 {
		all = append(all, struct{ n, grain int }{rng.IntN(3000), 1 + rng.IntN(200)})
	}
	for _, r := range all {
		lo := rng.IntN(2000) - 1000
		times := make([]atomic.Int32, r.n)
		var ended, twice atomic.Int32
		body := func(c *edt.Ctx) {
			clear(times)
			ended.Store(0)
			twice.Store(0)
			done := par.Future[task.Nothing](c)
			task.Go1(c, done.From(), func(*edt.Ctx, task.After) {
				for k := range times {
					ended.Add(times[k].Load())
				}
			})
			par.For(c, lo, lo+r.n, r.grain, done, func(c *edt.Ctx, from, to int) {
				if (from-lo)%r.grain != 0 || to-from != min(r.grain, lo+r.n-from) {
					t.Errorf("an EDT for %d to %d of %+v from %d", from, to, r, lo)
				}
				par.For(c, from, to, 3, task.Event[task.Nothing]{}, func(_ *edt.Ctx, from, to int) {
					for k := from; k < to; k++ {
						twice.Add(times[k-lo].Add(1) - 1)
					}
				})
			})
		}
		right := func(how string, err error) {
			if err != nil || int(ended.Load()) != r.n || twice.Load() != 0 {
				t.Errorf("%s: %+v: %v; %d of the indexes had run at the end, %d twice", how, r, err, ended.Load(), twice.Load())
			}
		}
		for _, workers := range []int{1, 2, 3} {
			for _, mode := range []runtime.Option{runtime.LeakReport(), runtime.Check()} {
				var report runtime.Report
				err := runtime.Run(t.Context(), program(body), runtime.Workers(workers), mode, runtime.Into(&report))
				right(fmt.Sprint(workers, " workers"), err)
				if len(report.Leaks)+len(report.Findings) != 0 {
					t.Errorf("%+v: leaks %v, findings %v", r, report.Leaks, report.Findings)
				}
			}
			right("pretended workers", edttest.Run(uint64(r.n), workers, program(body)))
		}
	}
}

// All orders of a small loop of a closure come to the same.
func TestForOfClosureExplored(t *testing.T) {
	var sum int
	explore(t, func(c *edt.Ctx) {
		sum = 0
		par.For(c, 2, 7, 2, task.Event[task.Nothing]{}, func(_ *edt.Ctx, lo, hi int) {
			for k := lo; k < hi; k++ {
				sum += k
			}
		})
	}, func() error {
		if sum != 20 {
			return fmt.Errorf("sum %d, want 20", sum)
		}
		return nil
	})
}

// A closure that panics is named with its function and line; over ranks there is none.
func TestForOfClosureReports(t *testing.T) {
	body := program(func(c *edt.Ctx) {
		par.For(c, 0, 9, 4, task.Event[task.Nothing]{}, func(*edt.Ctx, int, int) { panic("on purpose") })
	})
	err := runtime.Run(t.Context(), body, runtime.Workers(1))
	for _, want := range []string{"of template par_test.TestForOfClosureReports.func", "on purpose (capture_test.go:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	h := edttest.NewApart(1, 2, edt.Config{Workers: 1})
	defer h.Graph.Close()
	if err := h.Run(body); !errors.Is(err, edt.ErrTemplate) {
		t.Errorf("over ranks: %v, want ErrTemplate", err)
	}
}
