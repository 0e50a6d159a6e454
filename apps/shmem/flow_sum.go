package shmem

import (
	"ocr/edt"
	"ocr/guid"
)

// A Sum is a PE's part in a sum-to-all reduction of a flow, by the algorithms and with the bits of [PE.SumToAll]: up to
// [SmallReduction] bytes every stage of the schedule is an EDT, started by the notification of the message that it
// takes; above, a barrier, an EDT a PE for its chunk, and another barrier.
type Sum struct {
	flow    *Flow
	element Element
	then    Then

	stages  []stage
	epoch   int   // small reductions entered
	at      int   // the stage that is next
	waiting bool  // for its message
	op      Op    // what the PE entered with
	came    []int // messages, by round
	stage   *Step
	notice  *Step

	enter, leave *Meeting
	chunk        *Step
}

// NewSum makes a reduction over elements of a type. then follows when the PE's own target is complete.
func (f *Flow) NewSum(e Element, then Then) *Sum {
	if e.Size() == 0 {
		misuse("new sum", -1, "no element type %d", e)
	}
	s := &Sum{flow: f, element: e, then: then, stages: schedule(f.world.cfg.PEs, f.me)}
	s.came = make([]int, f.world.layout.rounds+folds)
	s.stage = f.newStep(Step{kind: stageKind, stage: s.runStage, then: s.passOn})
	s.notice = f.NewNotice(s.notified)
	s.leave = f.NewBarrier(then)
	part := chunk{me: f.me, far: f.far, base: f.world.layout.segment}
	s.chunk = f.NewVisit(true, func(segments [][]byte, op Op) {
		part.windows = segments
		part.reduce(e, op.Dst, op.Src, op.Bytes)
	}, s.leave.Enter)
	s.enter = f.NewBarrier(func(c *edt.Ctx, op Op) { s.chunk.Start(c, op, guid.Null) })
	return s
}

// Enter starts the PE's part, which is op.Origin: Dst is the target, Src the source, Bytes the
// vector's size. Target and source are the same or do not overlap. All PEs enter with the same
// numbers, and none enters again before its Then.
func (s *Sum) Enter(c *edt.Ctx, op Op) {
	s.flow.world.bounds.peer("sum to all", -1, op.Origin)
	s.flow.world.bounds.sum(op.Origin, s.element, op.Dst, op.Src, op.Bytes)
	s.op = op
	if op.Bytes > SmallReduction {
		s.enter.Enter(c, op)
		return
	}
	s.epoch++
	s.at = 0
	s.next(c)
}

// next starts the stage that is next, if its message has come.
func (s *Sum) next(c *edt.Ctx) {
	st := &s.stages[s.at]
	if s.waiting = st.receives >= 0 && s.came[st.receives] < s.epoch; s.waiting {
		return
	}
	op := s.op
	if op.Target = op.Origin; st.sendTo >= 0 {
		op.Target = st.sendTo
	}
	s.stage.Start(c, op, guid.Null)
}

// notified counts a message. Its op has the round as tag.
func (s *Sum) notified(c *edt.Ctx, op Op) {
	s.came[op.Tag]++
	if s.waiting && s.stages[s.at].receives == op.Tag {
		s.next(c)
	}
}

// runStage takes the received message, and sends the stage's; to is nil if it is not in this memory.
func (s *Sum) runStage(own, to []byte, op Op) {
	l := &s.flow.world.layout
	count := word(own, l.private+8*wordReductions) // shared with the direct form
	dst, src, bytes := l.segment+op.Dst, l.segment+op.Src, op.Bytes
	sum := own[dst : dst+bytes]
	if s.at == 0 {
		*count++
		if dst != src {
			move(sum, own[src:src+bytes])
		}
	}
	st := &s.stages[s.at]
	if st.receives >= 0 {
		st.take(s.element, sum, payload(own, l.slot(*count, st.receives), bytes))
	}
	if st.sendTo < 0 {
		return
	}
	if slot := l.slot(*count, st.sends); to != nil {
		move(payload(to, slot, bytes), sum)
	} else {
		s.flow.far.Put(op.Target, payloadAt(slot, bytes), sum)
	}
}

// passOn runs after a stage: it notifies the receiver, and starts the next stage.
func (s *Sum) passOn(c *edt.Ctx, _ Op) {
	if st := &s.stages[s.at]; st.sendTo >= 0 {
		s.notice.Notify(c, Op{Origin: st.sendTo, Tag: st.sends})
	}
	if s.at++; s.at == len(s.stages) {
		s.then(c, s.op)
		return
	}
	s.next(c)
}
