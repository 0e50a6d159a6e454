package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// countdownSystem is fill in edt/satisfy.go: three satisfiers write their slots with plain stores and count need
// down; the last one skips the locked decrement, owns the record and hands it to the worker that runs the EDT.
func countdownSystem(weak string) *model.System {
	const n = 3
	s := model.New("slot countdown")
	need, ready := s.Word("need", n), s.Word("ready", 0)
	owned := s.Word("owned", 0)
	slots := s.Words("slot", n)
	s.Go("worker", func(p *model.Process) {
		p.Await(ready, 1)
		readSlots(p, slots)
	})
	for k := range slots {
		s.Go(fmt.Sprintf("satisfy%d", k), func(p *model.Process) {
			if weak != "counts down before it writes its slot" {
				p.StoreLater(slots[k], k+1)
			}
			last := countDown(p, weak, need)
			if weak == "counts down before it writes its slot" {
				p.StoreLater(slots[k], k+1)
			}
			if last {
				p.Note(owned, 1)
				readSlots(p, slots)
				if weak == "hands the EDT over with a plain store" {
					p.StoreLater(ready, 1)
				} else {
					p.Store(ready, 1)
				}
			}
		})
	}
	s.Always(model.If("the EDT became runnable twice", func(m model.Memory) bool { return m[owned] > 1 }))
	return s
}

// countDown counts one slot out, and reports whether it was the last.
func countDown(p *model.Process, weak string, need model.Word) bool {
	n := p.Load(need)
	switch {
	case weak == "never skips the decrement":
		return p.Add(need, -1) == 0
	case weak == "skips the decrement two slots short" && n == 2, n == 1:
		return true
	case weak == "counts down with a load and a plain store":
		p.StoreLater(need, n-1)
		return n-1 == 0
	}
	return p.Add(need, -1) == 0
}

// readSlots is what the owner of the record does with it.
func readSlots(p *model.Process, slots []model.Word) {
	for k, w := range slots {
		if p.Load(w) != k+1 {
			p.Fail("slot %d is empty", k)
		}
	}
}

func TestSlotCountdown(t *testing.T) {
	explore(t, countdownSystem,
		variant{"never skips the decrement", ""},
		variant{"hands the EDT over with a plain store", ""},
		variant{"skips the decrement two slots short", "is empty"},
		variant{"counts down with a load and a plain store", "deadlock"},
		variant{"counts down before it writes its slot", "is empty"})
}
