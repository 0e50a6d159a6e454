package check

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestOrder compares the pasts of random EDTs, asked in random order, with an order that is computed forwards from
// their causes. Some EDTs are members of finish scopes, and some come after the close of a scope.
func TestOrder(t *testing.T) {
	ordered := 0 // pairs
	for seed := range testrun.Sized[uint64](2_000, 20_000, 500_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		k := New(0)
		var nodes []*node
		var before [][]moment // by EDT and an earlier EDT: the latest moment of the earlier one that is before; 0 for none
		inner := (*scope)(nil).open()
		scopes := []*scope{inner, inner.open(), nil, nil}
		closed := make(map[*scope]moment)
		var ends []moment
		for n := range 3 + r.IntN(8) {
			one := &node{scope: scopes[r.IntN(len(scopes))]}
			past := make([]moment, n)
			follow := func(b int, at moment) {
				past[b] = max(past[b], at)
				for e, at := range before[b] {
					past[e] = max(past[e], at)
				}
			}
			for b := range n {
				if r.IntN(3) == 0 {
					at := nodes[b].begin + 1 + moment(r.IntN(3))
					one.because(cause{from: nodes[b], at: at})
					follow(b, at)
				}
			}
			if s := scopes[r.IntN(2)]; closed[s] == 0 && r.IntN(4) == 0 || closed[s] != 0 {
				if closed[s] == 0 {
					closed[s] = k.tick()
				}
				one.causes = append(one.causes, cause{scope: s, at: closed[s]})
				for b := range n {
					if counts := nodes[b].scope; counts != nil && (counts == s || counts.parent == s) {
						follow(b, ends[b])
					}
				}
			}
			if s := one.scope; closed[s] != 0 || closed[inner] != 0 {
				one.scope = nil // no EDT begins in a closed scope
			}
			one.begin = k.tick()
			k.clock += 4
			ends = append(ends, k.tick())
			if r.IntN(4) > 0 { // else its end is reported later
				one.end = ends[n]
			}
			one.enterScope()
			nodes, before = append(nodes, one), append(before, past)
		}
		for range 20 {
			w, u := r.IntN(len(nodes)), r.IntN(len(nodes))
			at := nodes[w].begin + 1 + moment(r.IntN(4))
			want := w < u && before[u][w] >= at
			if got := k.ordered(cause{from: nodes[w], at: at}, nodes[u]); got != want {
				t.Fatalf("seed %d: moment %d of EDT %d before EDT %d: %v, want %v", seed, at, w, u, got, want)
			}
			if want {
				ordered++
			}
		}
	}
	if ordered == 0 {
		t.Error("no EDT is before another")
	}
}

// What lies before the history counts as ordered, and as undecided.
func TestOrderBehindTheHistory(t *testing.T) {
	k := New(0)
	first, second, forgotten := &node{begin: k.tick()}, &node{begin: k.tick()}, &node{begin: k.tick(), historical: true}
	last := &node{begin: k.tick(), causes: []cause{{from: forgotten, at: forgotten.begin}}}
	if k.ordered(cause{from: first, at: 1}, second) || k.undecided != 0 {
		t.Error("two EDTs without causes are ordered")
	}
	if !k.ordered(cause{from: first, at: 1}, last) || k.undecided != 1 {
		t.Errorf("what is forgotten is not ordered; %d times undecided", k.undecided)
	}
}

// A long scope keeps no more of its EDTs, and of the scopes in it, than the history does. What it has dropped is before
// its end; what came before that is undecided.
func TestLongScope(t *testing.T) {
	const each = 16
	k, outer := New(0), (*scope)(nil).open()
	early := &node{begin: k.tick()}
	var first *node
	for range 3 * historyLength / each {
		inner := outer.open()
		for range each {
			n := &node{begin: k.tick(), scope: inner}
			if first == nil {
				first = n
			}
			n.enterScope()
			n.end = k.tick()
			k.remember(n)
		}
		inner.ended = true
	}
	recent := &node{begin: k.tick()}
	if kept := len(outer.inner); kept > 2*historyLength/each+2 {
		t.Errorf("%d scopes are kept", kept)
	}
	after := &node{begin: k.tick(), causes: []cause{{scope: outer, at: k.tick()}}}
	last := &node{begin: k.tick(), causes: []cause{{from: after, at: after.begin}}}
	if k.ordered(cause{from: recent, at: recent.begin}, last) || k.undecided > 0 {
		t.Error("an EDT from outside the scope is ordered")
	}
	if !k.ordered(cause{from: first, at: first.begin}, last) ||
		!k.ordered(cause{scope: first.scope, at: 3 * each}, last) || k.undecided > 0 {
		t.Error("what was dropped is not ordered")
	}
	if !k.ordered(cause{from: early, at: early.begin}, last) || k.undecided != 1 {
		t.Error("an EDT from before the history is not undecided")
	}
}

// A latchPlan is a few counts of a latch, each by its own EDT, in the order of a run.
type latchPlan struct {
	slots  []int
	before []uint // by count: a bit for each count that happens before it
}

// randomLatch draws a plan in which the latch triggers with the last count, not before.
func randomLatch(r *rand.Rand) (p latchPlan) {
	for {
		n := 1 + r.IntN(8)
		p = latchPlan{make([]int, n), make([]uint, n)}
		for k := range n {
			p.slots[k] = r.IntN(2)
			for b := range k {
				if r.IntN(4) == 0 {
					p.before[k] |= 1<<b | p.before[b]
				}
			}
		}
		if !p.early(func(set uint) bool { return set&(set+1) == 0 }) { // sets of first counts
			return p
		}
	}
}

