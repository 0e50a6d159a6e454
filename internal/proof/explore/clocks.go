//go:build explore

package explore

import "slices"

// A node is a choice of the present run.
type node struct {
	ready, todo, done uint64 // sets of threads
	chosen            int
	step              step
	clock             []int  // of the step
	sleep             uint64 // of a reduced search: threads that an earlier run has let go on here
	costs             costs  // of a bounded search
}

// A history is the steps of the present run, and which of them had to come before which.
type history struct {
	stack []*node
	known int     // nodes that an earlier run has been through with the same choices
	clock [][]int // by thread: which steps of each thread come before its last one in any order
}

// begin prepares for the next run.
func (h *history) begin(threads int) {
	h.known = max(0, len(h.stack)-1)
	h.clock = make([][]int, threads)
	for k := range h.clock {
		h.clock[k] = make([]int, threads)
	}
}

func (h *history) keep() { h.stack = append(h.stack, &node{}) }

// again makes a step of the last run again.
func (h *history) again(r *Run, depth int) int {
	n := h.stack[depth]
	n.step, h.clock[n.chosen] = r.threads[n.chosen].want, n.clock
	return n.chosen
}

// make notes the chosen step of a node and its clock.
func (h *history) make(n *node, threads []*thread, past []*node) {
	t := threads[n.chosen]
	n.step, n.clock = t.want, slices.Clone(h.clock[n.chosen])
	for _, m := range past {
		if dependent(&m.step, &n.step) || enables(m, &n.step, t, threads) {
			join(n.clock, m.clock)
		}
	}
	n.clock[n.chosen] = len(past) + 1
	h.clock[n.chosen] = n.clock
}

// enables reports whether the step of a node had to come before another one: a publication before its flush, a flush
// before a step of the same thread that waits for it.
func enables(m *node, s *step, t *thread, all []*thread) bool {
	return t.of != nil && all[m.chosen] == t.of && m.step.publish && m.step.number == s.number ||
		m.step.flush && s.fence == own && all[m.chosen].of == t
}

func join(c, d []int) {
	for k := range c {
		c[k] = max(c[k], d[k])
	}
}

// before reports whether a step comes before all that has this clock.
func (n *node) before(clock []int) bool { return n.clock[n.chosen] <= clock[n.chosen] }

// races calls found with each step of past, latest first, that the next step of thread k could come before.
func (h *history) races(past []*node, threads []*thread, k int, found func(at int)) {
	t := threads[k]
	seen := slices.Clone(h.clock[k])
	for at := len(past) - 1; at >= 0; at-- {
		e := past[at]
		switch {
		case e.before(seen):
			continue // another step is between the two
		case e.step.flush && t.want.fence == everyone:
			continue // not the flush, but its publication may come after the barrier
		case enables(e, &t.want, t, threads):
			join(seen, e.clock)
			continue
		case e.chosen == k || !dependent(&e.step, &t.want):
			continue
		}
		found(at)
		join(seen, e.clock)
	}
}

// blocked calls reverse for the threads whose next step is not possible: it may be possible before what has come.
func (h *history) blocked(r *Run, past []*node, ready uint64, reverse func(past []*node, threads []*thread, k int)) {
	for k, t := range r.threads {
		if len(past) > 0 && t.pending() && ready>>k&1 == 0 {
			reverse(past, r.threads, k)
		}
	}
}
