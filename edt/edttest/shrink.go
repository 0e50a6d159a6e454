package edttest

import "errors"

// shrinkRuns bounds the runs that shrink a failure.
const shrinkRuns = 500

// shrink leaves moves of a failing run out as long as it keeps failing, in halves first and singly in the end. It
// returns the last run that failed. ok is false if the failure does not come again from its own moves.
func (x *explorer) shrink(o *outcome) (least *outcome, ok bool) {
	runs := 0
	base := Schedule{}
	fails := func(moves []move) *outcome {
		if runs++; runs > shrinkRuns {
			return nil
		}
		s := base.with(moves)
		if o := x.run(s, s.order(), nil); o.err != nil && !errors.Is(o.err, errCut) {
			o.schedule = base.with(o.record.moves)
			return o
		}
		return nil
	}
	if least = fails(o.record.moves); least == nil {
		if base.tidy = o.schedule.tidy; base.tidy {
			least = fails(o.record.moves)
		}
		if least == nil {
			return o, false
		}
	}
	for size := max(1, len(least.record.moves)/2); size >= 1; size /= 2 {
		for from := 0; from+size <= len(least.record.moves); {
			moves := least.record.moves
			fewer := append(append([]move(nil), moves[:from]...), moves[from+size:]...)
			if o := fails(fewer); o != nil && len(o.record.moves) < len(moves) {
				least = o
			} else {
				from += size
			}
		}
	}
	return least, true
}
