package edttest

import (
	"fmt"
	"math/rand/v2"
)

// An order makes the choices of a schedule.
type order interface {
	// next takes a ready EDT, or a postponed one if none is ready. ok is false if the search needs no more of this
	// schedule.
	next(h *Host) (e entry, ok bool)
	// worker chooses a worker of the entry's rank, for an EDT that is not bound, or for a message.
	worker(h *Host, e entry) int
	// idleFirst chooses the worker that goes idle before an EDT is picked, -1 for none.
	idleFirst(h *Host) int
	// quiet chooses the order in which the workers go idle when nothing is ready.
	quiet(h *Host) []int
	// atOnce chooses the free worker on which an EDT starts while the EDT that made it ready is still running, -1 for
	// none.
	atOnce(free []int) int
	// join chooses how many of the EDTs that wait for a block are ahead of the next EDT in the queue.
	join(waiting int) int
}

// drawn is a random order: it draws all choices from a seed.
type drawn struct {
	rng *rand.Rand
	// If overlap is nil, no EDT starts while another runs, and EDTs wait for blocks first come, first served.
	overlap *rand.Rand
}

func newDrawn(seed uint64, overlap bool) *drawn {
	d := &drawn{rng: rand.New(rand.NewPCG(seed, 1))}
	if overlap {
		d.overlap = rand.New(rand.NewPCG(seed, 2))
	}
	return d
}

func (d *drawn) next(h *Host) (entry, bool) {
	n := d.rng.IntN(len(h.ready))
	e := h.ready[n]
	last := len(h.ready) - 1
	h.ready[n] = h.ready[last]
	h.ready = h.ready[:last]
	return e, true
}

func (d *drawn) worker(h *Host, _ entry) int { return d.rng.IntN(h.workersEach) }

func (d *drawn) idleFirst(h *Host) int {
	if w := d.rng.IntN(4 * len(h.workers)); w < len(h.workers) {
		return w
	}
	return -1
}

func (d *drawn) quiet(h *Host) []int { return d.rng.Perm(len(h.workers)) }

func (d *drawn) atOnce(free []int) int {
	if d.overlap == nil || d.overlap.IntN(3) != 0 {
		return -1
	}
	return free[d.overlap.IntN(len(free))]
}

func (d *drawn) join(waiting int) int {
	if d.overlap == nil {
		return waiting
	}
	return d.overlap.IntN(waiting + 1)
}

// plainly makes the choices of an order that only picks EDTs: EDTs without an affinity go to the workers in turn, none
// begins within another, and EDTs wait for a block first come, first served.
type plainly struct{}

func (plainly) worker(h *Host, e entry) int {
	if at := e.task.Place().Worker(); at >= 0 {
		return at
	}
	return h.steps % h.workersEach
}

func (plainly) idleFirst(*Host) int { return -1 }

func (plainly) quiet(h *Host) (all []int) {
	for w := range h.workers {
		all = append(all, w)
	}
	return all
}

func (plainly) atOnce([]int) int { return -1 }

func (plainly) join(waiting int) int { return waiting }

// planned is the order oldest first, with some moves; or newest first.
type planned struct {
	plainly
	newest bool
	moves  map[int]move // by step
	fitted int          // moves that were made
	misfit error        // the first move that could not be made
}

func (p *planned) next(h *Host) (entry, bool) {
	if len(h.ready) == 0 {
		e := h.held[0]
		h.held = h.held[1:]
		return e, true
	}
	m, moves := p.moves[h.steps]
	switch {
	case p.newest:
		return h.pick(len(h.ready) - 1), true
	case !moves:
		return h.pick(0), true
	case m.hold && len(h.ready) == 1 || m.rank >= len(h.ready):
		if p.misfit == nil {
			p.misfit = fmt.Errorf("move %v cannot be made", m)
		}
		return h.pick(0), true
	}
	p.fitted++
	if m.hold {
		h.held = append(h.held, h.pick(0))
	}
	return h.pick(m.rank), true
}

// fits returns an error unless every move was made.
func (p *planned) fits() error {
	switch {
	case p.misfit != nil:
		return p.misfit
	case p.fitted < len(p.moves):
		return fmt.Errorf("%d of %d moves were never reached", len(p.moves)-p.fitted, len(p.moves))
	}
	return nil
}
