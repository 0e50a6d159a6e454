package model_test

import (
	"testing"

	"ocr/internal/proof/model"
)

// A haltModel has a worker that writes records, parks, and leaves the run, one that gets busy, and a reader that halts
// them twice to read the records. The letters are those of docs/scheduler.md ("Halts").
type haltModel struct {
	weak    string
	halted  model.Word
	reading model.Word
	inRun   []model.Word // by worker
	parked  []model.Word
	writing []model.Word
}

const haltWorkers = 2

func haltSystem(weak string) *model.System {
	s := model.New("halt")
	m := &haltModel{weak: weak, halted: s.Word("halted", 0), reading: s.Word("reading", 0),
		inRun: s.Words("inRun", haltWorkers), parked: s.Words("parked", haltWorkers),
		writing: s.Words("writing", haltWorkers)}
	for k := range haltWorkers {
		s.Go("worker", func(p *model.Process) { m.worker(p, k) })
	}
	s.Go("waker", func(p *model.Process) {
		p.Await(m.parked[0], 1)
		p.Store(m.parked[0], 0)
	})
	s.Go("reader", m.reader)
	s.Always(model.If("records are written while they are read", func(v model.Memory) bool {
		return v[m.reading] != 0 && v[m.writing[0]]+v[m.writing[1]] != 0
	}))
	return s
}

func (m *haltModel) worker(p *model.Process, k int) {
	if m.weak == "inRun is stored plainly" {
		p.StoreLater(m.inRun[k], 1)
	} else {
		p.Store(m.inRun[k], 1)
	}
	if m.weak != "a worker does not look when it enters" {
		m.gap(p, k)
	}
	m.write(p, k)
	if k > 0 {
		return // it is busy from now on
	}
	m.gap(p, k) // between two EDTs
	p.Store(m.parked[k], 1)
	p.Await(m.parked[k], 0)
	if m.weak != "a worker does not look after it has parked" {
		m.gap(p, k)
	}
	m.write(p, k)
	p.Store(m.inRun[k], 0)
}

func (m *haltModel) write(p *model.Process, k int) {
	p.Store(m.writing[k], 1)
	p.Store(m.writing[k], 0)
}

// gap is (C).
func (m *haltModel) gap(p *model.Process, k int) {
	for p.Load(m.halted) != 0 {
		p.Store(m.inRun[k], 0)
		p.Await(m.halted, 0)
		p.Store(m.inRun[k], 1)
		if m.weak == "a worker does not look again" {
			return
		}
	}
}

func (m *haltModel) reader(p *model.Process) {
	for range 2 {
		if m.weak != "the reader looks at workers first" {
			p.Store(m.halted, 1) // (A)
		}
		out := true
		for k := range haltWorkers { // (B), or the reader gives up
			out = out && (p.Load(m.inRun[k]) == 0 || p.Load(m.parked[k]) != 0)
		}
		p.Store(m.halted, 1)
		if out {
			p.Store(m.reading, 1)
			p.Store(m.reading, 0)
		}
		p.Store(m.halted, 0)
	}
}

func TestHalt(t *testing.T) {
	explore(t, haltSystem,
		variant{"inRun is stored plainly", "written while"},
		variant{"a worker does not look when it enters", "written while"},
		variant{"a worker does not look after it has parked", "written while"},
		variant{"a worker does not look again", "written while"},
		variant{"the reader looks at workers first", "written while"})
}
