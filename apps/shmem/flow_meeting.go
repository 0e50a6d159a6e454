package shmem

import (
	"ocr/edt"
	"ocr/guid"
)

// A Meeting is a PE's part in a barrier of a flow, in rounds. In each round a PE notifies
// another one, and goes on when it has been notified itself: a notification is an event that releases an EDT on the
// notified PE's worker, which counts it and goes on for the PE if it waits for that.
type Meeting struct {
	peers  []int // that the PE notifies, by round
	notice *Step
	then   Then
	alone  *Step // what follows if there is no other PE

	epoch   int   // meetings entered
	round   int   // of the present meeting
	waiting bool  // in that round
	op      Op    // what the PE entered with
	came    []int // notifications, by round
}

// NewBarrier makes a barrier of all PEs: dissemination, as [PE.Barrier]. then follows for
// each PE, once all have entered; its Op is that of Enter.
func (f *Flow) NewBarrier(then Then) *Meeting {
	var peers []int
	for r := range f.world.layout.rounds {
		peers = append(peers, (f.me+1<<r)%f.world.cfg.PEs)
	}
	m := &Meeting{peers: peers, came: make([]int, len(peers)), then: then}
	m.notice = f.NewNotice(m.notified)
	m.alone = f.NewNotice(func(c *edt.Ctx, _ Op) { then(c, m.op) })
	return m
}

// Enter brings the PE to the meeting, which is op.Origin. Then may run at once, before Enter returns.
//
// Completion: what was complete when any PE entered is seen by the Then of every PE that it was to meet.
func (m *Meeting) Enter(c *edt.Ctx, op Op) {
	m.op, m.round = op, 0
	m.epoch++
	if len(m.came) == 0 {
		m.alone.Start(c, Op{Origin: op.Origin}, guid.Null)
		return
	}
	m.notify(c)
	m.goOn(c)
}

// notified counts a notification. Its op has the round as tag.
func (m *Meeting) notified(c *edt.Ctx, op Op) {
	m.came[op.Tag]++
	if m.waiting && m.round == op.Tag {
		m.goOn(c)
	}
}

// goOn takes the PE through the rounds that it has been notified in. A peer may be a
// meeting ahead: its second notification counts for the next.
func (m *Meeting) goOn(c *edt.Ctx) {
	for m.waiting = false; m.came[m.round] >= m.epoch; m.notify(c) {
		if m.round++; m.round == len(m.came) {
			m.then(c, m.op)
			return
		}
	}
	m.waiting = true
}

func (m *Meeting) notify(c *edt.Ctx) {
	m.notice.Notify(c, Op{Origin: m.peers[m.round], Tag: m.round})
}
