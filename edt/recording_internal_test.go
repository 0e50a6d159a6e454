package edt

import (
	"testing"

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
