package edt_test

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestBlockingCalls: the result of each call comes to the EDT that depends on it, and at most as many calls run at once
// as there are places.
func TestBlockingCalls(t *testing.T) {
	const calls = 20
	for _, places := range []int{1, 3} {
		b := edt.NewBlocking(places)
		everywhere(t, func(tr *trial) edt.Func {
			ran := tr.times("EDTs that wait", calls)
			var on, most atomic.Int64
			tr.after(func() {
				if int(most.Load()) > places {
					tr.Errorf("%d calls at once, want at most %d", most.Load(), places)
				}
			})
			return body(func(c *edt.Ctx, _ edt.Args) {
				for k := range calls {
					result := b.Call(c, func(context.Context) ([]byte, error) {
						if n := on.Add(1); n > most.Load() {
							most.Store(n)
						}
						defer on.Add(-1)
						goruntime.Gosched()
						return []byte(fmt.Sprint(k)), nil
					})
					readFrom(c, result, func(_ *edt.Ctx, got string) {
						if ran.add(); got != fmt.Sprint(k) {
							tr.Errorf("the result of call %d is %q", k, got)
						}
					})
				}
			})
		})
	}
}

// TestBlockingBehindTheRun: a call that the host takes in after the end of the run does not call its function.
func TestBlockingBehindTheRun(t *testing.T) {
	ended, left := make(chan struct{}), make(chan struct{})
	h := edttest.New(1, edt.Config{Workers: 1, Outside: func() func() {
		<-ended
		return func() { close(left) }
	}})
	var called atomic.Bool
	testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		edt.NewBlocking(1).Call(c, func(context.Context) ([]byte, error) {
			called.Store(true)
			return nil, nil
		})
		c.Shutdown()
	})))
	close(ended)
	<-left
	h.Graph.Close()
	if called.Load() {
		t.Error("the function was called")
	}
}

// TestBlockingWithoutPlaces: a Blocking without places ends the run, with the line of the call and the line that made
// it.
func TestBlockingWithoutPlaces(t *testing.T) {
	for made, b := range map[string]*edt.Blocking{
		"a Blocking of 0 places, made at blocking_test.go:":  edt.NewBlocking(0),
		"a Blocking of -3 places, made at blocking_test.go:": edt.NewBlocking(-3),
		"a Blocking of 0 places, made without NewBlocking; ": new(edt.Blocking),
	} {
		err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
			b.Call(c, func(context.Context) ([]byte, error) { return nil, nil })
		}))
		e := testrun.As[*edt.Error](t, err)
		testrun.Equal(t, edt.ErrCount, e.Cause)
		testrun.Equal(t, "blocking_test.go", e.File)
		testrun.Contains(t, err.Error(), made)
	}
}

// TestBlockingPanics: a call that panics, or leaves by Goexit, ends the run. The error names the EDT that made the
// call.
func TestBlockingPanics(t *testing.T) {
	b := edt.NewBlocking(1)
	for want, f := range map[string]func(context.Context) ([]byte, error){
		"on purpose (blocking_test.go:": func(context.Context) ([]byte, error) { panic("on purpose") },
		"the function called runtime.Goexit (blocking_test.go:": func(context.Context) ([]byte, error) {
			goruntime.Goexit()
			return nil, nil
		},
	} {
		var given string
		everywhere(t, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				where := "of template main"
				if tr.ranks > 1 {
					where += " on rank 0"
				}
				p := testrun.As[*edt.PanicError](tr, err)
				testrun.Contains(tr, p.Error(), where+": "+want, "panic in the function given to Blocking at "+given+" by EDT ")
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				_, file, line, _ := goruntime.Caller(0)
				given = fmt.Sprintf("%s:%d", filepath.Base(file), line+2)
				launch(c, nothing, rw(b.Call(c, f)))
			})
		})
	}
}

// TestBlockingResultsAreFew: if calls return faster than EDTs run, results do not pile up. There are at most those of
// the places and those that workers have just taken.
func TestBlockingResultsAreFew(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		for _, places := range []int{1, 4, 7} {
			const calls = 120
			b := edt.NewBlocking(places)
			var returned, begun, most atomic.Int64
			more := func() { // calls return while an EDT runs
				for n := 0; n < 100 && returned.Load()-begun.Load() < int64(places+2*workers); n++ {
					goruntime.Gosched()
				}
				if now := returned.Load() - begun.Load(); now > most.Load() {
					most.Store(now)
				}
			}
			testrun.OK(t, runtime.Run(t.Context(), body(func(c *edt.Ctx, _ edt.Args) {
				for range calls {
					launch(c, func(*edt.Ctx, edt.Args) { begun.Add(1); more() },
						rw(b.Do(c, func(context.Context) error { returned.Add(1); return nil })))
				}
				more()
			}), runtime.Workers(workers)))
			if left := most.Load(); left > int64(places+2*workers) || begun.Load() != calls {
				t.Errorf("%d workers, %d places: %d results at once, %d EDTs", workers, places, left, begun.Load())
			}
		}
	}
}

// TestBlockingAfterTheRun: the context of a call is done when the run has ended, and calls that have not begun by then
// never begin.
func TestBlockingAfterTheRun(t *testing.T) {
	b := edt.NewBlocking(1)
	began, over := make(chan struct{}), make(chan struct{})
	err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
		b.Call(c, func(ctx context.Context) ([]byte, error) {
			close(began)
			<-ctx.Done()
			close(over)
			return []byte("too late"), nil
		})
		b.Call(c, func(context.Context) ([]byte, error) {
			t.Error("a call began after the run had ended")
			return nil, nil
		})
		<-began
		c.Shutdown()
	}), runtime.Workers(1))
	testrun.OK(t, err)
	<-over
}

// TestBlockingInSearch: a search varies when a call is carried out.
func TestBlockingInSearch(t *testing.T) {
	b := edt.NewBlocking(1)
	for _, options := range [][]edttest.Option{nil, {edttest.Pruned()}} {
		orders := map[string]bool{}
		r := edttest.Search(func(trial *edttest.Trial) edt.Func {
			var order []string
			trial.Check(func() error { orders[strings.Join(order, " ")] = true; return nil })
			return body(func(c *edt.Ctx, _ edt.Args) {
				launch(c, func(*edt.Ctx, edt.Args) { order = append(order, "result") },
					edt.From(b.Do(c, func(context.Context) error { order = append(order, "call"); return nil }), datablock.RO))
				launch(c, func(*edt.Ctx, edt.Args) { order = append(order, "other") })
			})
		}, append(options, edttest.Workers(1))...)
		if r.Failure != nil {
			t.Error(r)
		}
		r = edttest.Search(func(*edttest.Trial) edt.Func {
			panics := func(context.Context) ([]byte, error) { panic("on purpose") }
			return body(func(c *edt.Ctx, _ edt.Args) { b.Call(c, panics) })
		}, append(options, edttest.Workers(1))...)
		if r.Failure == nil {
			t.Fatal(r)
		}
		testrun.Contains(t, fmt.Sprint(r.Failure),
			"panic in the function given to Blocking at blocking_test.go:", "of template main: on purpose")
		if options == nil && (!orders["call result other"] || !orders["other call result"] || !orders["call other result"]) {
			t.Errorf("only the orders %v", orders)
		}
	}
}
