package check

import (
	"math/big"
	"slices"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// A latch triggers when its count reaches zero. A satisfaction that counts it away from zero is a race if, in some
// allowed order of the EDTs, the others bring the count to zero before it. To decide that for count c:
//
//  1. The counts that can precede c form a set that is closed under happens-before and lacks c.
//  2. Pair each count back to zero in such a set with a count away from zero that happens before it, as far as
//     possible (a maximum matching).
//  3. The largest number of unpaired counts back is how far the latch can get below its initial count without c.
//  4. If that reaches zero, c is reported, with one of the unpaired counts.

// A count is a satisfaction of a latch, through its slot Incr or Decr.
type count struct {
	slot   int
	by     cause // the caller; its EDT is nil if there is none
	site   string
	causes []cause
}

// noteCount keeps a count until its latch is gone, or has too many counts to judge.
func (w *worker) noteCount(e *event, slot int, causes []cause) {
	c := count{slot: slot, causes: causes}
	c.by, c.site, _ = w.caller()
	if w.self() == nil { // a finish scope closed: any of these
		c.causes = append(c.causes, e.scopes...)
	}
	if e.counts = append(e.counts, c); len(e.counts) > countsJudged {
		e.dropCounts()
		e.unjudged = true
	}
}

// dropCounts drops the counts of a latch and keeps their causes.
func (e *event) dropCounts() {
	for _, c := range e.counts {
		if c.slot == edt.Incr {
			e.raised = append(e.raised, c.causes...)
		} else {
			e.got.causes = append(e.got.causes, c.causes...)
		}
	}
	e.counts = nil
}

// isBefore reports whether a count happens before the node that a search started from: whether all of its causes do.
func (c *count) isBefore(s *search) bool {
	for _, why := range c.causes {
		if !s.saw(why) {
			return false
		}
	}
	return true
}

// judgeCounts reports counts away from zero that in another order come after the trigger of their latch.
func (k *Checker) judgeCounts(id guid.GUID, e *event) {
	o := e.countOrder()
	if len(o.away)+len(e.raised) == 0 {
		return
	}
	if e.unjudged || !k.order(o) {
		k.undecided++
		return
	}
	told := make(map[string]bool)
	for i, c := range o.away {
		if told[c.site] {
			continue
		}
		if by := o.overtakes(i); by != nil {
			told[c.site] = true
			k.report(c.racesWith(by, id, e))
		}
	}
}

func (c *count) racesWith(other *count, id guid.GUID, e *event) finding.Finding {
	does, undoes := "up", "down"
	if c.slot != edt.Incr {
		does, undoes = undoes, does
	}
	return other.by.from.against(c.by.from.finding(finding.CountRace, c.site, id, e.site,
		"in another order the latch triggers before it is counted "+does+
			" here: the other EDT counts it "+undoes+" first"))
}

// A countOrder has the order of a latch's counts: those away from zero, and those back to it, which are more.
type countOrder struct {
	away, back []count
	beforeAway []*big.Int // by count away: the counts away that happen before it, as bits
	beforeBack []*big.Int // by count back: the same
	pairs      pairs      // of all
}

// countOrder divides the counts of a latch. The first count of a latch that begins at zero sets its initial count.
func (e *event) countOrder() *countOrder {
	if len(e.counts) == 0 {
		return &countOrder{}
	}
	var slots [2][]count
	for _, c := range e.counts {
		slots[c.slot] = append(slots[c.slot], c)
	}
	away := edt.Incr
	if down, up := len(slots[edt.Decr]), len(slots[edt.Incr]); down < up || down == up && e.counts[0].slot == edt.Decr {
		away = edt.Decr
	}
	o := &countOrder{away: slots[away], back: slots[1-away]}
	if len(o.away) == len(o.back) {
		o.away = o.away[1:]
	}
	return o
}

// countsJudged bounds the counts of a latch that are judged; countSearchLimit bounds the EDTs visited for that.
const (
	countsJudged     = 1 << 12
	countSearchLimit = 1 << 21
)

// order computes which counts happen before which; it returns false at the search limit. The order in which EDTs had a
// block one after the other does not count, as the program does not determine it.
func (k *Checker) order(o *countOrder) bool {
	from, left := k.now(), countSearchLimit
	for _, c := range o.away {
		for _, w := range c.causes {
			from = min(from, w.at)
		}
	}
	before := func(c *count, self int) *big.Int {
		s := k.searchFrom(nil, from, &node{begin: k.now(), causes: c.causes}, false, left)
		if left -= s.looked; s.unsure {
			left = -1
		}
		all := new(big.Int)
		for n := range o.away {
			if n != self && o.away[n].isBefore(&s) {
				all.SetBit(all, n, 1)
			}
		}
		return all
	}
	for n := range o.away {
		o.beforeAway = append(o.beforeAway, before(&o.away[n], n))
	}
	for n := range o.back {
		o.beforeBack = append(o.beforeBack, before(&o.back[n], -1))
	}
	o.pairs = newPairs(len(o.away), len(o.back))
	for n := range o.back {
		all := new(big.Int).Lsh(big.NewInt(1), uint(len(o.away)))
		o.pairs.find(n, o.beforeBack, all.Sub(all, big.NewInt(1)))
	}
	return left >= 0
}

// overtakes returns a count that can bring the latch to zero before count away number i, nil if there is none.
func (o *countOrder) overtakes(i int) *count {
	first := new(big.Int) // the counts away that may come before it
	for n, before := range o.beforeAway {
		if n != i && before.Bit(i) == 0 {
			first.SetBit(first, n, 1)
		}
	}
	p := o.pairs.clone()
	for n, b := range p.back {
		if b >= 0 && (first.Bit(n) == 0 || o.beforeBack[b].Bit(i) != 0) {
			p.back[n], p.away[b] = -1, -1
		}
	}
	above := len(o.back) - len(o.away) // zero: where it begins
	for n, before := range o.beforeBack {
		if before.Bit(i) != 0 || p.away[n] >= 0 || p.find(n, o.beforeBack, new(big.Int).Set(first)) {
			continue
		}
		if above--; above == 0 {
			return &o.back[n]
		}
	}
	return nil
}

// pairs is a matching of counts away and counts back, by number; -1 for none.
type pairs struct{ away, back []int }

func newPairs(away, back int) pairs {
	return pairs{slices.Repeat([]int{-1}, back), slices.Repeat([]int{-1}, away)}
}

func (p *pairs) clone() pairs { return pairs{slices.Clone(p.away), slices.Clone(p.back)} }

// find pairs count back n with a count away that happens before it, by an augmenting path (Kuhn's algorithm). It tries
// the latest counts away first. free has those that were not tried yet.
func (p *pairs) find(n int, before []*big.Int, free *big.Int) bool {
	for away := before[n].BitLen() - 1; away >= 0; away-- {
		if before[n].Bit(away) == 0 || free.Bit(away) == 0 {
			continue
		}
		free.SetBit(free, away, 0)
		if b := p.back[away]; b < 0 || p.find(b, before, free) {
			p.away[n], p.back[away] = away, n
			return true
		}
	}
	return false
}
