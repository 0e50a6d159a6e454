package shmem

import (
	"ocr/edt"
	"ocr/guid"
)

// The EDTs of a flow's steps in worlds whose windows are not in one memory. They have no blocks. Their operations are those of [oneSided], and complete
// when Then is called.

func runFarTransfer(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	s.moveFar(op)
	s.then(c, op)
	return guid.Null
}

func (s *Step) moveFar(op Op) {
	far, n := s.flow.far, 0
	if s.width > 0 {
		n = op.Bytes / s.width
	}
	own, dst, src := far.windows[far.me][s.segment:], s.segment+op.Dst, s.segment+op.Src
	switch s.kind {
	case putKind:
		far.Put(op.Target, dst, own[op.Src:][:op.Bytes])
	case stridedPutKind:
		far.PutStrided(op.Target, dst, own[op.Src:], n, s.width, s.strides)
	case getKind:
		far.Get(own[op.Dst:][:op.Bytes], op.Target, src)
	case stridedGetKind:
		far.GetStrided(own[op.Dst:], op.Target, src, n, s.width, s.strides)
	}
	far.Flush()
}

func runFarStage(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	far := s.flow.far
	s.stage(far.windows[far.me], nil, op)
	far.Flush()
	s.then(c, op)
	return guid.Null
}

func runFarVisit(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	f := s.flow
	for pe, window := range f.far.windows {
		if window != nil && (s.kind == visitAllKind || pe == f.me) {
			f.segments[pe] = window[s.segment:]
		}
	}
	s.visit(f.segments, op)
	clear(f.segments)
	f.far.Flush()
	s.then(c, op)
	return guid.Null
}
