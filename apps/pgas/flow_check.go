package pgas

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
)

// checking reports whether a PE is in the checking phase.
func (f *flowRun) checking(pe int) bool { return f.pes[pe].now.kind == checking }

// at is a moment of an iteration: in the checks an EDT does the PE's part. Then follows.
func (f *flowRun) at(c *edt.Ctx, m moment, pe, i int, then starter) {
	if !f.checking(pe) {
		then(c, pe, i)
		return
	}
	f.pes[pe].resume = then
	c.NewEDTAt(c.Bind(pe), f.inspection, edt.Params(uint64(i), uint64(m)), f.world.Sources()...)
}

// look is what that EDT does.
func (f *flowRun) look(pe, i int, m moment, in edt.Args) {
	if f.cfg.Test != "sync" {
		f.pes[pe].note(f.inspect(f.world.Segment(in.Dep(pe)), pe, i, m))
		return
	}
	number := func(pe int) *uint64 {
		return &datablock.SliceOf[uint64](f.world.Segment(in.Dep(pe))[f.numberAt():][:8])[0]
	}
	if m == opening {
		atomic.StoreUint64(number(pe), f.number(pe, i))
		return
	}
	for other := range f.cfg.PEs {
		if f.meets(pe, other) {
			f.pes[pe].note(f.late(other, i, atomic.LoadUint64(number(other))))
		}
	}
}
