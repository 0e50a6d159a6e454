//go:build explore

package explore

import "slices"

// A node is a choice of the present run: which thread makes a step.
type node struct {
	ready, todo, done uint64 // sets of threads
	chosen            int
	step              step
	clock             []int  // of the step
	sleep             uint64 // of a reduced search: threads that earlier runs have tried, so that this node need not
	costs             costs  // of a bounded search
}

// A history has the steps of the present run, and which of them had to come before which.
type history struct {
	stack []*node
	known int     // number of nodes whose choices are those of the last run
	clock [][]int // by thread: which steps of each thread had to come before its last step
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

// again repeats a step of the last run.
func (h *history) again(r *Run, depth int) int {
	n := h.stack[depth]
	n.step, h.clock[n.chosen] = r.threads[n.chosen].want, n.clock
	return n.chosen
}

// make records the chosen step of a node and its clock.
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

// enables reports whether the step of node m had to come before step s of thread t: a publication before its flush, a
// flush before a step that waits for it, of the buffer's thread.
func enables(m *node, s *step, t *thread, all []*thread) bool {
	return t.of != nil && all[m.chosen] == t.of && m.step.publish && m.step.number == s.number ||
		m.step.flush && (s.fence == own || s.fence == begins) && all[m.chosen].of == t
}

func join(c, d []int) {
	for k := range c {
		c[k] = max(c[k], d[k])
	}
}

// before reports whether the step of n had to come before a step with this clock.
func (n *node) before(clock []int) bool { return n.clock[n.chosen] <= clock[n.chosen] }

// races calls found(at) for each step past[at] that races with the next step of thread k, the latest step first.
func (h *history) races(past []*node, threads []*thread, k int, found func(at int)) {
	t := threads[k]
	seen := slices.Clone(h.clock[k])
	for at := len(past) - 1; at >= 0; at-- {
		e := past[at]
		switch {
		case e.before(seen):
			continue // another step had to come between the two
		case e.step.flush && t.want.fence == everyone:
			found(at) // the publication of the flush may come after the barrier too
			continue
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

// blocked calls reverse for each thread whose next step is not possible: it may have been possible before an earlier
// step.
func (h *history) blocked(r *Run, past []*node, ready uint64, reverse func(past []*node, threads []*thread, k int)) {
	for k, t := range r.threads {
		if len(past) > 0 && t.pending() && ready>>k&1 == 0 {
			reverse(past, r.threads, k)
		}
	}
}
