package edttest

// search runs the two plain schedules. Then it postpones each EDT in turn until nothing else can run, oldest first.
// Then it runs the seeds.
func (x *explorer) search() {
	plain := x.try(Schedule{})
	if x.endless(plain) {
		return
	}
	x.try(Schedule{kind: newestFirst})
	for _, step := range plain.choices {
		if x.report.Schedules+x.report.Cut >= x.budget-min(x.seeds*x.forms(), x.budget/2) {
			break // the rest of the budget is for the seeds
		}
		x.try(Schedule{kind: replayed, moves: []move{{step: step, hold: true}}})
	}
	for seed := range uint64(x.seeds) {
		for _, kind := range []scheduleKind{randomly, overlapping}[:x.forms()] {
			x.try(Schedule{kind: kind, seed: seed})
		}
	}
}

// forms is the number of random schedules for each seed.
func (x *explorer) forms() int { return min(x.workers, 2) }
