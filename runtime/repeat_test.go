package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
)

// TestRunAgain: runs in sequence have nothing to do with each other, whatever the
// one before left behind.
func TestRunAgain(t *testing.T) {
	p := graphtest.Generate(42, 40)
	want := p.Expect()
	var old guid.GUID
	for k := range 20 {
		runPlan(t, p, want, Workers(1+k%3))
		_, err := runMain(t, starting(func(c *edt.Ctx) {
			if k > 0 && c.Exists(old) {
				t.Error("an object of the run before exists")
			}
			old = c.NewEvent(edt.Sticky) // left behind
			for range 100 {
				c.NewBlock(64)
				c.NewEDTAt(c.Place(0), body(c, func(c *edt.Ctx) { c.Abort(9) }), nil)
			}
		}), Workers(2))
		if err == nil {
			t.Fatal("the run was aborted, but Run returned no error")
		}
	}
}

// TestRunsSideBySide: runs at the same time do not disturb each other, nor do
// their ends.
func TestRunsSideBySide(t *testing.T) {
	var wg sync.WaitGroup
	for k := range 6 {
		wg.Go(func() {
			for j := range shortened(30) {
				p := graphtest.Generate(uint64(100*k+j), 30)
				x := p.NewExecution()
				var r Report
				if err := Run(context.Background(), x.Main, Workers(1+k%3), Into(&r)); err != nil {
					t.Errorf("plan %d: %v", p.Seed, err)
				} else if diff := x.Compare(r.Counters.Counters, p.Expect()); diff != "" {
					t.Errorf("plan %d: %s", p.Seed, diff)
				}
				code := uint8(1 + k)
				var abort *edt.AbortError
				err := Run(context.Background(), starting(func(c *edt.Ctx) { c.Abort(code) }), Workers(2))
				if !errors.As(err, &abort) || abort.Code != code {
					t.Errorf("got %v, want an abort with code %d", err, code)
				}
			}
		})
	}
	wg.Wait()
}

// TestRunInRun: an EDT may be so bold as to run a graph of its own.
func TestRunInRun(t *testing.T) {
	var inner error
	mustRun(t, starting(func(*edt.Ctx) {
		inner = Run(context.Background(), starting(func(c *edt.Ctx) { c.Abort(3) }), Workers(1))
	}), Workers(2))
	if inner == nil || fmt.Sprint(inner) == "" {
		t.Error("the inner run ended without its error")
	}
}
