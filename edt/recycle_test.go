package edt_test

import (
	"context"
	"os"
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// A template's GUID is stale once it is destroyed, also when another template has its
// place; and each EDT runs the body of its own template.
func TestStaleTemplate(t *testing.T) {
	const many = 50
	everywhere(t, counting("EDTs", many, func(tr *trial, c *edt.Ctx, ran *tally) {
		var stale []guid.GUID
		var waiting []guid.GUID
		for k := range uint64(many) {
			tmpl := c.NewTemplate("short-lived", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
				ran.add()
				testrun.Equal(tr, k, in.Param(0), "template of the body")
			}))
			id := c.TemplateGUID(tmpl)
			testrun.Equal(tr, tmpl, c.Template(id), "Template(%d)", k)
			for _, g := range stale {
				if g == id || c.Exists(g) {
					tr.Errorf("a destroyed template exists")
				}
			}
			if k%2 == 0 {
				c.DestroyEDT(c.NewEDT(tmpl, edt.Params(k)))
			}
			waiting = append(waiting, c.NewEDT(tmpl, edt.Params(k)))
			if k%3 != 0 {
				c.AddDependence(guid.Null, waiting[len(waiting)-1], 0, datablock.RW)
				waiting = waiting[:len(waiting)-1]
			}
			c.DestroyTemplate(tmpl)
			stale = append(stale, id)
			c.DestroyTemplate(c.NewTemplate("not used", 0, 0, body(nothing)))
		}
		for _, g := range waiting {
			c.AddDependence(guid.Null, g, 0, datablock.RW)
		}
	}))
}

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
