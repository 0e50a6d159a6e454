package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A recordedModel is a diamond that runs several times, edt/recording_run.go: a source, two nodes beside each other, a
// sink behind both, and a second sink behind the source alone. The workers take nodes from one word each, which stands
// for the hand-over by the host: an atomic step.
type recordedModel struct {
	weak  string
	need  model.Word // of the first sink
	left  model.Word // sinks that have yet to end in this run
	ready []model.Word
	times model.Word // runs left
	sum   model.Word // what the first sink counts, with plain loads and stores
}

const (
	recordedSource = iota
	recordedLeft
	recordedRight
	recordedSink
	recordedOther // the second sink
	recordedNodes
)

const recordedRuns = 2

func recordedSystem(workers int) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprintf("recorded graph, %d workers", workers))
		m := &recordedModel{weak, s.Word("need", 2), s.Word("left", 2), s.Words("ready", recordedNodes),
			s.Word("times", recordedRuns), s.Word("sum", 0)}
		ran, running := s.Words("ran", recordedNodes), s.Words("running", recordedNodes)
		s.Go("begin", func(p *model.Process) { p.Add(m.ready[recordedSource], 1) })
		for k := range workers {
			s.Go(fmt.Sprintf("worker%d", k), func(p *model.Process) { m.work(p, ran, running) })
		}
		s.Always(func(v model.Memory) string {
			for k := range recordedNodes {
				switch {
				case v[m.ready[k]] > 1 || v[running[k]] > 1:
					return "a node is ready twice"
				case v[ran[k]] > recordedRuns:
					return "a node runs too often"
				case v[m.times] == 0 && v[running[k]] > 0:
					return "a node runs after the end"
				}
			}
			return ""
		})
		s.Finally(func(v model.Memory) string {
			for k := range recordedNodes {
				if v[ran[k]] != recordedRuns {
					return "a node has not run in each run"
				}
			}
			if v[m.need] != 2 || v[m.sum] != recordedRuns {
				return "the sink's words are wrong"
			}
			return ""
		})
		return s
	}
}

// work takes nodes until the runs are over.
func (m *recordedModel) work(p *model.Process, ran, running []model.Word) {
	node := p.When("take", func(v model.Memory) bool {
		for _, w := range m.ready {
			if v[w] != 0 {
				return true
			}
		}
		return v[m.times] == 0
	}, func(v model.Memory) int {
		for k, w := range m.ready {
			if v[w] != 0 {
				v[w]--
				v[running[k]]++
				v[ran[k]]++
				return k
			}
		}
		return recordedNodes
	})
	if node == recordedNodes {
		return
	}
	m.execute(p, node, running)
	p.Again("work", func(p *model.Process) { m.work(p, ran, running) })
}

// execute is executeNode.
func (m *recordedModel) execute(p *model.Process, node int, running []model.Word) {
	if m.weak == "a sink counts left before its body ends" && node >= recordedSink {
		m.end(p)
	}
	if node == recordedSink {
		p.StoreLater(m.sum, p.Load(m.sum)+1)
	}
	p.Add(running[node], -1)
	switch node {
	case recordedSource:
		for _, to := range []int{recordedLeft, recordedRight, recordedOther} {
			p.Add(m.ready[to], 1)
		}
	case recordedLeft, recordedRight:
		m.count(p)
	default:
		if m.weak != "a sink counts left before its body ends" {
			m.end(p)
		}
	}
}

// count counts down need of the first sink.
func (m *recordedModel) count(p *model.Process) {
	switch m.weak {
	case "looks two counts short":
		if p.Load(m.need) > 2 && p.Add(m.need, -1) != 0 {
			return
		}
	case "counts with a plain store":
		n := p.Load(m.need) - 1
		if p.StoreLater(m.need, n); n != 0 {
			return
		}
	default:
		if p.Load(m.need) != 1 && p.Add(m.need, -1) != 0 {
			return
		}
	}
	if m.weak == "resets after the hand-over" {
		p.Add(m.ready[recordedSink], 1)
		p.StoreLater(m.need, 2)
		return
	}
	if m.weak != "does not reset" {
		p.StoreLater(m.need, 2)
	}
	p.Add(m.ready[recordedSink], 1)
}

// end is endSink, with ends and begins.
func (m *recordedModel) end(p *model.Process) {
	if m.weak == "a sink looks at left and does not count" && p.Load(m.left) != 1 || p.Add(m.left, -1) != 0 {
		return
	}
	if p.Add(m.times, -1) == 0 {
		return
	}
	if m.weak == "the source is ready before left is set" {
		p.Add(m.ready[recordedSource], 1)
		p.Store(m.left, 2)
		return
	}
	p.Store(m.left, 2)
	p.Add(m.ready[recordedSource], 1)
}

func TestRecordedGraph(t *testing.T) {
	explore(t, recordedSystem(2),
		variant{"looks two counts short", "a node is ready twice"},
		variant{"counts with a plain store", "deadlock"},
		variant{"resets after the hand-over", "deadlock"},
		variant{"does not reset", "a node is ready twice"},
		variant{"a sink looks at left and does not count", "deadlock"},
		variant{"a sink counts left before its body ends", "a node is ready twice"},
		variant{"the source is ready before left is set", "deadlock"})
	t.Run("3 workers", func(t *testing.T) { explore(t, recordedSystem(3)) })
}
