package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A slotModel is a worker's next-task slot, runtime/next.go. The owner is process 0.
type slotModel struct {
	weak        string
	task, claim model.Word
	ran         []model.Word // by EDT, from 1
}

const (
	claimFree = iota
	claimed
	claimTaken
	claimKept
)

func newSlotModel(s *model.System, weak string, edts int) *slotModel {
	return &slotModel{weak, s.Word("task", 0), s.Word("claim", 0), s.Words("ran", edts+1)}
}

// take is nextTask.take, with contest.
func (m *slotModel) take(p *model.Process) int {
	k := p.Load(m.task)
	if k == 0 {
		return 0
	}
	if m.weak == "owner looks at the claim before it empties the slot" {
		claim := p.Load(m.claim)
		p.StoreLater(m.task, 0)
		if claim == claimFree {
			return k
		}
	} else {
		p.StoreLater(m.task, 0)
		if p.Load(m.claim) == claimFree {
			return k
		}
	}
	if m.weak == "owner keeps a claimed EDT with a store" {
		if p.Load(m.claim) == claimed {
			p.Store(m.claim, claimKept)
			return k
		}
	} else if p.CAS(m.claim, claimed, claimKept) {
		return k
	}
	if p.Load(m.claim) != claimTaken {
		return k
	}
	p.Store(m.claim, claimFree)
	return 0
}

// steal is nextTask.steal.
func (m *slotModel) steal(p *model.Process) int {
	if !p.CAS(m.claim, claimFree, claimed) {
		return 0
	}
	if m.weak != "thief does not execute the barrier" {
		p.FenceOn(0)
	}
	k := p.Load(m.task)
	switch {
	case k == 0:
	case m.weak == "thief takes with a store":
		p.Store(m.claim, claimTaken)
		return k
	case p.CAS(m.claim, claimed, claimTaken):
		if m.weak == "thief frees the claim when it has the EDT" {
			p.Store(m.claim, claimFree)
		}
		return k
	}
	p.Store(m.claim, claimFree)
	return 0
}

// run is one of the EDTs that begins.
func (m *slotModel) run(p *model.Process, k int) {
	if k != 0 {
		p.Add(m.ran[k], 1)
	}
}

// slotSystem has the owner put EDTs in and take them out, and thieves that try once each.
func slotSystem(edts, thieves int) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprintf("next-task slot, %d EDTs, %d thieves", edts, thieves))
		m := newSlotModel(s, weak, edts)
		s.Go("owner", func(p *model.Process) {
			for k := 1; k <= edts; k++ {
				p.StoreLater(m.task, k)
				m.run(p, m.take(p))
			}
		})
		for k := range thieves {
			s.Go(fmt.Sprintf("thief%d", k), func(p *model.Process) { m.run(p, m.steal(p)) })
		}
		s.Always(func(v model.Memory) string {
			for k := 1; k <= edts; k++ {
				if v[m.ran[k]] > 1 {
					return "an EDT runs twice"
				}
			}
			return ""
		})
		s.Finally(func(v model.Memory) string {
			for k := 1; k <= edts; k++ {
				if v[m.ran[k]] == 0 {
					return "an EDT is lost"
				}
			}
			return ""
		})
		return s
	}
}

func TestNextTaskSlot(t *testing.T) {
	explore(t, slotSystem(2, 1),
		variant{"thief does not execute the barrier", "twice"},
		variant{"owner looks at the claim before it empties the slot", "twice"},
		variant{"owner keeps a claimed EDT with a store", "twice"},
		variant{"thief takes with a store", "twice"},
		variant{"thief frees the claim when it has the EDT", "twice"})
	for _, edts := range []int{1, 3} {
		for thieves := 1; thieves <= 2; thieves++ {
			t.Run(fmt.Sprintf("%d EDTs, %d thieves", edts, thieves), func(t *testing.T) {
				explore(t, slotSystem(edts, thieves))
			})
		}
	}
}

// parkingThief is runNext in runtime/worker.go, or ready in edt, against park in runtime/park.go: the owner makes an
// EDT the next to run while a worker parks. The owner's body then waits until the EDT has run.
func parkingThief(weak string) *model.System {
	s := model.New("next-task slot and a worker that parks")
	m := newSlotModel(s, weak, 1)
	numParked, parked, deque := s.Word("numParked", 0), s.Word("parked", 0), s.Word("deque", 0)
	s.Go("owner", func(p *model.Process) {
		busy := false
		if weak == "owner looks whether all are busy before it fills the slot" {
			busy = p.Load(numParked) == 0
			p.StoreLater(m.task, 1)
		} else {
			p.StoreLater(m.task, 1)
			busy = p.Load(numParked) == 0
		}
		if !busy && m.take(p) != 0 {
			p.Store(deque, 1)
			p.CAS(parked, 1, 0)
		}
		p.Await(m.ran[1], 1)
	})
	s.Go("thief", func(p *model.Process) {
		if weak == "thief looks before it counts as parked" {
			if p.Load(m.task) == 0 && p.Load(deque) == 0 {
				p.Store(parked, 1)
				p.Add(numParked, 1)
				p.Await(parked, 0)
			}
		} else {
			p.Store(parked, 1)
			p.Add(numParked, 1)
			if weak != "thief does not execute the barrier before it looks" {
				p.FenceOn(0)
			}
			if p.Load(m.task) == 0 && p.Load(deque) == 0 {
				p.Await(parked, 0)
			}
		}
		p.Again("look", m.lookForOne(deque))
	})
	return s
}

// lookForOne goes over slot and deque until it has found the EDT.
func (m *slotModel) lookForOne(deque model.Word) func(p *model.Process) {
	return func(p *model.Process) {
		k := m.steal(p)
		if k == 0 {
			k = p.Swap(deque, 0)
		}
		if k == 0 {
			p.Again("look", m.lookForOne(deque))
		}
		m.run(p, k)
	}
}

func TestNextTaskSlotAndSleep(t *testing.T) {
	explore(t, parkingThief,
		variant{"thief does not execute the barrier before it looks", "deadlock"},
		variant{"owner looks whether all are busy before it fills the slot", "deadlock"},
		variant{"thief looks before it counts as parked", "deadlock"})
}
