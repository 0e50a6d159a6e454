package shmem

import (
	"ocr/edt"
	"ocr/guid"
)

// A Meeting is where PEs of a flow wait for each other, in rounds. In each round a PE
// notifies another one, and goes on when it has been notified itself.
//
// A notification is an event that releases an EDT on the notified PE's worker. That EDT counts
// it, and goes on for the PE if that was what it waited for. The count of a PE is read and
// written on its worker alone.
type Meeting struct {
	peers  [][]int // the PEs that each PE notifies, by round
	notice *Step
	guests []guest
	then   Then
	alone  *Step // what follows if there is no other PE
}

// A guest is one PE's part in a meeting.
type guest struct {
	epoch   int   // meetings entered
	round   int   // of the present meeting
	waiting bool  // in that round
	op      Op    // what the PE entered with
	came    []int // notifications, by round
	_       [64]byte
}

// NewBarrier makes a barrier of all PEs: dissemination, as [PE.Barrier]. then follows for
// each PE, once all have entered; its Op is what the PE entered with.
func (f *Flow) NewBarrier(c *edt.Ctx, then Then) *Meeting {
	peers := make([][]int, f.world.cfg.PEs)
	for pe := range peers {
		for r := range f.world.layout.rounds {
			peers[pe] = append(peers[pe], (pe+1<<r)%len(peers))
		}
	}
	return f.newMeeting(c, peers, then)
}

// NewPairSync makes the synchronisation of each PE with its partner alone:
// partner must be its own inverse.
func (f *Flow) NewPairSync(c *edt.Ctx, partner func(pe int) int, then Then) *Meeting {
	peers := make([][]int, f.world.cfg.PEs)
	for pe := range peers {
		peers[pe] = []int{partner(pe)}
	}
	return f.newMeeting(c, peers, then)
}

func (f *Flow) newMeeting(c *edt.Ctx, peers [][]int, then Then) *Meeting {
	m := &Meeting{peers: peers, guests: make([]guest, len(peers)), then: then}
	for pe := range m.guests {
		m.guests[pe].came = make([]int, len(peers[pe]))
	}
	m.notice = f.NewNotice(c, m.notified)
	m.alone = f.NewNotice(c, func(c *edt.Ctx, op Op) { then(c, m.guests[op.Origin].op) })
	return m
}

// Enter brings PE op.Origin to the meeting. It is called in an EDT on that PE's worker. Then may
// run at once, before Enter returns.
//
// Completion: what was complete when any PE entered is seen by the Then of every PE
// that it was to meet.
func (m *Meeting) Enter(c *edt.Ctx, op Op) {
	g := &m.guests[op.Origin]
	g.op, g.round = op, 0
	g.epoch++
	if len(g.came) == 0 {
		m.alone.Start(c, Op{Origin: op.Origin}, guid.Null)
		return
	}
	m.tell(c, op.Origin, 0)
	m.goOn(c, g)
}

// notified counts a notification. Its op has the round as tag.
func (m *Meeting) notified(c *edt.Ctx, op Op) {
	g := &m.guests[op.Origin]
	g.came[op.Tag]++
	if g.waiting && g.round == op.Tag {
		m.goOn(c, g)
	}
}

// goOn takes a PE through the rounds that it has been notified in. A peer may be a
// meeting ahead: its second notification counts for the next.
func (m *Meeting) goOn(c *edt.Ctx, g *guest) {
	for g.waiting = false; g.came[g.round] >= g.epoch; m.tell(c, g.op.Origin, g.round) {
		if g.round++; g.round == len(g.came) {
			m.then(c, g.op)
			return
		}
	}
	g.waiting = true
}

func (m *Meeting) tell(c *edt.Ctx, pe, round int) {
	m.notice.Notify(c, Op{Origin: m.peers[pe][round], Tag: round})
}
