package edt

import (
	"testing"

	"ocr/datablock"
	"ocr/guid"
)

// drain runs what is ready on the collector's only worker, until nothing is.
func (h *collector) drain(c *Ctx) {
	for len(h.ready) > 0 {
		k := h.ready[0]
		h.ready = h.ready[1:]
		for k != 0 {
			k = workerOf(c).Execute(k)
		}
	}
}

// TestReplayGivesBlocksBack: a block that a hundred recordings have used, in a mode that excludes others or not, gives
// its record and memory back when it is destroyed.
func TestReplayGivesBlocksBack(t *testing.T) {
	for mode := datablock.RW; mode <= datablock.Null; mode++ {
		c, h := newCtx(t)
		b, idle := c.NewBlockNoAcquire(64), idleTemplate(c, 2)
		for range 100 {
			r := c.NewRecording()
			r.Add(idle, nil, From(b, mode), From(b, mode))
			r.Run(c, 2, guid.Null)
			h.drain(c)
			r.Destroy(c)
		}
		c.NewEDT(c.NewTemplate("looks", 0, 0, func(c *Ctx, _ Args) guid.GUID {
			c.DestroyBlock(b)
			_, old := b.Words()
			if _, lo := c.NewBlockNoAcquire(64).Words(); uint32(lo) != uint32(old) {
				t.Errorf("mode %v: the place of the block is not used again", mode)
			}
			return guid.Null
		}), nil)
		h.drain(c)
	}
}

// TestDestroyedRecordingGivesItsTemplateBack: its number is used again.
func TestDestroyedRecordingGivesItsTemplateBack(t *testing.T) {
	c, h := newCtx(t)
	idle := idleTemplate(c, 0)
	for k := range 300 {
		r := c.NewRecording()
		r.Add(idle, nil)
		if r.Seal(c); k%2 == 0 {
			r.Run(c, 1, guid.Null)
			h.drain(c)
		}
		r.Destroy(c)
	}
	if n := len(c.local.generation); n > 8 {
		t.Errorf("300 recordings, one after the other, have used %d numbers of templates", n)
	}
}

// TestReplayKeepsHints: a node has its place and priority after a change of the recording too, and if runs are watched.
func TestReplayKeepsHints(t *testing.T) {
	hints := []Hint{{Priority: -3}, {Priority: 7, Affinity: PlaceOn(0)}, {Affinity: BindTo(0)}, {},
		{Priority: 127, Affinity: BindTo(0)}}
	for _, sites := range []bool{false, true} {
		g := NewGraph(Config{Workers: 1, Sites: sites})
		defer g.Close()
		h := new(collector)
		c := g.NewWorker(h).Ctx()
		r, idle, seen := c.NewRecording(), idleTemplate(c, 0), map[Hint]int{}
		for _, hint := range hints {
			r.Add(idle, nil).SetHint(hint)
		}
		for round := 1; round <= 3; round++ { // open from the second on
			r.Run(c, 1, guid.Null)
			k := h.ready[0]
			h.ready = nil
			if next := workerOf(c).Execute(k); next != 0 {
				h.ready = append(h.ready, next)
			}
			for _, k := range h.ready {
				seen[Hint{Priority: k.Priority(), Affinity: k.Place()}]++
			}
			h.drain(c)
			hint := Hint{Priority: int8(-10 - round), Affinity: PlaceOn(0)}
			r.Add(idle, nil).SetHint(hint)
			for _, old := range hints {
				if seen[old] != round {
					t.Fatalf("sites %t, round %d: %d nodes have had %+v; all: %v", sites, round, seen[old], old, seen)
				}
			}
		}
		r.Destroy(c)
	}
}
