package pgas

import (
	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
)

// checking reports whether the phase is the one of the checks.
func (f *flowRun) checking() bool { return f.now.kind == checking }

// at is a moment of an iteration: in the checks an EDT does the PE's part. Then follows.
func (f *flowRun) at(c *edt.Ctx, m moment, i int, then starter) {
	if !f.checking() {
		then(c, i)
		return
	}
	f.resume, f.look = then, func(segments [][]byte, i int) { f.lookAt(segments, i, m) }
	f.inspected.Start(c, shmem.Op{Origin: f.me, Tag: i}, guid.Null)
}

// lookAt is what that EDT does.
func (f *flowRun) lookAt(segments [][]byte, i int, m moment) {
	if f.cfg.Test != "sync" {
		f.note(f.inspect(segments[f.me], f.me, i, m))
		return
	}
	if m == opening {
		cell.Store(&datablock.SliceOf[uint64](segments[f.me][f.numberAt():][:8])[0], f.number(f.me, i))
		return
	}
	for other := range f.cfg.PEs {
		if f.meets(f.me, other) {
			f.note(f.late(other, i, f.flow.Load(other, f.numberAt())))
		}
	}
}
