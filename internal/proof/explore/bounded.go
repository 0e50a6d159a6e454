//go:build explore

package explore

import "math/bits"

// A bounded search runs the orders with a bounded number of hold-ups: see [Bounded] in the package's comment.
type bounded struct {
	history
	costs
	limit  int
	bodies int
	whole  bool // no reduction, for the test of the reduction
}

// costs is the state of a bounded search on which the cost of a choice depends.
type costs struct {
	held  int
	now   int    // the thread that makes the next step for free if it can, -1 at the beginning
	inRow int    // steps of that thread
	late  uint64 // threads whose published values are held up
	first int    // the choice that costs nothing
	free  bool   // no choice costs anything
}

// cost returns the number of hold-ups if thread k is chosen; k >= bodies is the store buffer of thread k-bodies.
func (c *costs) cost(k, bodies int) int {
	if c.free || k == c.first || k >= bodies && c.late>>(k-bodies)&1 != 0 {
		return 0
	}
	return 1
}

func (b *bounded) next() bool {
	for len(b.stack) > 0 {
		n := b.stack[len(b.stack)-1]
		n.done |= 1 << n.chosen
		for left := n.todo &^ n.done; left != 0; left &= left - 1 {
			if k := bits.TrailingZeros64(left); n.costs.held+n.costs.cost(k, b.bodies) <= b.limit {
				n.chosen = k
				return true
			}
		}
		b.stack = b.stack[:len(b.stack)-1]
	}
	return false
}

func (b *bounded) choose(r *Run, depth int, ready uint64) int {
	if depth == 0 {
		b.costs = costs{now: -1}
		b.bodies = len(r.bodies)
		b.begin(len(r.threads))
	}
	if depth < b.known {
		b.costs = b.stack[depth].costs
		k := b.again(r, depth)
		b.pay(r, k)
		return k
	}
	past := b.stack[:depth]
	b.blocked(r, past, ready, b.reverse)
	ready = b.look(r, ready)
	if depth == len(b.stack) {
		n := &node{ready: ready, todo: 1 << b.first, chosen: b.first, costs: b.costs}
		if b.whole {
			n.todo = ready
		}
		b.stack = append(b.stack, n)
	}
	n := b.stack[depth]
	b.reverse(past, r.threads, n.chosen)
	b.make(n, r.threads, past)
	b.pay(r, n.chosen)
	return n.chosen
}

func (b *bounded) ended(r *Run, depth int) { b.blocked(r, b.stack[:depth], 0, b.reverse) }

// maxInRow is the number of steps in a row after which a thread must let another thread go on, as it may wait for that
// thread in a loop without [word.Pause]. Without such a loop no thread of a test makes as many steps.
const maxInRow = 1000

// look finds the choices that cost nothing, and returns the threads that may make the next step.
func (b *bounded) look(r *Run, ready uint64) uint64 {
	b.free = b.now < 0
	switch buffer := b.now + b.bodies; {
	case b.free:
	case b.inRow > maxInRow && ready&^(1<<b.now) != 0:
		b.free, ready = true, ready&^(1<<b.now)
	case ready>>buffer&1 != 0 && b.late>>b.now&1 == 0:
		b.first = buffer
		return ready
	case ready>>b.now&1 != 0:
		b.first = b.now
		return ready
	default:
		b.free = true
	}
	b.first = bits.TrailingZeros64(ready)
	return ready
}

// pay adds the cost of a choice: thread k makes the next step.
func (b *bounded) pay(r *Run, k int) {
	b.held += b.cost(k, b.bodies)
	of := k - b.bodies
	if of >= 0 { // a store buffer makes the step: now stays the same
		if len(r.threads[of].buffer) == 1 {
			b.late &^= 1 << of
		}
		return
	}
	if b.now >= 0 && len(r.threads[b.now].buffer) > 0 {
		b.late |= 1 << b.now
	}
	if b.inRow++; k != b.now {
		b.inRow = 0
	}
	b.now = k
}

// reverse plans runs that reverse races. For each step in past that races with the next step of thread k, it adds a
// choice: another run takes that step after the next step of thread k.
func (b *bounded) reverse(past []*node, threads []*thread, k int) {
	if b.whole {
		return
	}
	b.races(past, threads, k, func(at int) {
		begun, of := b.begun(past, at), past[at].chosen-b.bodies
		past[at].try(k)
		past[begun].try(k)
		for _, n := range past[begun : at+1] {
			if of >= 0 && n.chosen == past[at].chosen {
				n.try(of) // the store may become visible after later steps of its thread
			}
		}
	})
}

// begun returns the index of the first node of the block of steps with past[at].
func (b *bounded) begun(past []*node, at int) int {
	now := b.now
	if at+1 < len(past) {
		now = past[at+1].costs.now
	}
	for past[at].costs.now == now {
		at--
	}
	return at
}

// try makes thread k, or each ready thread if thread k is not ready, take the step of this node in another run.
func (n *node) try(k int) {
	if n.ready>>k&1 != 0 {
		n.todo |= 1 << k
		return
	}
	n.todo |= n.ready
}
