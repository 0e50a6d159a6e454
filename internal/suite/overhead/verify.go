package overhead

import (
	"maps"
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
)

// verify compares what the runtime counted with what a run should have come to.
func (b *Bench) verify(got, want edt.Counters) error {
	if b.NoVerify {
		return nil
	}
	counted, due := got.Map(), want.Map()
	for _, what := range slices.Sorted(maps.Keys(due)) {
		if counted[what] != due[what] {
			return wrong(what, counted[what], due[what])
		}
	}
	return nil
}

// wrong is something that did not happen as often as it should have, or a value that did
// not arrive. The row that it is about is added later.
func wrong(what string, got, want uint64) *trial.VerifyError { return trial.Wrong("", what, got, want) }

// expect ends the run where a value is not what it should be.
func expect(what string, want, got uint64) {
	if want != got {
		panic(wrong(what, got, want))
	}
}

// times returns n times the counts.
func times(c edt.Counters, n uint64) edt.Counters {
	return edt.Counters{
		EDTCreated: c.EDTCreated * n, EDTRun: c.EDTRun * n, EDTDestroyed: c.EDTDestroyed * n,
		EventCreated: c.EventCreated * n, EventDestroyed: c.EventDestroyed * n, EventSatisfied: c.EventSatisfied * n,
		BlockCreated: c.BlockCreated * n, BlockDestroyed: c.BlockDestroyed * n,
		TemplateCreated: c.TemplateCreated * n, TemplateDestroyed: c.TemplateDestroyed * n,
		DependenceAdded: c.DependenceAdded * n,
	}
}

// ran counts n EDTs that are created and run.
func ran(n uint64) edt.Counters { return edt.Counters{EDTCreated: n, EDTRun: n} }

// plus adds counts up.
func plus(all ...edt.Counters) edt.Counters {
	var sum edt.Counters
	for i := range all {
		sum.Add(&all[i])
	}
	return sum
}
