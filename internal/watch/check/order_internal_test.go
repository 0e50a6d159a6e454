package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/runtime/finding"
)

// A past8 is a few EDTs, each made runnable by some of those before it at some moment of theirs, and which of them
// happen before which others as a whole.
type past8 struct {
	nodes  []*node
	moment [][]moment // by EDT: moments of it
	before [][]moment // by EDT and an earlier one: up to which moment that is before; 0 for not at all
}

// randomPast draws EDTs of which each has some moments of its own. It is ordered by what the program says, or by turns
// as well.
func randomPast(k *Checker, r *rand.Rand, turns bool) (p past8) {
	for n := range 3 + r.IntN(7) {
		one := &node{template: fmt.Sprint(n)}
		before := make([]moment, n)
		for b := range n {
			if r.IntN(3) != 0 {
				continue
			}
			c := cause{from: p.nodes[b], at: p.moment[b][r.IntN(3)], turn: r.IntN(4) == 0}
			one.causes = append(one.causes, c)
			if c.turn && !turns {
				continue
			}
			before[b] = max(before[b], c.at)
			for e, at := range p.before[b] {
				before[e] = max(before[e], at)
			}
		}
		one.begin = k.tick()
		p.nodes, p.before = append(p.nodes, one), append(p.before, before)
		p.moment = append(p.moment, []moment{k.tick(), k.tick(), k.tick()})
	}
	return p
}

// isBefore reports whether a moment of one EDT is before the beginning of another.
func (p *past8) isBefore(n int, at moment, other int) bool {
	return n < other && p.before[other][n] >= at
}

// TestNotesOfReads compares which reads and changes of a block are noted with all pairs of them that nothing orders.
func TestNotesOfReads(t *testing.T) {
	noted := 0
	k := newChecker()
	for seed := range testrun.Sized[uint64](2_000, 20_000, 500_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		k.findings, k.seen = nil, make(map[findingKey]int)
		p := randomPast(k, r, false)
		b := &block{size: 8}
		type look8 struct {
			by     int
			closed moment
		}
		var looks []look8
		var changes []int
		want := map[[2]int]bool{}
		for n, one := range p.nodes[:min(len(p.nodes), recent)] {
			h := &hold{node: one, block: b}
			at := p.moment[n][2]
			if r.IntN(2) == 0 {
				for _, c := range changes {
					if !p.isBefore(c, p.moment[c][2], n) {
						want[[2]int{n, c}] = true
					}
				}
				looks = append(looks, look8{n, at})
				k.noteLook(look{hold: h, closed: at, pages: []sys.PageUse{sys.PageTouched}})
				continue
			}
			for _, l := range looks {
				if !p.isBefore(l.by, l.closed, n) {
					want[[2]int{l.by, n}] = true
				}
			}
			var after []cause // of those that are before, those that it has changed again
			for _, c := range changes {
				if p.isBefore(c, p.moment[c][2], n) && r.IntN(2) == 0 {
					after = append(after, cause{from: p.nodes[c], at: p.moment[c][2]})
				}
			}
			changes = append(changes, n)
			k.noteChange(h, change{by: cause{from: one, at: at}, hi: 8}, after)
		}
		got := map[[2]int]bool{}
		for _, f := range k.findings {
			var pair [2]int
			fmt.Sscan(f.Template, &pair[0])
			fmt.Sscan(f.OtherTemplate, &pair[1])
			got[pair] = true
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: noted %v, want %v", seed, got, want)
		}
		noted += len(want)
	}
	if noted == 0 {
		t.Error("no pair is in no order")
	}
}

// TestDestructionsThatRace compares which users of blocks are blamed with what is before each destruction.
func TestDestructionsThatRace(t *testing.T) {
	blamed := 0
	k := newChecker()
	for seed := range testrun.Sized[uint64](2_000, 20_000, 500_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPast(k, r, true)
		last := len(p.nodes) - 1
		for _, at := range p.moment[last] { // it destroys several blocks
			k.findings, k.seen = nil, make(map[findingKey]int)
			var used []*node
			want := 0
			for n, u := range p.nodes {
				if r.IntN(2) == 0 {
					continue
				}
				used = append(used, u)
				lacks := false
				for _, c := range u.causes {
					from := 0
					for p.nodes[from] != c.from {
						from++
					}
					lacks = lacks || !c.turn && from != last && p.before[last][from] < c.at
				}
				if lacks && n != last {
					want++
				}
			}
			k.judgeDestruction(cause{from: p.nodes[last], at: at}, "", &block{used: used})
			if len(k.findings) != want || want > 0 && k.findings[0].Kind != finding.DestroyRace {
				t.Fatalf("seed %d: %d users are blamed, want %d", seed, len(k.findings), want)
			}
			blamed += want
		}
	}
	if blamed == 0 {
		t.Error("no destruction races")
	}
}
