package shmem

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Sum is a sum-to-all reduction of a flow, by the algorithms and with the bits of
// [PE.SumToAll]: up to [SmallReduction] bytes every stage of the schedule is an EDT, started by the
// notification of the message that it takes; above, a barrier, an EDT a PE for its
// chunk, and another barrier.
type Sum struct {
	flow    *Flow
	element Element
	then    Then
	parts   []part
	stage   *edt.Template
	notice  *Step

	enter, leave *Meeting
	chunk        *edt.Template
}

// A part is one PE's part in a reduction. It is used on that PE's worker alone.
type part struct {
	stages  []stage
	epoch   int   // small reductions entered
	at      int   // the stage that is next
	waiting bool  // for its message
	op      Op    // what the PE entered with
	came    []int // messages, by round
	chunk   chunk
	_       [64]byte
}

// NewSum makes a reduction over elements of a type. then follows for each PE when its
// own target is complete.
func (f *Flow) NewSum(c *edt.Ctx, e Element, then Then) *Sum {
	if e.Size() == 0 {
		misuse("new sum", -1, "no element type %d", e)
	}
	pes := f.world.cfg.PEs
	s := &Sum{flow: f, element: e, then: then, parts: make([]part, pes)}
	for pe := range pes {
		s.parts[pe] = part{
			stages: schedule(pes, pe), came: make([]int, f.world.layout.rounds+folds),
			chunk: chunk{me: pe, windows: make([][]byte, pes)},
		}
	}
	s.stage = c.NewTemplate("shmem.sum-stage", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		s.runStage(c, in)
		return guid.Null
	})
	s.chunk = c.NewTemplate("shmem.sum-chunk", 0, pes, func(c *edt.Ctx, in edt.Args) guid.GUID {
		s.runChunk(c, in)
		return guid.Null
	})
	s.notice = f.NewNotice(c, s.notified)
	s.enter = f.NewBarrier(c, s.startChunk)
	s.leave = f.NewBarrier(c, then)
	f.world.templates = append(f.world.templates, s.stage, s.chunk)
	return s
}

// Enter starts PE op.Origin's part, in an EDT on its worker: Dst is the target, Src the source, Bytes the
// vector's size. Target and source are the same or do not overlap. All PEs enter with the same
// numbers, and none enters again before its Then.
func (s *Sum) Enter(c *edt.Ctx, op Op) {
	s.flow.world.bounds.peer("sum to all", -1, op.Origin)
	s.flow.world.bounds.sum(op.Origin, s.element, op.Dst, op.Src, op.Bytes)
	p := &s.parts[op.Origin]
	p.op = op
	if op.Bytes > SmallReduction {
		s.enter.Enter(c, op)
		return
	}
	p.epoch++
	p.at = 0
	s.next(c, p)
}

// next starts the stage that is next, if its message has come.
func (s *Sum) next(c *edt.Ctx, p *part) {
	st := &p.stages[p.at]
	if p.waiting = st.receives >= 0 && p.came[st.receives] < p.epoch; p.waiting {
		return
	}
	blocks, me, to := s.flow.world.blocks, p.op.Origin, p.op.Origin
	if st.sendTo >= 0 {
		to = st.sendTo
	}
	c.NewEDTAt(edt.BindTo(me), s.stage, nil, edt.From(blocks[me], datablock.RW), edt.From(blocks[to], datablock.RW))
}

// notified counts a message. Its op has the round as tag.
func (s *Sum) notified(c *edt.Ctx, op Op) {
	p := &s.parts[op.Origin]
	p.came[op.Tag]++
	if p.waiting && p.stages[p.at].receives == op.Tag {
		s.next(c, p)
	}
}

// runStage takes what was received, sends what is due, and goes on.
func (s *Sum) runStage(c *edt.Ctx, in edt.Args) {
	p, l := &s.parts[c.Worker()], &s.flow.world.layout
	own, to := in.Dep(0).Bytes(), in.Dep(1).Bytes()
	count := word(own, l.private+8*wordReductions) // shared with the direct form
	dst, src, bytes := l.segment+p.op.Dst, l.segment+p.op.Src, p.op.Bytes
	sum := own[dst : dst+bytes]
	if p.at == 0 {
		*count++
		if dst != src {
			move(sum, own[src:src+bytes])
		}
	}
	st := &p.stages[p.at]
	if st.receives >= 0 {
		st.take(s.element, sum, payload(own, l.slot(*count, st.receives), bytes))
	}
	if st.sendTo >= 0 {
		move(payload(to, l.slot(*count, st.sends), bytes), sum)
		c.Release(in.Dep(1).GUID())
	}
	c.Release(in.Dep(0).GUID())
	if st.sendTo >= 0 {
		s.notice.Notify(c, Op{Origin: st.sendTo, Tag: st.sends})
	}
	if p.at++; p.at == len(p.stages) {
		s.then(c, p.op)
		return
	}
	s.next(c, p)
}

// startChunk makes the EDT for a PE's chunk, which has all blocks.
func (s *Sum) startChunk(c *edt.Ctx, op Op) {
	c.NewEDTAt(edt.BindTo(op.Origin), s.chunk, nil, s.flow.world.Sources()...)
}

func (s *Sum) runChunk(c *edt.Ctx, in edt.Args) {
	p, segment := &s.parts[c.Worker()], s.flow.world.layout.segment
	for pe := range p.chunk.windows {
		p.chunk.windows[pe] = in.Dep(pe).Bytes()
	}
	p.chunk.reduce(s.element, segment+p.op.Dst, segment+p.op.Src, p.op.Bytes)
	for pe := range p.chunk.windows {
		c.Release(in.Dep(pe).GUID())
	}
	s.leave.Enter(c, p.op)
}
