package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A labelModel is one label of edt/label.go: two workers create an object under it, numbered 1 and 2, one makes two
// calls on it, and one destroys the object that it finds. What is done under a label's lock is a step.
type labelModel struct {
	weak     string
	object   model.Word // the label's, 0 for none
	busy     model.Word
	first    model.Word // the deferred calls, 0 for none
	second   model.Word
	alive    []model.Word // by object
	byObject []model.Word // by object: it is known which label it has
	carried  model.Word   // calls that took effect
}

// carry is a call that takes effect.
func (x *labelModel) carry(p *model.Process, call, object int) {
	if p.Load(x.alive[object]) == 0 {
		p.Fail("call %d on object %d, which is gone", call, object)
	}
	if n := p.Add(x.carried, 1); n != call {
		p.Fail("call %d takes effect as number %d", call, n)
	}
}

// call makes a call, now or once there is an object.
func (x *labelModel) call(p *model.Process, call int) {
	object := p.Atomically(fmt.Sprintf("call %d", call), func(m model.Memory) int {
		if m[x.object] != 0 && (m[x.busy] == 0 || x.weak == "a call on a busy label takes effect at once") {
			return int(m[x.object])
		}
		if m[x.first] == 0 {
			m[x.first] = int16(call)
		} else {
			m[x.second] = int16(call)
		}
		return 0
	})
	if object != 0 {
		x.carry(p, call, object)
	}
}

// create makes an object unless there is one, and carries out the calls that were deferred.
func (x *labelModel) create(p *model.Process, object int) {
	if x.weak == "the object is made after the look at the label" && p.Load(x.object)+p.Load(x.busy) != 0 {
		return
	}
	late := x.weak == "entered by object when others can find it"
	state := p.Atomically(fmt.Sprintf("create object %d", object), func(m model.Memory) int {
		if (m[x.object] != 0 || m[x.busy] != 0) && x.weak != "the object is made after the look at the label" {
			return 0
		}
		m[x.alive[object]], m[x.object] = 1, int16(object)
		if !late {
			m[x.byObject[object]] = 1
		}
		if m[x.first] == 0 {
			return 1
		}
		m[x.busy] = 1
		return 2
	})
	if state != 0 && late {
		p.Store(x.byObject[object], 1)
	}
	if state == 2 {
		x.carryOut(p, object)
	}
}

func (x *labelModel) carryOut(p *model.Process, object int) {
	for {
		call := p.Atomically("next call, or not busy", func(m model.Memory) int {
			if m[x.first] != 0 && m[x.object] == int16(object) {
				call := m[x.first]
				m[x.first], m[x.second] = m[x.second], 0
				return int(call)
			}
			if x.weak != "busy ends after the lock" {
				m[x.busy] = 0
			}
			return 0
		})
		if call == 0 {
			break
		}
		x.carry(p, call, object)
	}
	if x.weak == "busy ends after the lock" {
		p.Store(x.busy, 0)
	}
}

// destroy destroys an object by its own name: only its entry says which label it has.
func (x *labelModel) destroy(p *model.Process, object int) {
	if p.Swap(x.byObject[object], 0) == 1 {
		p.Atomically("leave the label", func(m model.Memory) int {
			if m[x.object] == int16(object) {
				m[x.object] = 0
			}
			return 0
		})
	}
	p.Store(x.alive[object], 0)
}

func labelSystem(weak string) *model.System {
	s := model.New("label")
	x := &labelModel{
		weak: weak, object: s.Word("object", 0), busy: s.Word("busy", 0),
		first: s.Word("first call", 0), second: s.Word("second call", 0), carried: s.Word("carried", 0),
		alive: s.Words("alive", 3), byObject: s.Words("by object", 3),
	}
	s.Go("caller", func(p *model.Process) {
		x.call(p, 1)
		x.call(p, 2)
	})
	for object := 1; object <= 2; object++ {
		s.Go(fmt.Sprint("creator ", object), func(p *model.Process) { x.create(p, object) })
	}
	s.Go("destroyer", func(p *model.Process) {
		p.AwaitThat("both calls", func(m model.Memory) bool { return m[x.carried] == 2 })
		if object := p.Load(x.object); object != 0 {
			x.destroy(p, object)
		}
	})
	s.Finally(func(m model.Memory) string {
		for object := 1; object <= 2; object++ {
			switch alive, under := m[x.alive[object]] != 0, m[x.object] == int16(object); {
			case under && !alive:
				return fmt.Sprintf("the label has object %d, which is gone", object)
			case alive && !under:
				return fmt.Sprintf("object %d is alive, and the label does not have it", object)
			case alive != (m[x.byObject[object]] != 0):
				return fmt.Sprintf("object %d is alive %v, and not entered so", object, alive)
			}
		}
		if m[x.busy]+m[x.first]+m[x.second] != 0 {
			return "calls are left, or the label is busy"
		}
		return ""
	})
	return s
}

// The second creator may find the label free again, or be told that there is an object.
func TestLabel(t *testing.T) {
	explore(t, labelSystem,
		variant{"a call on a busy label takes effect at once", "takes effect as number"},
		variant{"the object is made after the look at the label", "takes effect as number"},
		variant{"entered by object when others can find it", "which is gone"},
		variant{"busy ends after the lock", "deadlock"})
}
