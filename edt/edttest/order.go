package edttest

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// An order makes the choices of a schedule.
type order interface {
	// next takes one of the ready EDTs, or a held one if none is ready. ok is false if none is worth running.
	next(h *Host) (e entry, ok bool)
	// worker chooses a worker of the entry's rank, for an EDT that is not bound, or for a message.
	worker(h *Host, e entry) int
	// idleFirst chooses the worker that goes idle before an EDT is picked, -1 for none.
	idleFirst(h *Host) int
	// quiet chooses the order in which the workers go idle when nothing is ready.
	quiet(h *Host) []int
	// atOnce chooses the free worker on which an EDT starts while the EDT that made it ready is still running, -1 for
	// none.
	atOnce(h *Host, e entry, free []int) int
	// join chooses behind how many of the EDTs that wait for a block the next one queues.
	join(h *Host, waiting int) int
}

// drawn is a random order: it draws all choices from a seed.
type drawn struct {
	rng *rand.Rand
	// overlap is nil if no EDT starts before the running EDT has ended, and EDTs wait for blocks first come, first served.
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

func (d *drawn) atOnce(_ *Host, _ entry, free []int) int {
	if d.overlap == nil || d.overlap.IntN(3) != 0 {
		return -1
	}
	return free[d.overlap.IntN(len(free))]
}

func (d *drawn) join(_ *Host, waiting int) int {
	if d.overlap == nil {
		return waiting
	}
	return d.overlap.IntN(waiting + 1)
}

// planned is the order oldest first, with some moves. EDTs without an affinity go to the workers in turn.
type planned struct {
	newest bool // newest first
	moves  map[choice]move
	fitted int   // moves that were made
	misfit error // the first move that could not be made
}

func newPlanned(moves []move) *planned {
	p := &planned{moves: make(map[choice]move, len(moves))}
	for _, m := range moves {
		p.moves[m.choice] = m
	}
	return p
}

func (p *planned) next(h *Host) (entry, bool) {
	if len(h.ready) == 0 {
		e := h.held[0]
		h.held = h.held[1:]
		return e, true
	}
	if _, ok := p.at(opHold, h.steps, func(move) bool { return len(h.ready) > 1 }); ok {
		h.held = append(h.held, h.ready[0])
		h.ready = slices.Delete(h.ready, 0, 1)
	}
	rank := 0
	if p.newest {
		rank = len(h.ready) - 1
	}
	if m, ok := p.at(opRank, h.steps, func(m move) bool { return m.arg() < len(h.ready) }); ok {
		rank = m.arg()
	}
	e := h.ready[rank]
	h.ready = slices.Delete(h.ready, rank, rank+1)
	return e, true
}

func (p *planned) worker(h *Host, e entry) int {
	usual := usualWorker(h, e)
	if m, ok := p.at(opWorker, h.steps, func(m move) bool { return m.arg() < h.workersEach }); ok {
		return m.arg()
	}
	return usual
}

func usualWorker(h *Host, e entry) int {
	if at := e.task.Place().Worker(); at >= 0 {
		return at
	}
	return h.steps % h.workersEach
}

func (p *planned) idleFirst(h *Host) int {
	if m, ok := p.at(opIdle, h.steps, func(m move) bool { return m.arg() < len(h.workers) }); ok {
		return m.arg()
	}
	return -1
}

func (p *planned) quiet(h *Host) []int {
	if m, ok := p.at(opQuiet, h.steps, func(m move) bool { return isOrder(m.args, len(h.workers)) }); ok {
		return m.args
	}
	return inTurn(len(h.workers))
}

func (p *planned) atOnce(_ *Host, e entry, free []int) int {
	if m, ok := p.at(opOverlap, e.arrival, func(m move) bool { return slices.Contains(free, m.arg()) }); ok {
		return m.arg()
	}
	return -1
}

func (p *planned) join(h *Host, waiting int) int {
	if m, ok := p.at(opJoin, h.waited, func(m move) bool { return m.arg() < waiting }); ok {
		return m.arg()
	}
	return waiting
}

// at returns the move for a choice, if there is one and it can be made.
func (p *planned) at(op byte, at int, possible func(move) bool) (move, bool) {
	m, ok := p.moves[choice{at, op}]
	if !ok {
		return move{}, false
	}
	if !possible(m) {
		if p.misfit == nil {
			p.misfit = fmt.Errorf("move %v cannot be made", m)
		}
		return move{}, false
	}
	p.fitted++
	return m, true
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

// inTurn returns 0 to n-1.
func inTurn(n int) (all []int) {
	for k := range n {
		all = append(all, k)
	}
	return all
}

// isOrder reports whether list has every number from 0 to n-1 once.
func isOrder(list []int, n int) bool {
	sorted := slices.Sorted(slices.Values(list))
	return slices.Equal(sorted, inTurn(n))
}
