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

// A buriedModel is a destroyed EDT whose slots still wait: bury in edt/destroy.go
// against events that trigger (fill) and events that are destroyed (abandonOne).
type buriedModel struct {
	weak  string
	need  model.Word
	link  []model.Word // the slots' states
	freed model.Word
}

// The link word of a slot, as far as this protocol uses it.
const (
	linkWaiting = iota
	linkFilled
	linkLost
	linkOpen
	linkBuried = 4 // or-ed to waiting

	buriedBias = 16
)

// bury is DestroyEDT.
func (b *buriedModel) bury(p *model.Process) {
	if b.weak == "bury adds the bias last" {
		b.buryLate(p)
		return
	}
	hold := 1
	if b.weak == "bury has no hold of its own" {
		hold = 0
	}
	if p.Add(b.need, buriedBias+hold) == buriedBias+hold {
		p.Fail("the EDT became runnable")
	}
	b.leave(p, b.buryLinks(p)+hold)
}

// buryLate marks the slots while need does not have the bias yet.
func (b *buriedModel) buryLate(p *model.Process) {
	loose := b.buryLinks(p)
	for {
		need := p.Load(b.need)
		if need == 0 {
			p.Fail("the EDT became runnable")
		}
		if p.CAS(b.need, need, need+buriedBias-loose) {
			if need == loose {
				p.Add(b.freed, 1)
			}
			return
		}
	}
}

// buryLinks marks all slots, and returns how many no event will count out. A record that is free must not be touched.
func (b *buriedModel) buryLinks(p *model.Process) (loose int) {
	for _, w := range b.link {
		if p.Load(b.freed) != 0 {
			p.Fail("a slot of a free record is marked")
		}
		if b.buryLink(p, w) {
			loose++
		}
	}
	return loose
}

// leave is leaveZombie.
func (b *buriedModel) leave(p *model.Process, slots int) {
	if p.Add(b.need, -slots) == buriedBias {
		p.Add(b.freed, 1)
	}
}

// buryLink marks a slot, and reports whether no event will count it out.
func (b *buriedModel) buryLink(p *model.Process, w model.Word) bool {
	for {
		link := p.Load(w)
		switch link {
		case linkOpen, linkLost:
			return true
		case linkFilled:
			return false
		}
		if b.weak == "slot is marked with a store" {
			p.Store(w, link|linkBuried)
			return false
		}
		if p.CAS(w, link, link|linkBuried) {
			return false
		}
	}
}

// fill is the slot's event that triggers.
func (b *buriedModel) fill(p *model.Process, w model.Word) {
	p.Load(w)
	p.StoreLater(w, linkFilled)
	n := p.Load(b.need)
	if n == 1 {
		p.Fail("the EDT became runnable")
	}
	if p.Add(b.need, -1) == buriedBias && b.weak != "the EDT that fills a slot does not check for a destroyed EDT" {
		p.Add(b.freed, 1)
	}
}

// abandon is the slot's event that is destroyed.
func (b *buriedModel) abandon(p *model.Process, w model.Word) {
	var old int
	if b.weak == "destroyed event leaves the slot with a load and a store" {
		old = p.Load(w)
		p.Store(w, linkLost)
	} else {
		old = p.Swap(w, linkLost)
	}
	if old&linkBuried != 0 || b.weak == "destroyed event always counts its slot out" {
		b.leave(p, 1)
	}
}

// buriedSystem destroys an EDT while events trigger and are destroyed. fates has a letter for each slot: f, its event
// triggers; a, its event is destroyed; o, it is open. One slot at least is not satisfied by an event: else destroying
// the EDT is a race of the program.
func buriedSystem(fates string) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New("destroyed EDT, slots " + fates)
		b := &buriedModel{weak: weak, need: s.Word("need", len(fates)), freed: s.Word("freed", 0)}
		for k, fate := range fates {
			state := linkWaiting
			if fate == 'o' {
				state = linkOpen
			}
			w := s.Word(fmt.Sprintf("link[%d]", k), state)
			b.link = append(b.link, w)
			switch fate {
			case 'f':
				s.Go(fmt.Sprintf("fill%d", k), func(p *model.Process) { b.fill(p, w) })
			case 'a':
				s.Go(fmt.Sprintf("abandon%d", k), func(p *model.Process) { b.abandon(p, w) })
			}
		}
		s.Go("destroy", b.bury)
		s.Always(model.If("the record was freed twice", func(m model.Memory) bool { return m[b.freed] > 1 }))
		s.Finally(model.If("the record is never freed", func(m model.Memory) bool { return m[b.freed] == 0 }))
		return s
	}
}

// Slots that stay open hide steps: the slot of an event is then never the last
// one. So all mixtures are explored, those without an open slot first.
func TestDestroyedEDT(t *testing.T) {
	explore(t, buriedSystem("fa"),
		variant{"bury adds the bias last", "became runnable"},
		variant{"bury has no hold of its own", "freed twice"},
		variant{"slot is marked with a store", "never freed"},
		variant{"the EDT that fills a slot does not check for a destroyed EDT", "never freed"},
		variant{"destroyed event leaves the slot with a load and a store", "never freed"},
		variant{"destroyed event always counts its slot out", "became runnable"})
	for _, fates := range []string{"a", "aa", "af", "faf", "ffa", "aaf", "fafo", "fo", "ao", "oo"} {
		t.Run(fates, func(t *testing.T) { explore(t, buriedSystem(fates)) })
	}
}
