package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A restModel is runtime/between_runs.go: two workers that take part in one run after the other, and rest
// in between. Worker 0 begins a run, which is all there is to do; it ends when both are parked.
// The letters (a) to (d) are those of docs/scheduler.md.
type restModel struct {
	weak      string
	door      model.Word // 8 while it is open, and how many are in
	stopped   model.Word
	beginning model.Word
	begun     model.Word // runs
	over      model.Word
	closed    model.Word
	numParked model.Word
	parked    []model.Word
	between   model.Word // no run is on
	inside    model.Word
}

const (
	doorOpen     = 8
	parkedInRun  = 1
	parkedAtRest = 2
)

// runs is the goroutine that calls Run, from run k on, and then Close.
func (m *restModel) runs(k int) func(p *model.Process) {
	if k > 2 {
		return func(p *model.Process) {
			p.Store(m.closed, 1)
			m.wake(p, 0)
			m.wake(p, 1)
		}
	}
	return func(p *model.Process) {
		m.wake(p, 0) // it wakes up while the graph is made
		p.Store(m.beginning, 1)
		p.Store(m.stopped, 0)
		if m.weak == "(b) comes before (a)" {
			m.wake(p, 0)
		}
		p.Store(m.door, doorOpen) // (a)
		p.Note(m.between, -1)
		if m.weak != "(b) comes before (a)" {
			m.wake(p, 0) // (b)
		}
		p.Again(fmt.Sprint("wait for run ", k), func(p *model.Process) {
			p.Await(m.over, 1)
			p.Note(m.between, 1)
			if p.Load(m.begun) != k {
				p.Fail("run %d ended before it began", k)
			}
			p.Store(m.over, 0)
			p.Again(fmt.Sprint("run ", k+1), m.runs(k+1))
		})
	}
}

// ring is a goroutine outside that wakes a worker at any moment.
func (m *restModel) ring(p *model.Process) { m.wake(p, 1) }

func (m *restModel) wake(p *model.Process, w int) {
	if v := p.Load(m.parked[w]); v != 0 {
		p.CAS(m.parked[w], v, 0)
	}
}

func (m *restModel) comeIn(p *model.Process) bool {
	if m.weak == "no worker checks the door" {
		p.Add(m.door, 1)
		p.Note(m.inside, 1)
		return true
	}
	for {
		v := p.Load(m.door)
		if v&doorOpen == 0 {
			return false
		}
		if p.CAS(m.door, v, v+1) {
			p.Note(m.inside, 1)
			return true
		}
	}
}

func (m *restModel) ended(p *model.Process) { p.Store(m.over, 1) }

func (m *restModel) goOut(p *model.Process) {
	left := p.Add(m.door, -1)
	p.Note(m.inside, -1)
	if left == 0 || m.weak == "the first one out ends the run" {
		m.ended(p)
	}
}

func (m *restModel) stop(p *model.Process) {
	p.Store(m.stopped, 1)
	for w := range m.parked {
		if m.weak != "stop wakes no worker" {
			p.CAS(m.parked[w], parkedInRun, 0)
		}
	}
	if p.Atomically("shut the door", func(v model.Memory) int {
		old := v[m.door]
		v[m.door] &^= doorOpen
		return int(old)
	}) == doorOpen {
		m.ended(p)
	}
}

func (m *restModel) countAwake(p *model.Process) {
	p.Add(m.numParked, -1) // the epoch is TestQuiescence's
}

// live is a worker, from its rest on.
func (m *restModel) live(w int) func(p *model.Process) {
	return func(p *model.Process) {
		if p.Choose(2) == 1 { // it still spins
			m.enter(p, w)
		}
		early := false
		if m.weak == "(c) comes after (d)" {
			early = !m.mustStay(p)
		}
		p.Again(fmt.Sprint("go to sleep ", early), func(p *model.Process) {
			p.Store(m.parked[w], parkedAtRest) // (c)
			p.Add(m.numParked, 1)
			stay := !early && m.mustStay(p) // (d)
			p.Again(fmt.Sprint("sleep ", stay), func(p *model.Process) { m.sleep(p, w, stay) })
		})
	}
}

func (m *restModel) mustStay(p *model.Process) bool {
	return p.Load(m.door)&doorOpen != 0 || p.Load(m.closed) != 0
}

func (m *restModel) sleep(p *model.Process, w int, stay bool) {
	if stay {
		p.Store(m.parked[w], 0)
	} else {
		p.Await(m.parked[w], 0)
	}
	m.countAwake(p)
	p.Again("awake", func(p *model.Process) {
		m.enter(p, w)
		if p.Load(m.closed) == 0 {
			p.Again("rest", m.live(w))
		}
	})
}

func (m *restModel) enter(p *model.Process, w int) {
	if m.comeIn(p) {
		p.Again("take part", m.takePart(w))
	}
}

func (m *restModel) takePart(w int) func(p *model.Process) {
	return func(p *model.Process) {
		if p.Load(m.stopped) == 0 {
			if w == 0 && p.Load(m.beginning) != 0 {
				p.Add(m.begun, 1)
				p.Store(m.beginning, 0)
			}
			p.Again("park", func(p *model.Process) { m.park(p, w) })
		}
		m.goOut(p)
		p.Again("rest", m.live(w))
	}
}

// park is that of a worker in a run; the last one ends it.
func (m *restModel) park(p *model.Process, w int) {
	p.Store(m.parked[w], parkedInRun)
	count := p.Add(m.numParked, 1)
	if p.Load(m.stopped) != 0 {
		p.Store(m.parked[w], 0)
	} else if count == len(m.parked) && m.quiescent(p) {
		p.Again("stop", func(p *model.Process) {
			m.stop(p)
			p.Again("parked", m.asleep(w))
		})
	}
	p.Again("parked", m.asleep(w))
}

func (m *restModel) asleep(w int) func(p *model.Process) {
	return func(p *model.Process) {
		p.Await(m.parked[w], 0)
		m.countAwake(p)
		p.Again("take part", m.takePart(w))
	}
}

func (m *restModel) quiescent(p *model.Process) bool {
	before := p.Load(m.numParked)
	return before == len(m.parked) &&
		(m.weak == "quiescence does not wait for the beginning" || p.Load(m.beginning) == 0) &&
		p.Load(m.numParked) == before
}

func TestRunsOnOnePool(t *testing.T) {
	explore(t, func(weak string) *model.System {
		s := model.New("runs on one pool")
		m := &restModel{
			weak: weak, door: s.Word("door", 0), stopped: s.Word("stopped", 1), beginning: s.Word("beginning", 0),
			begun: s.Word("begun", 0),
			over:  s.Word("over", 0), closed: s.Word("closed", 0), numParked: s.Word("numParked", 0),
			parked:  s.Words("parked", 2),
			between: s.Word("between", 1), inside: s.Word("inside", 0),
		}
		for w := range m.parked {
			s.Go(fmt.Sprintf("worker%d", w), m.live(w))
		}
		s.Go("runs", m.runs(1))
		s.Go("outside", m.ring)
		s.Always(model.If("a worker takes part in no run", func(v model.Memory) bool {
			return v[m.between] != 0 && v[m.inside] != 0
		}))
		return s
	},
		variant{"(b) comes before (a)", "deadlock"},
		variant{"(c) comes after (d)", "deadlock"},
		variant{"stop wakes no worker", "deadlock"},
		variant{"no worker checks the door", "takes part in no run"},
		variant{"the first one out ends the run", "takes part in no run"},
		variant{"quiescence does not wait for the beginning", "ended before it began"})
}
