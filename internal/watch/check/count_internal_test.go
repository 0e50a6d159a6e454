package check

import (
	"math/rand/v2"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A plan of a latch is a few counts, each by an EDT of its own, in the order of a run.
type latchPlan struct {
	slots  []int
	before []uint // by count: those that happen before it, as bits
}

// randomLatch draws a plan in which the latch triggers with the last count, not before.
func randomLatch(r *rand.Rand) (p latchPlan) {
	for {
		n := 1 + r.IntN(8)
		p = latchPlan{make([]int, n), make([]uint, n)}
		left := 0
		for k := range n {
			p.slots[k] = r.IntN(2)
			left += 2*p.slots[k] - 1
			for b := range k {
				if r.IntN(4) == 0 {
					p.before[k] |= 1<<b | p.before[b]
				}
			}
		}
		if at := -left; p.early(at, func(set uint) bool { return set&(set+1) == 0 }) == 0 { // the first ones
			return p
		}
	}
}

// early returns a set of counts, not all, that brings the latch to zero from where it begins, of those that may come
// first in a run. 0 is none.
func (p *latchPlan) early(start int, may func(set uint) bool) uint {
	all := uint(1)<<len(p.slots) - 1
	for set := uint(1); set < all; set++ {
		at, whole := start, true
		for k, slot := range p.slots {
			if set>>k&1 != 0 {
				at += 2*slot - 1
				whole = whole && p.before[k]&^set == 0
			}
		}
		if at == 0 && whole && may(set) {
			return set
		}
	}
	return 0
}

// TestCountsThatRace compares what is judged of a latch with a search of all orders of its counts.
func TestCountsThatRace(t *testing.T) {
	racing, k := 0, newChecker()
	for seed := range testrun.Sized[uint64](2_000, 20_000, 1_000_000) {
		p := randomLatch(rand.New(rand.NewPCG(seed, 0)))
		k.findings, k.seen = nil, make(map[findingKey]int)
		e := &event{typ: edt.Latch}
		var nodes []*node
		start := 0
		for n, slot := range p.slots {
			by := &node{begin: k.tick()}
			for b, from := range nodes {
				if p.before[n]>>b&1 != 0 {
					by.causes = append(by.causes, cause{from: from, at: from.begin + 1})
				}
			}
			nodes = append(nodes, by)
			c := cause{from: by, at: k.tick()}
			e.counts = append(e.counts, count{slot: slot, by: c, causes: []cause{c}})
			start -= 2*slot - 1
		}
		// One from zero may have any of its counts as the first; judged is only the one that was.
		want := p.early(start, func(set uint) bool { return start != 0 || set&1 != 0 }) != 0
		if k.judgeCounts(guid.Null, e); len(k.findings) > 0 != want || k.undecided > 0 {
			t.Fatalf("seed %d: %d findings, want some: %v; slots %v, before %b", seed, len(k.findings), want, p.slots, p.before)
		}
		if want {
			racing++
		}
	}
	if racing == 0 {
		t.Error("no latch could trigger early")
	}
	t.Logf("%d could trigger early", racing)
}
