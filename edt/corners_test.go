package edt_test

import (
	"errors"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// Calls about blocks take labels too.
func TestBlockCallsTakeLabels(t *testing.T) {
	err := edttest.Run(1, 2, body(func(c *edt.Ctx, in edt.Args) {
		c.DestroyBlock(in.Dep(0).GUID())
		rng := c.NewRange(1, guid.KindBlock)
		label := c.Label(rng, 0)
		if _, err := c.NewLabelledBlock(label, 24); err != nil {
			t.Error(err)
		}
		c.Synchronised(label)
		c.AllowUnordered(label, edt.ReadsAndWrites)
		if got := c.BlockAffinity(label); got != 0 {
			t.Errorf("affinity %v of a block that has none", got)
		}
		if got := c.BlockSize(label); got != 24 {
			t.Errorf("size %d", got)
		}
		c.DestroyBlock(label)
	}))
	if err != nil {
		t.Error(err)
	}
}

// A report shows the first 20 slots, and says that there are more.
func TestReportOfManySlots(t *testing.T) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, in edt.Args) {
		wide := c.NewTemplate("wide", 0, 30, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		c.NewEDT(wide, nil)
		c.AddDependence(guid.Null, c.NewEDT(wide, nil), 3, datablock.RW)
	}))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) {
		t.Fatal(err)
	}
	if got := strings.Count(err.Error(), "not connected"); got != 40 {
		t.Errorf("%d slots shown, want 20 of each EDT", got)
	}
	if got := strings.Count(err.Error(), "and perhaps more from here on"); got != 2 {
		t.Errorf("said %d times that there are more", got)
	}
}
