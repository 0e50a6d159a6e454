package edt_test

import (
	"context"
	"os"
	goruntime "runtime"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestShortLivedNamesTakeNoMemory makes and destroys templates in one
// run, 10^7 of each with OCR_NIGHTLY=1. Of 30 000 of each the tables alone would keep 3 MB.
func TestShortLivedNamesTakeNoMemory(t *testing.T) {
	n := uint64(30_000)
	if os.Getenv("OCR_NIGHTLY") == "1" {
		n = 10_000_000
	}
	heap := func() uint64 {
		var m goruntime.MemStats
		goruntime.GC()
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	ran := tally{}
	var before, after uint64
	main := body(func(c *edt.Ctx, _ edt.Args) {
		var next *edt.Template
		next = c.NewTemplate("next", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
			k := in.Param(0)
			if k == n/10 {
				before = heap()
			}
			if k == n {
				after = heap()
				return
			}
			tmpl := c.NewTemplate("short-lived", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				c.NewEDT(next, edt.Params(k+1)) // only now: the newest EDT runs first, and these would pile up
			}))
			g := c.NewEvent(edt.Once)
			c.NewEDT(tmpl, nil, rw(g))
			c.DestroyTemplate(tmpl)
			c.Satisfy(g, guid.Null)
		}))
		c.NewEDT(next, edt.Params(1))
	})
	testrun.OK(t, runtime.Run(context.Background(), main, runtime.Workers(2)))
	testrun.Equal(t, int(n-1), ran.get(), "EDTs of short-lived templates")
	if after > before+1<<20 {
		t.Errorf("the heap has grown from %d to %d bytes", before, after)
	}
	t.Logf("heap %d bytes after %d rounds, %d after %d", before, n/10, after, n)
}
