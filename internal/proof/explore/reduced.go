//go:build explore

package explore

import (
	"math/bits"
	"slices"
)

// A reduced search runs one order of each set of orders that differ only in the order of independent steps: see
// [Every] in the package's comment.
type reduced struct {
	history
	sleep uint64 // the sleep set of the next node
}

func (d *reduced) next() bool {
	for len(d.stack) > 0 {
		n := d.stack[len(d.stack)-1]
		n.done |= 1 << n.chosen
		if left := n.todo &^ n.done &^ n.sleep; left != 0 {
			n.chosen = bits.TrailingZeros64(left)
			return true
		}
		d.stack = d.stack[:len(d.stack)-1]
	}
	return false
}

func (d *reduced) choose(r *Run, depth int, ready uint64) int {
	if depth == 0 {
		d.sleep = 0
		d.begin(len(r.threads))
	}
	if depth < d.known {
		return d.again(r, depth)
	}
	past := d.stack[:depth]
	d.blocked(r, past, ready, d.reverse)
	if depth == len(d.stack) {
		awake := ready &^ d.sleep
		if awake == 0 {
			return -1
		}
		first := bits.TrailingZeros64(awake)
		d.stack = append(d.stack, &node{ready: ready, sleep: d.sleep, todo: 1 << first, chosen: first})
	}
	n := d.stack[depth]
	d.reverse(past, r.threads, n.chosen)
	d.make(n, r.threads, past)
	d.sleep = 0
	for k, u := range r.threads {
		if (n.sleep|n.done)>>k&1 != 0 && k != n.chosen && !dependent(&u.want, &n.step) {
			d.sleep |= 1 << k
		}
	}
	return n.chosen
}

func (d *reduced) ended(r *Run, depth int) { d.blocked(r, d.stack[:depth], 0, d.reverse) }

// reverse plans runs that reverse races. For each step in past that races with the next step of thread k, it adds a
// choice: another run takes that step after the next step of thread k.
func (d *reduced) reverse(past []*node, threads []*thread, k int) {
	d.races(past, threads, k, func(at int) {
		e := past[at]
		if first := d.initials(past[at+1:], e, threads, k) & e.ready; first != 0 && first&e.todo == 0 {
			if first>>k&1 != 0 {
				first = 1 << k
			}
			e.todo |= first & -first
		}
	})
}

// initials takes the sequence of the steps that came after e but need not, and then the next step of thread k. It
// returns the threads that can begin this sequence: their first steps in it need not come after any other step in it.
func (d *reduced) initials(behind []*node, e *node, threads []*thread, k int) (first uint64) {
	t := threads[k]
	var free []*node
	for _, m := range behind {
		if m.clock[e.chosen] < e.clock[e.chosen] {
			free = append(free, m)
		}
	}
	var begun uint64
	for i, m := range free {
		if begun>>m.chosen&1 == 0 && !slices.ContainsFunc(free[:i], func(o *node) bool { return o.before(m.clock) }) {
			first |= 1 << m.chosen
		}
		begun |= 1 << m.chosen
	}
	if begun>>k&1 == 0 && !slices.ContainsFunc(free, func(o *node) bool {
		return o.before(d.clock[k]) || dependent(&o.step, &t.want) || enables(o, &t.want, t, threads)
	}) {
		first |= 1 << k
	}
	return first
}
