package edt_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
)

// compatible is the table of ocr-model.md.
var compatible = map[[2]datablock.Mode]bool{
	{datablock.RW, datablock.RW}: true, {datablock.RW, datablock.RO}: true,
	{datablock.EW, datablock.RO}: true,
	{datablock.RO, datablock.RO}: true, {datablock.RO, datablock.Const}: true,
	{datablock.Const, datablock.Const}: true,
}

func mayOverlap(a, b datablock.Mode) bool {
	return compatible[[2]datablock.Mode{a, b}] || compatible[[2]datablock.Mode{b, a}]
}

// holders counts the EDTs that hold a block at a time, by mode.
type holders [5]atomic.Int32

func (h *holders) enter(tr *trial, m datablock.Mode) {
	h[m].Add(1)
	for _, other := range modes[:4] {
		n := h[other].Load()
		if other == m {
			n--
		}
		if n > 0 && !mayOverlap(m, other) {
			tr.Errorf("%v holds beside %d of %v", m, n, other)
		}
	}
}

func (h *holders) leave(m datablock.Mode) { h[m].Add(-1) }

// EDTs in every two modes on one block never overlap against the table, and all
// get to run (OCR tests DbEw0 to 2, EwRo2, EwRo3 and DbItw0).
func TestModesExcludeEachOther(t *testing.T) {
	for i, a := range modes[:4] {
		for _, b := range modes[i:4] {
			t.Run(fmt.Sprintf("%v and %v", a, b), func(t *testing.T) {
				const each = 40
				everywhere(t, counting("EDTs", 2*each, func(tr *trial, c *edt.Ctx, ran *tally) {
					var h holders
					block := wordBlock(c, 0)
					tmpl := c.NewTemplate("holder", 2, 1, body(func(c *edt.Ctx, in edt.Args) {
						ran.add()
						m := datablock.Mode(in.Param(0))
						h.enter(tr, m)
						c.DestroyEvent(c.NewEvent(edt.Sticky))
						h.leave(m)
						if in.Param(1)%3 == 0 {
							c.Release(block)
						}
					}))
					for k := range uint64(each) {
						for _, m := range []datablock.Mode{a, b} {
							c.NewEDT(tmpl, edt.Params(uint64(m), k), edt.From(block, m))
						}
					}
				}))
			})
		}
	}
}
