package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func value(d *datablock.Dep) *uint64 { return &datablock.Slice[uint64](d)[0] }

// TestReplay: a diamond over two blocks, run several times, alone and with other EDTs that want its blocks.
func TestReplay(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		add := c.NewTemplate("add", 1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
			for k := range in.Deps() {
				*value(in.Dep(k)) += in.Param(0)
			}
			return guid.Null
		})
		double := c.NewTemplate("double", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			*value(in.Dep(0)) *= 2
			return guid.Null
		})
		a, b := c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(8)
		r := c.NewRecording()
		first := r.Add(add, edt.Params(1), edt.From(a, datablock.EW), edt.From(b, datablock.EW))
		left := r.Add(double, nil, edt.From(first.Slot(0), datablock.RW))
		right := r.Add(double, nil, edt.From(b, datablock.EW))
		right.After(first, edt.Node{})
		last := r.Add(add, edt.Params(3), edt.From(left.Slot(0), datablock.EW), edt.From(b, datablock.RW))
		last.After(right)
		done := c.NewEvent(edt.Sticky)
		r.Run(c, 3, done)
		// ((0+1)*2+3)=5, (6*2+3)=15, 16*2+3=35
		look := c.NewTemplate("look", 0, 3, func(c *edt.Ctx, in edt.Args) guid.GUID {
			if x, y := *value(in.Dep(0)), *value(in.Dep(1)); x != 35 || y != 35 {
				tr.Errorf("%d and %d, want 35", x, y)
			}
			r.Destroy(c)
			return guid.Null
		})
		c.NewEDTAt(edt.BindTo(c.Worker()), look, nil, edt.From(a, datablock.RO), edt.From(b, datablock.RO),
			edt.From(done, datablock.Null))
	}))
}
