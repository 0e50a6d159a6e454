package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A dequeModel is runtime/deque.go: the owner's script pushes and pops, thieves
// steal. Entries are numbered from 1 in the order in which they are pushed.
type dequeModel struct {
	weak        string
	top, bottom model.Word
	ring        model.Word   // which of the rings is in use
	rings       [2]ringModel // a ring of two entries, and the one it grows into
	taken       []model.Word // how often each entry was taken
	pushed      int
}

type ringModel []model.Word

func (r ringModel) at(k int) model.Word { return r[k%len(r)] }

func newDequeModel(s *model.System, weak string) *dequeModel {
	d := &dequeModel{weak: weak, top: s.Word("top", 0), bottom: s.Word("bottom", 0), ring: s.Word("ring", 0)}
	d.rings = [2]ringModel{s.Words("small", 2), s.Words("big", 4)}
	d.taken = s.Words("taken", 5)
	return d
}

func (d *dequeModel) push(p *model.Process, k int) {
	b := p.Load(d.bottom)
	r := p.Load(d.ring)
	full := len(d.rings[r])
	if d.weak == "push overfills the ring" {
		full++
	}
	if b-p.Load(d.top) >= full {
		r = d.grow(p, b)
	}
	switch d.weak {
	case "push publishes bottom first":
		p.Store(d.bottom, b+1)
		p.StoreLater(d.rings[r].at(b), k)
	case "push publishes bottom with a plain store":
		p.StoreLater(d.rings[r].at(b), k)
		p.StoreLater(d.bottom, b+1)
	default:
		p.StoreLater(d.rings[r].at(b), k)
		p.Store(d.bottom, b+1)
	}
}

func (d *dequeModel) grow(p *model.Process, b int) int {
	if d.weak == "grow publishes the ring before it copies" {
		p.Store(d.ring, 1)
	}
	for k := p.Load(d.top); k < b; k++ {
		p.StoreLater(d.rings[1].at(k), p.Load(d.rings[0].at(k)))
	}
	p.Store(d.ring, 1)
	return 1
}

func (d *dequeModel) pop(p *model.Process) int {
	b := p.Load(d.bottom) - 1
	if b < p.Load(d.top) {
		return 0
	}
	var t int
	switch d.weak {
	case "pop stores bottom with a plain store":
		p.StoreLater(d.bottom, b)
		t = p.Load(d.top)
	case "pop loads top before it stores bottom":
		t = p.Load(d.top)
		p.Store(d.bottom, b)
	default:
		p.Store(d.bottom, b)
		t = p.Load(d.top)
	}
	if t < b {
		return p.Load(d.rings[p.Load(d.ring)].at(b))
	}
	k := 0
	if t == b {
		k = p.Load(d.rings[p.Load(d.ring)].at(b))
		if d.weak == "pop takes the last entry without a compare-and-swap" {
			p.Store(d.top, t+1)
		} else if !p.CAS(d.top, t, t+1) {
			k = 0
		}
	}
	if d.weak != "pop leaves bottom behind" {
		p.Store(d.bottom, b+1)
	}
	return k
}

func (d *dequeModel) steal(p *model.Process) int {
	var t, b int
	if d.weak == "thief loads bottom before top" {
		b = p.Load(d.bottom)
		t = p.Load(d.top)
	} else {
		t = p.Load(d.top)
		b = p.Load(d.bottom)
	}
	if t >= b {
		return 0
	}
	if d.weak == "thief reads the entry after it claimed it" {
		if !p.CAS(d.top, t, t+1) {
			return 0
		}
		return p.Load(d.rings[p.Load(d.ring)].at(t))
	}
	k := p.Load(d.rings[p.Load(d.ring)].at(t))
	if d.weak == "thief moves top without a compare-and-swap" {
		p.Store(d.top, t+1)
	} else if !p.CAS(d.top, t, t+1) {
		return 0
	}
	return k
}

// take notes an entry that was taken.
func (d *dequeModel) take(p *model.Process, k int) bool {
	if k > 0 {
		p.Note(d.taken[k], 1)
	}
	return k > 0
}

// dequeSystem runs a script of the owner, + for a push and - for a pop, against
// thieves that each try once. The owner empties the deque at the end.
func dequeSystem(weak, script string, thieves int) *model.System {
	s := model.New("deque " + script)
	d := newDequeModel(s, weak)
	s.Go("owner", func(p *model.Process) {
		k := 0
		for _, c := range script {
			if c == '+' {
				k++
				d.push(p, k)
			} else {
				d.take(p, d.pop(p))
			}
		}
		for d.take(p, d.pop(p)) {
		}
	})
	for n := range thieves {
		s.Go(fmt.Sprintf("thief%d", n), func(p *model.Process) { d.take(p, d.steal(p)) })
	}
	s.Always(func(m model.Memory) string {
		for k, w := range d.taken {
			if m[w] > 1 {
				return fmt.Sprintf("entry %d was taken twice", k)
			}
		}
		return ""
	})
	for _, c := range script {
		if c == '+' {
			d.pushed++
		}
	}
	s.Finally(func(m model.Memory) string {
		for k := 1; k <= d.pushed; k++ {
			if m[d.taken[k]] == 0 {
				return fmt.Sprintf("entry %d is lost", k)
			}
		}
		return ""
	})
	return s
}

// For a single entry the compare-and-swap on top decides alone.
func TestDequeLastEntry(t *testing.T) {
	explore(t, func(weak string) *model.System { return dequeSystem(weak, "+-+-", 2) },
		variant{"pop takes the last entry without a compare-and-swap", "taken twice"},
		variant{"pop leaves bottom behind", "lost"},
		variant{"thief moves top without a compare-and-swap", "taken twice"},
		variant{"push publishes bottom first", "lost"},
		variant{"push publishes bottom with a plain store", ""},
		variant{"pop stores bottom with a plain store", ""})
}

// With two entries pop takes one without a compare-and-swap: it must have seen that
// the thieves, which may take both, have not reached that entry.
func TestDequeTwoEntries(t *testing.T) {
	explore(t, func(weak string) *model.System { return dequeSystem(weak, "++--+", 2) },
		variant{"pop stores bottom with a plain store", "taken twice"},
		variant{"pop loads top before it stores bottom", "taken twice"},
		variant{"thief loads bottom before top", "taken twice"})
}

// The ring has two places: the third push overwrites one that was stolen, or grows.
func TestDequeGrowth(t *testing.T) {
	explore(t, func(weak string) *model.System { return dequeSystem(weak, "+++-", 2) },
		variant{"push overfills the ring", "entry 3 was taken twice"},
		variant{"grow publishes the ring before it copies", "lost"},
		variant{"thief reads the entry after it claimed it", "taken twice"})
}
