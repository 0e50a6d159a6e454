package edttest

import (
	"errors"
	"math/big"
	"slices"

	"ocr/edt"
)

// A fork is one pick in the present run: the EDTs that were ready, and those of them that must be tried. An EDT is
// identified by its number in the order in which EDTs became ready, which is the same in all runs with the same picks
// before.
type fork struct {
	ready   []int
	chosen  int
	try     map[int]bool
	tried   map[int]footprint // the EDTs that were tried here before chosen
	asleep  map[int]footprint // to try these here would only repeat a run
	objects int               // number of objects that existed
}

// forked is the order of one run of the pruned search: it follows the forks and then, at each new fork, picks the
// oldest EDT that is not asleep.
type forked struct {
	plainly
	search *pruning
	moves  []move // its picks, but for those of the oldest EDT
}

// A pruning is a pruned search.
//
// After a run, two EDTs of it are in a race if they conflict and nothing in between orders them. Then the later EDT, or
// an EDT that leads to it, must also be tried at the fork that picked the earlier EDT. An EDT that was tried at a fork
// sleeps in the runs that try another EDT there, until an EDT that conflicts with it has run.
type pruning struct {
	forks   []*fork
	seen    *surveyor // of the present run
	blind   bool      // every two EDTs may conflict, as observers do not see all that happens
	ordered access    // accesses whose order has mattered in a run, see surveyor
	strayed bool      // the present run does not begin as the last one did
}

var errStrayed = errors.New(
	"the program is not deterministic: two runs that began with the same EDTs in the same order had others ready " +
		"afterwards",
)

// prune runs one schedule of every set of equivalent schedules.
func (x *explorer) prune() {
	p := new(pruning)
	for first := true; ; {
		f := &forked{search: p}
		o := x.run(Schedule{kind: replayed, tidy: true}, f, p.survey)
		o.schedule.moves = f.moves
		if p.seen.host.stopped[0] {
			p.seen.ended()
		}
		if p.strayed {
			if x.failed == nil {
				x.failed = &outcome{schedule: o.schedule, err: errStrayed}
			}
			return
		}
		p.seen.contended()
		if p.seen.blind != p.blind || p.seen.ordered != p.ordered { // the runs so far may have missed something
			p.blind, p.ordered, p.forks = p.seen.blind, p.seen.ordered, nil
			continue
		}
		x.count(o)
		if first && x.endless(o) {
			return
		}
		first = false
		p.races()
		if x.done() {
			return
		}
		if !p.advance() {
			x.report.Complete = x.report.Cut == 0
			return
		}
	}
}

func (p *pruning) survey(h *Host, cfg *edt.Config) {
	p.seen = newSurveyor(h)
	p.seen.blind, p.seen.ordered = p.blind, p.ordered
	cfg.Observe = func(*edt.Worker) edt.Observer { return p.seen }
}

func (f *forked) next(h *Host) (entry, bool) {
	p := f.search
	if h.steps == len(p.forks) && !p.extend(h) {
		return entry{}, false
	}
	n := slices.IndexFunc(h.ready, func(e entry) bool { return e.arrival == p.forks[h.steps].chosen })
	if n < 0 {
		p.strayed = true
		return entry{}, false
	}
	if n > 0 {
		f.moves = append(f.moves, move{step: h.steps, rank: n})
	}
	return h.pick(n), true
}

// extend adds the fork of the next pick. It returns false if all ready EDTs are asleep.
func (p *pruning) extend(h *Host) bool {
	f := &fork{
		try: make(map[int]bool), tried: make(map[int]footprint), asleep: p.sleepers(),
		objects: len(p.seen.objects), chosen: -1,
	}
	for _, e := range h.ready {
		f.ready = append(f.ready, e.arrival)
		if _, asleep := f.asleep[e.arrival]; f.chosen < 0 && !asleep {
			f.chosen = e.arrival
		}
	}
	if f.chosen < 0 {
		return false
	}
	p.forks = append(p.forks, f)
	return true
}

// sleepers returns the EDTs that sleep after the last EDT: an EDT that slept before it, or was tried in its place,
// sleeps on if it does not conflict with the last EDT.
func (p *pruning) sleepers() map[int]footprint {
	asleep := make(map[int]footprint)
	last := len(p.forks) - 1
	if last < 0 {
		return asleep
	}
	f := p.forks[last]
	for _, from := range []map[int]footprint{f.asleep, f.tried} {
		for who, foot := range from {
			if who != f.chosen && !p.conflict(foot, p.foot(last)) {
				asleep[who] = foot
			}
		}
	}
	return asleep
}

func (p *pruning) conflict(a, b footprint) bool { return p.blind || a.conflicts(b, p.ordered) }

// foot returns the footprint of a step of the present run.
func (p *pruning) foot(step int) footprint {
	if step < len(p.seen.feet) {
		return p.seen.feet[step]
	}
	return nil
}

// races finds the races of a run, and marks at its forks what must be tried too.
func (p *pruning) races() {
	n := min(len(p.forks), len(p.seen.steps))
	if last := n - 1; p.seen.host.stopped[0] && last >= 0 {
		for _, who := range p.forks[last].ready { // EDTs that have not run might have ended the run in another way
			p.forks[last].try[who] = true
		}
	}
	past := make([]big.Int, n) // by step: a bit for each step that is ordered before it
	for i := range n {
		for j := i - 1; j >= 0; j-- {
			if past[i].Bit(j) != 0 {
				continue // a step in between is ordered after step j
			}
			_, made := p.seen.steps[i].makers[j]
			if !made && !p.conflict(p.foot(j), p.foot(i)) {
				continue
			}
			if !made {
				p.reverse(j, i, &past[i])
			}
			past[i].Or(&past[i], &past[j]).SetBit(&past[i], j, 1)
		}
	}
}

// reverse makes the search also try step i before the earlier step j, with which it races.
func (p *pruning) reverse(j, i int, past *big.Int) {
	at, who := p.forks[j], p.forks[i].chosen
	if slices.Contains(at.ready, who) {
		at.try[who] = true
		return
	}
	for k := j + 1; k < i; k++ {
		if past.Bit(k) != 0 && slices.Contains(at.ready, p.forks[k].chosen) {
			at.try[p.forks[k].chosen] = true
			return
		}
	}
	// Else step i waits for a block that step j holds: the race is between the steps that made their EDTs acquire it.
}

// advance returns to the last fork with an EDT left to try. It returns false if there is none.
func (p *pruning) advance() bool {
	for last := len(p.forks) - 1; last >= 0; last-- {
		f := p.forks[last]
		f.tried[f.chosen] = p.foot(last).before(f.objects)
		for _, who := range f.ready {
			_, tried := f.tried[who]
			_, asleep := f.asleep[who]
			if f.try[who] && !tried && !asleep {
				f.chosen = who
				p.forks = p.forks[:last+1]
				return true
			}
		}
	}
	return false
}
