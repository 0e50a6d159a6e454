package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// searchOn is [poolModel.search] of a patient pool: only lastAwake of runtime/search.go ends it, and the end
// of the run. (In the other models a search ends at any time, which is all that safety may rely on.)
func (m *poolModel) searchOn(w int, counted bool) func(p *model.Process) {
	return func(p *model.Process) {
		if counted {
			p.Add(m.spinning, 1)
		}
		p.Again(fmt.Sprint("look, counted ", counted), m.lookOn(w, counted))
	}
}

func (m *poolModel) lookOn(w int, counted bool) func(p *model.Process) {
	return func(p *model.Process) {
		k := m.look(p, w)
		if k == 0 && p.Load(m.stopped) == 0 && !m.lastAwake(p, w) {
			if !counted && p.Choose(2) == 1 {
				p.Again("begin to spin", m.searchOn(w, true))
			}
			p.Again(fmt.Sprint("look, counted ", counted), m.lookOn(w, counted))
		}
		if counted {
			m.endSpin(p, k != 0)
		}
		m.found(p, w, k)
	}
}

func (m *poolModel) lastAwake(p *model.Process, w int) bool {
	if p.Load(m.numParked)&parkedMask < m.workers-1 {
		return false
	}
	for v := range m.workers {
		if v != w && p.Load(m.parked[v]) == 0 {
			return false
		}
	}
	return m.weak == "lastAwake does not look at the inboxes" || m.noneSent(p, w)
}

func (m *poolModel) noneSent(p *model.Process, w int) bool {
	m.settle(p, w)
	return !m.anyInbox(p)
}

// patientSystem is two workers that search for as long as they may, and a third that parks at any time and stays so.
// Worker 1 begins by parking. It must end.
func patientSystem(name string, edts ...edtModel) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(name)
		m := newPoolModel(s, weak, 3, epochs, edts)
		m.patient, m.blocked = true, s.Word("worker 0 has blocked", 0)
		s.Go("worker0", func(p *model.Process) { p.Again("run 1", m.execute(0, 1)) })
		s.Go("worker1", func(p *model.Process) { p.Again("park", m.park(1)) })
		s.Go("worker2", func(p *model.Process) {
			p.Store(m.parked[2], 1)
			p.Add(m.numParked, 1)
		})
		s.Always(model.If("worker 0 blocks before the answer comes", func(v model.Memory) bool { return v[m.blocked] > 0 }))
		return s
	}
}

// Worker 0 sends an EDT and searches until the answer comes, twice.
func TestSenderAwaitsTheAnswer(t *testing.T) {
	explore(t, patientSystem("answer",
		edtModel{send: []int{2}}, edtModel{bound: 1, send: []int{3}},
		edtModel{bound: 0, send: []int{4}}, edtModel{bound: 1, send: []int{5}}, edtModel{bound: 0, ends: true}),
		variant{"lastAwake does not look at the inboxes", "before the answer"},
		variant{"a message is freed as it is received", "before the answer"})
}
