package runtime

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

var (
	// goneEat destroys the block of the event.
	goneEat = edt.NewTemplate("runtime_test.goneEat", 0, 1, does(func(c *edt.Ctx, in edt.Args) {
		c.DestroyBlock(in.Dep(0).GUID())
	}))
	// goneWait creates EDTs on another rank that wait for the event, and for a slot that is never connected.
	goneWait = edt.NewTemplate("runtime_test.goneWait", 2, 0, does(func(c *edt.Ctx, in edt.Args) {
		event := guid.FromWords(in.Param(0), in.Param(1))
		for range 16 {
			c.NewEDTAt(c.Place(c.Workers()-1), goneNever, nil, edt.From(event, datablock.RO), edt.Open)
		}
	}))
	goneNever = edt.NewTemplate("runtime_test.goneNever", 0, 2, does(func(*edt.Ctx, edt.Args) {}))
)

// TestDestroyedBlockOfEventOverRanks: an event has a block for EDTs that never run, while another EDT destroys the
// block. This is no misuse: the run is stuck.
func TestDestroyedBlockOfEventOverRanks(t *testing.T) {
	if testrun.Race() {
		t.Skip("the program's destruction races with the event's look-up of the block, as it may")
	}
	for range sized(200, 2000) {
		err := runRanks(t, 2, 2, does(func(c *edt.Ctx, _ edt.Args) {
			block, event := c.NewBlockNear(64, c.Place(c.Workers()-1)), c.NewEvent(edt.Sticky)
			hi, lo := event.Words()
			c.NewEDTAt(c.Place(0), goneEat, nil, edt.From(event, datablock.RW))
			c.Satisfy(event, block)
			c.NewEDTAt(c.Place(1), goneWait, edt.Params(hi, lo))
		}))
		if stuck, ok := err.(*edt.StuckError); !ok || stuck.Count != 16 {
			t.Fatalf("%v, want 16 EDTs that are stuck", err)
		}
	}
}
