package runtime

import (
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// TestManySlots: an EDT with very many slots, satisfied by all workers.
func TestManySlots(t *testing.T) {
	const parts = 100
	slots := shortened(100_000) / parts * parts
	for _, workers := range []int{1, 3} {
		var seen int
		mustRun(t, starting(func(c *edt.Ctx) {
			join := c.NewTemplate("join", 0, slots, func(_ *edt.Ctx, in edt.Args) guid.GUID {
				for k := range in.Deps() {
					if d := in.Dep(k); (k%1000 == 7) != !d.IsNull() {
						t.Errorf("slot %d: block %v", k, d.GUID())
					}
				}
				seen = len(in.Deps())
				return guid.Null
			})
			g := c.NewBlockNoAcquire(8)
			last := c.NewEDT(join, nil)
			part := c.NewTemplate("part", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
				for k := int(in.Param(0)); k < slots; k += parts {
					source := guid.Null
					if k%1000 == 7 {
						source = g
					}
					c.AddDependence(source, last, k, datablock.RO)
				}
				return guid.Null
			})
			for k := range parts {
				c.NewEDTAt(c.Place(k%c.Workers()), part, edt.Params(uint64(k)))
			}
		}), Workers(workers))
		if seen != slots {
			t.Errorf("%d workers: the EDT saw %d slots, want %d", workers, seen, slots)
		}
	}
}

// TestManyReadyEDTs: very many EDTs ready at a time, in the deque, the inbox and
// the bound list.
func TestManyReadyEDTs(t *testing.T) {
	n := sized(300_000, 1_000_000)
	for _, where := range []string{"deque", "inbox", "bound"} {
		var ran atomic.Int64
		mustRun(t, starting(func(c *edt.Ctx) {
			work := body(c, func(*edt.Ctx) { ran.Add(1) })
			at := map[string]edt.Affinity{"deque": 0, "inbox": c.Place(1), "bound": c.Bind(0)}[where]
			for range n {
				c.NewEDTAt(at, work, nil)
			}
		}), Workers(2))
		if ran.Load() != int64(n) {
			t.Errorf("%s: %d ran, want %d", where, ran.Load(), n)
		}
	}
}

// TestNestedScopes: a deep nest of finish scopes over several workers ends from the
// inside out.
func TestNestedScopes(t *testing.T) {
	for _, workers := range []int{1, 3} {
		depth := shortened(500)
		var ended []int
		mustRun(t, starting(func(c *edt.Ctx) {
			after := c.NewTemplate("after", 1, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
				ended = append(ended, int(in.Param(0)))
				return guid.Null
			})
			var level *edt.Template
			level = c.NewTemplate("level", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
				k := in.Param(0)
				if k == uint64(depth) {
					return guid.Null
				}
				out := c.NewEvent(edt.Sticky)
				c.NewEDT(after, edt.Params(k), edt.From(out, datablock.Null))
				c.Spawn(level, &edt.Spec{
					Params: edt.Params(k + 1), Finish: true, OutputEvent: out,
					Hint: edt.Hint{Affinity: c.Bind(int(k) % c.Workers())},
				})
				return guid.Null
			})
			c.NewEDT(level, edt.Params(0))
		}), Workers(workers))
		if len(ended) != depth {
			t.Fatalf("%d scopes ended, want %d", len(ended), depth)
		}
		for k, level := range ended {
			if level != depth-1-k {
				t.Fatalf("scope %d ended as number %d", level, k)
			}
		}
	}
}
