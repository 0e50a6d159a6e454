package runtime

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
)

var (
	// labelChurn makes events, and satisfies them, which frees them.
	labelChurn = edt.NewTemplate("runtime_test.labelChurn", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
		var events [4 * labelled]guid.GUID
		for range 50 {
			for n := range events {
				events[n] = c.NewEvent(edt.Once)
			}
			for _, e := range events {
				c.Satisfy(e, guid.Null)
			}
		}
	}))
	// labelSatisfy satisfies labelled events.
	labelSatisfy = edt.NewTemplate("runtime_test.labelSatisfy", 2, 0, does(func(c *edt.Ctx, in edt.Args) {
		first := guid.FromWords(in.Param(0), in.Param(1))
		for n := range labelled {
			c.Satisfy(c.Label(first, 2*labelled+n), guid.Null)
		}
	}))
)

const labelled = 32

// TestLabelsBesideEventsOverRanks: a message about a label touches no event, though its low word may be that of one.
// The race detector finds it if it does.
func TestLabelsBesideEventsOverRanks(t *testing.T) {
	for range sized(40, 400) {
		err := runRanks(t, 2, 2, does(func(c *edt.Ctx, _ edt.Args) {
			first := c.NewRange(4*labelled, guid.KindEvent)
			for n := range labelled {
				if err := c.NewLabelledEvent(c.Label(first, 2*labelled+n), edt.Sticky); err != nil {
					t.Error(err)
				}
			}
			hi, lo := first.Words()
			for w := range c.Workers() {
				c.NewEDTAt(c.Place(w), labelChurn, nil)
			}
			c.NewEDTAt(c.Place(c.Workers()-1), labelSatisfy, edt.Params(hi, lo))
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
}
