package edt

import (
	"testing"

	"ocr/datablock"
	"ocr/guid"
)

// The worker that grants an EDT its last block does not read the EDT's record: the queue says
// where the EDT wants to run. Until the grant the EDT is runnable, from then on it is ready.
func TestGrantOfTheLastBlock(t *testing.T) {
	c, h := newCtx(t)
	places := []Affinity{0, PlaceOn(0), BindTo(0)}
	ran := 0
	tmpl := c.NewTemplate("waiter", 1, 2, func(_ *Ctx, in Args) guid.GUID {
		ran++
		for n := range 2 {
			if b := datablock.Slice[uint64](in.Dep(n)); len(b) != 2 || b[1] != uint64(n) {
				t.Errorf("slot %d has the words %v", n, b)
			}
		}
		return guid.Null
	})
	for _, place := range places {
		for _, prio := range []int8{0, 1, 127, -1, -128} {
			var blocks [2]guid.GUID
			for n := range blocks {
				g, b := c.NewBlock(16)
				blocks[n], datablock.SliceOf[uint64](b)[1] = g, uint64(n)
			}
			h.ready = nil
			id, _ := c.Spawn(tmpl, &Spec{
				Params: Params(0), Hint: Hint{Affinity: place, Priority: prio},
				Deps: []Source{From(blocks[0], datablock.EW), From(blocks[1], datablock.EW)},
			})
			for n, block := range blocks {
				if s := c.g.Snapshot(); len(h.ready) != 0 || len(s.Templates) != 1 || s.Templates[0].Acquiring != 1 {
					t.Fatalf("with %d blocks: %d EDTs are ready, %+v", n, len(h.ready), s.Templates)
				}
				c.Release(block)
			}
			_, lo := id.Words()
			if len(h.ready) != 1 || h.ready[0].index() != uint32(lo) || h.ready[0].Place() != place ||
				h.ready[0].Priority() != prio || h.ready[0].InTurn() {
				t.Fatalf("place %v, priority %d: ready is %#x", place, prio, h.ready)
			}
			if s := c.g.Snapshot(); s.Templates[0].Ready != 1 || s.Templates[0].Acquiring != 0 || s.Count != 0 {
				t.Errorf("with all blocks: %+v", s)
			}
			workerOf(c).Execute(h.ready[0])
		}
	}
	if ran != 5*len(places) {
		t.Errorf("%d EDTs ran", ran)
	}
}
