package edttest

// A node is a schedule that was run, on the way to those with one more move.
type node struct {
	moves  []move
	points []point // choices after the last move
	from   int     // how many came before them
}

// sweep runs the two plain schedules, those within the delay bound, and the seeds.
func (x *explorer) sweep() {
	plain := x.try(Schedule{})
	if x.endless(plain) {
		return
	}
	if !x.done() {
		x.try(Schedule{kind: newestFirst})
	}
	x.report.Exhausted = true
	level := []node{{points: x.varied(plain)}}
	for d := 1; (x.delays < 0 || d <= x.delays) && len(level) > 0; d++ {
		level = x.deepen(level)
	}
	x.report.Complete = x.report.Exhausted && x.report.Cut == 0 && len(level) == 0
	x.draw()
}

// deepen runs all schedules that have one move more than those of a level.
func (x *explorer) deepen(level []node) (next []node) {
	for _, n := range level {
		for k, p := range n.points {
			from := n.from + k + 1
			p.others(func(m move) bool {
				if x.report.Exhausted = !x.spent(); !x.report.Exhausted {
					return false
				}
				moves := append(n.moves[:len(n.moves):len(n.moves)], m)
				o := x.try(Schedule{}.with(moves))
				if points := x.varied(o); o.err == nil && len(points) > from {
					next = append(next, node{moves, points[from:], from})
				}
				return true
			})
			if !x.report.Exhausted {
				return nil
			}
		}
	}
	return next
}

// spent says that the systematic search must leave the rest to the seeds.
func (x *explorer) spent() bool {
	reserve := min(x.seeds*x.forms(), x.budget/2)
	return x.done() || x.report.Schedules+x.report.Cut >= x.budget-reserve
}

// forms is the number of random schedules that a seed gives.
func (x *explorer) forms() int {
	if x.workers > 1 && x.vary[opOverlap] {
		return 2
	}
	return 1
}

// draw runs the random schedules.
func (x *explorer) draw() {
	for seed := range uint64(x.seeds) {
		for _, kind := range []scheduleKind{randomly, overlapping}[:x.forms()] {
			if x.done() {
				return
			}
			x.try(Schedule{kind: kind, seed: seed})
		}
	}
}

// varied lists the choices of a run that the search may make otherwise.
func (x *explorer) varied(o *outcome) (points []point) {
	for _, p := range o.record.points {
		if x.vary[p.op] && !p.others(func(move) bool { return false }) {
			points = append(points, p)
		}
	}
	return points
}
