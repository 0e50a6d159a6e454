package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestMemoryLimit(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.memory = 8 << 20
		tr.want = func(err error) { testrun.Is(tr, err, edt.ErrMemory, "error") }
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 10 { // reused, so that this much fits
				c.DestroyBlock(c.NewBlockNoAcquire(2 << 20))
			}
			for range 5 {
				c.NewBlockNoAcquire(2 << 20)
			}
			tr.Errorf("10 MiB fit into 8")
		})
	})
}

// If not even the argument block fits, the run ends with an error as well.
func TestMemoryLimitBelowTheArgumentBlock(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.memory = 1
		tr.want = func(err error) { testrun.Is(tr, err, edt.ErrMemory, "error") }
		return body(nothing)
	})
}

// TestMemoryLimitIsNamed: the error has the option, its value, and what was needed, by any call that needs memory, and
// the line if a body makes it.
func TestMemoryLimitIsNamed(t *testing.T) {
	for _, x := range []struct {
		limit uint64
		main  edt.Func
		want  []string
	}{
		{7, body(nothing), []string{"8 bytes: ", "may have 7, see runtime.Memory"}},
		{20_000, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(20_001) }),
			[]string{"20001 bytes: ", "may have 20000, see runtime.Memory", "(limits_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) {
			for {
				c.NewBlockNoAcquire(5000)
			}
		}), []string{"5000 bytes: ", "may have 1048576, see runtime.Memory", "(limits_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(datablock.MaxSize + 1) }),
			[]string{fmt.Sprintf("%d bytes: a data block may have %d", datablock.MaxSize+1, datablock.MaxSize)}},
	} {
		h := edttest.New(1, edt.Config{Workers: 1, Memory: x.limit})
		err := h.Run(x.main)
		testrun.Is(t, err, edt.ErrMemory, "limit %d", x.limit)
		testrun.Contains(t, fmt.Sprint(err), x.want...)
		h.Graph.Close()
	}
}

// The largest counts work, and one satisfaction uses up neither a latch nor a counted event that has them. The EDT
// that waits for a latch must not run; the one that waits for the counted event may.
func TestCountsAtTheirLimits(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		runs := func(*edt.Ctx, edt.Args) { tr.Errorf("an EDT ran whose latch has not triggered") }
		return body(func(c *edt.Ctx, _ edt.Args) {
			lasts := func(e guid.GUID, waiter func(*edt.Ctx, edt.Args)) {
				launch(c, waiter, rw(e))
				c.Satisfy(e, guid.Null)
				if !c.Exists(e) {
					tr.Errorf("the event is gone")
					return
				}
				c.DestroyEvent(e)
			}
			lasts(c.NewLatch(1<<62), runs)
			lasts(c.NewLatch(-1<<62), runs)
			lasts(c.NewCounted(1<<62-1), nothing)
			c.Shutdown()
		})
	})
}

func TestTemplatesOfARunAreLimited(t *testing.T) {
	tr := &trial{t: t, workers: 1, where: "seed 1"}
	tr.want = func(err error) {
		var e *edt.Error
		if e, _ = err.(*edt.Error); e == nil || e.Cause != edt.ErrMemory {
			tr.Errorf("%v, want %v", err, edt.ErrMemory)
		}
		testrun.Contains(tr, fmt.Sprint(err), "one of many: a run has at most 524288 templates, tasks and recordings",
			"Ctx.DestroyTemplate frees one", "(limits_test.go:")
	}
	tr.simulate(1, func(*trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 1 << 19 {
				c.NewTemplate("one of many", 0, 0, body(nothing))
			}
		})
	})
}