// start returns the initial count of the latch.
func (p *latchPlan) start() (count int) {
	for _, slot := range p.slots {
		count += value(slot)
	}
	return -count
}

func value(slot int) int {
	if slot == edt.Incr {
		return 1
	}
	return -1
}

// early reports whether some of the counts, but not all, can bring the latch to zero. It tries those sets of counts for
// which may is true.
func (p *latchPlan) early(may func(set uint) bool) bool {
	for set := uint(1); set < 1<<len(p.slots)-1; set++ {
		at, whole := p.start(), true
		for k, slot := range p.slots {
			if set>>k&1 != 0 {
				at += value(slot)
				whole = whole && p.before[k]&^set == 0
			}
		}
		if at == 0 && whole && may(set) {
			return true
		}
	}
	return false
}

// TestCountsThatRace compares judgeCounts with a search of all orders of a latch's counts: what is reported is a race,
// and most races are reported.
func TestCountsThatRace(t *testing.T) {
	racing, found := 0, 0
	for seed := range testrun.Sized[uint64](5_000, 20_000, 1_000_000) {
		p, k := randomLatch(rand.New(rand.NewPCG(seed, 0))), New(0)
		e := &event{typ: edt.Latch}
		var nodes []*node
		for n, slot := range p.slots {
			by := &node{begin: k.tick()}
			for b, from := range nodes {
				if p.before[n]>>b&1 != 0 {
					by.causes = append(by.causes, cause{from: from, at: from.begin + 1})
				}
			}
			nodes = append(nodes, by)
			c := []cause{{from: by, at: k.tick()}}
			e.counts = append(e.counts, count{slot: slot, by: by, node: &node{begin: k.tick(), causes: c}})
		}
		// A latch that begins at zero may get any count first; only the count that was first is judged.
		races := p.early(func(set uint) bool { return p.start() != 0 || set&1 != 0 })
		k.judgeCounts(guid.Null, e)
		if len(k.findings) > 0 && !races || k.undecided > 0 {
			t.Fatalf("seed %d: found %v; slots %v, before %b", seed, k.findings, p.slots, p.before)
		}
		if races {
			racing++
			found += min(1, len(k.findings))
		}
	}
	if racing == 0 || found < racing*3/4 {
		t.Errorf("found %d of %d latches that can trigger early", found, racing)
	}
	t.Logf("found %d of %d", found, racing)
}

// A latch that waits for a channel event takes one satisfaction each time, though its block is not reported.
func TestChannelBeforeLatch(t *testing.T) {
	k, ch := New(0), &event{typ: edt.Channel}
	for n := range 4 {
		k.satisfy(ch, guid.FromWords(1, uint64(n/2)), []cause{{at: k.tick()}}, nil)
	}
	for range 4 {
		k.take(ch, guid.Null, false)
	}
	testrun.Equal(t, 0, len(ch.sent), "blocks that are kept")
}

// Events that are fed by many events each are spread once each.
func TestSpread(t *testing.T) {
	causes := []cause{{from: &node{edt: guid.FromWords(1, 1)}}}
	for range 8 {
		n := &node{causes: causes}
		causes = []cause{{from: n}, {from: n}, {from: n}}
	}
	testrun.Equal(t, 1, len(New(0).spread(causes)), "causes")
}

// A body that creates and destroys events does not make the checker keep them.
func TestEventsOfOneBody(t *testing.T) {
	k := New(0)
	w := &worker{k: k}
	for n := range uint64(3 * goneKept) {
		id := guid.FromWords(1, n+1)
		w.EventCreated(id, edt.Sticky)
		w.EventDestroyed(id)
	}
	testrun.Equal(t, goneKept+1, len(k.events), "events")
}

// TestNumbers: if a byte of a number has changed, the whole number was written.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		size          int
		changed, want uint8
	}{{0, 0b100, 0b100}, {1, 0b101, 0b101}, {2, 0b100, 0b1100}, {4, 0b100010, 0xFF}, {4, 0b10, 0xF}, {8, 1, 0xFF}} {
		testrun.Equal(t, tt.want, numbers(tt.changed, tt.size), "size %d, changed %b", tt.size, tt.changed)
	}
}

// TestKeepLast: the oldest element is dropped.
func TestKeepLast(t *testing.T) {
	var list, went []int
	for n := range 5 {
		if old, ok := keepLast(&list, n, 3); ok {
			went = append(went, old)
		}
	}
	if !slices.Equal(list, []int{2, 3, 4}) || !slices.Equal(went, []int{0, 1}) {
		t.Errorf("kept %v, dropped %v", list, went)
	}
}

// TestUnitOf: the unit of changes is the size of all numbers of a type, also behind a head.
func TestUnitOf(t *testing.T) {
	for want, types := range map[int][]reflect.Type{
		0: {nil, reflect.TypeFor[struct {
			N    uint64
			Flag bool
		}](), reflect.TypeFor[struct {
			_ uint64
			_ [0]int16
		}]()},
		2: {reflect.TypeFor[struct{ A, B int16 }](), reflect.TypeFor[struct {
			_ [2]int16
			_ [0]int16
		}]()},
		4: {reflect.TypeFor[complex64](), reflect.TypeFor[[3]float32]()},
		8: {reflect.TypeFor[complex128](), reflect.TypeFor[struct{ A, B uint64 }]()},
	} {
		for _, of := range types {
			testrun.Equal(t, want, unitOf(of), "unit of %v", of)
		}
	}
}
