package edttest

import "slices"

// everyOrder is one order of the ready EDTs: by step, the position that is picked, and the number of ready EDTs.
type everyOrder struct {
	plainly
	picks, widths []int
}

func (o *everyOrder) next(h *Host) (entry, bool) {
	step := len(o.widths)
	if step == len(o.picks) {
		o.picks = append(o.picks, 0)
	}
	o.widths = append(o.widths, len(h.ready))
	return h.pick(o.picks[step]), true
}

// AllOrders runs a program on one worker in every order in which the worker can pick ready EDTs. complete is false if
// there are more orders than most allows. Tests compare the pruned search with it.
func AllOrders(program Program, most int) (runs int, complete bool) {
	x := &explorer{config: newConfig([]Option{Workers(1)}), program: program}
	var picks []int
	for runs < most {
		o := &everyOrder{picks: picks}
		x.run(Schedule{tidy: true}, o, nil)
		runs++
		last := len(o.picks) - 1
		for last >= 0 && o.picks[last]+1 == o.widths[last] {
			last--
		}
		if last < 0 {
			return runs, true
		}
		picks = append(slices.Clone(o.picks[:last]), o.picks[last]+1)
	}
	return runs, false
}
