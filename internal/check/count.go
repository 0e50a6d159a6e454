package check

import (
	"iter"
	"math/bits"
	"slices"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// A latch triggers when its count comes to zero. One that begins above zero is counted up in time only if no
// order of its EDTs lets the others bring it to zero before that. What comes first, in any order that the
// program allows, is a set of counts that has, with each of them, all that happen before it. In the sets
// without the count in question, each count down is paired with a count up that happens before it, as far as
// there are enough. As many as are left over is how far the count can fall below where it began.

// A count is a satisfaction of a latch.
type count struct {
	slot   int
	by     cause // the caller; there may be none
	site   string
	causes []cause
}

// noteCount keeps a count until its latch goes, or there are too many to be judged.
func (w *worker) noteCount(e *event, slot int, causes []cause) {
	c := count{slot: slot, causes: causes}
	c.by, c.site, _ = w.caller()
	if w.self() == nil { // it may be the end of any of these
		c.causes = append(c.causes, e.scopes...)
	}
	if e.counts = append(e.counts, c); len(e.counts) > countsJudged {
		e.dropCounts()
		e.unjudged = true
	}
}

// dropCounts keeps of the counts of a latch only what has caused them.
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

// isBefore reports whether a count is before what a search has walked back from: if all that has caused it is.
// A call on a label that had no object yet keeps its place among its caller's, whoever carries it out.
func (c *count) isBefore(s *search) bool {
	for _, why := range c.causes {
		if !why.carried && !s.saw(why) {
			return false
		}
	}
	return true
}

// judgeCounts reports the counts away from zero that in another order come after their latch has triggered.
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
	f := finding.Finding{
		Kind: finding.CountRace, Site: c.site, Object: id, ObjectSite: e.site,
		Detail: "in another order the latch triggers before it is counted " + does +
			" here: the other EDT counts it " + undoes + " first",
	}
	if n := c.by.from; n != nil {
		f.EDT, f.Template, f.About = n.edt, n.template, n.about
	}
	if n := other.by.from; n != nil {
		f = n.against(f)
	}
	return f
}

// A countOrder is the order of the counts of a latch: those away from zero, and those back to it, of which there are
// more.
type countOrder struct {
	away, back []count
	beforeAway []set // by count away: the counts away that happen before it
	beforeBack []set // by count back: the same
	pairs      pairs // of all
}

// countOrder tells the counts of a latch apart. One that begins at zero begins where its first count brings it.
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

// countsJudged bounds the counts of a latch that are judged, and countSearchLimit the EDTs that are looked at for that.
const (
	countsJudged     = 1 << 12
	countSearchLimit = 1 << 21
)

// order finds out which counts happen before which; it returns false if that takes too long. That EDTs took turns at a
// block does not count: which one is first is luck.
func (k *Checker) order(o *countOrder) bool {
	from, left := k.now(), countSearchLimit
	for _, c := range o.away {
		for _, w := range c.causes {
			from = min(from, w.at)
		}
	}
	before := func(c *count, self int) set {
		s := k.searchFrom(nil, from, &node{begin: k.now(), causes: c.causes}, false, left)
		if left -= s.looked; s.unsure {
			left = -1
		}
		all := newSet(len(o.away))
		for n := range o.away {
			if n != self && o.away[n].isBefore(&s) {
				all.add(n)
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
	all := newSet(len(o.away))
	for n := range o.away {
		all.add(n)
	}
	for n := range o.back {
		o.pairs.find(n, o.beforeBack, all.clone())
	}
	return left >= 0
}

// overtakes returns a count that can bring the latch to zero before count away i, nil if there is none.
func (o *countOrder) overtakes(i int) *count {
	first := newSet(len(o.away)) // the counts away that may come before it
	for n, before := range o.beforeAway {
		if n != i && !before.has(i) {
			first.add(n)
		}
	}
	p := o.pairs.clone()
	for n, b := range p.back {
		if b >= 0 && (!first.has(n) || o.beforeBack[b].has(i)) {
			p.back[n], p.away[b] = -1, -1
		}
	}
	above := len(o.back) - len(o.away) // zero: where it begins
	for n, before := range o.beforeBack {
		if before.has(i) || p.away[n] >= 0 || p.find(n, o.beforeBack, first.clone()) {
			continue
		}
		if above--; above == 0 {
			return &o.back[n]
		}
	}
	return nil
}

// pairs are counts away and back that belong together, each by its number; -1 for none.
type pairs struct{ away, back []int }

func newPairs(away, back int) pairs {
	return pairs{slices.Repeat([]int{-1}, back), slices.Repeat([]int{-1}, away)}
}

func (p *pairs) clone() pairs { return pairs{slices.Clone(p.away), slices.Clone(p.back)} }

// find finds a count away for count back n among those that happen before it, from the latest on, and that are free or
// whose own count back finds another (as Kuhn's algorithm does). free is what has not been tried.
func (p *pairs) find(n int, before []set, free set) bool {
	for away := range before[n].down() {
		if !free.has(away) {
			continue
		}
		free.remove(away)
		if b := p.back[away]; b < 0 || p.find(b, before, free) {
			p.away[n], p.back[away] = away, n
			return true
		}
	}
	return false
}

// A set is of numbers from 0 up.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) clone() set     { return slices.Clone(s) }
func (s set) add(n int)      { s[n/64] |= 1 << (n % 64) }
func (s set) remove(n int)   { s[n/64] &^= 1 << (n % 64) }
func (s set) has(n int) bool { return s[n/64]&(1<<(n%64)) != 0 }

// down ranges over what is in the set, the largest first.
func (s set) down() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := len(s) - 1; k >= 0; k-- {
			for w := s[k]; w != 0; {
				top := bits.Len64(w) - 1
				if w &^= 1 << top; !yield(64*k + top) {
					return
				}
			}
		}
	}
}
