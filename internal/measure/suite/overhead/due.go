package overhead

import "ocr/edt"

// What a run is to be counted as is put together from these.
var (
	anEvent    = edt.Counters{EventCreated: 1, EventDestroyed: 1}
	aBlock     = edt.Counters{BlockCreated: 1, BlockDestroyed: 1}
	waitingEDT = edt.Counters{EDTCreated: 1, EDTDestroyed: 1} // destroyed before it has run
	satisfied  = edt.Counters{EventSatisfied: 1}
	dependence = edt.Counters{DependenceAdded: 1}
)

// ran counts n EDTs that are created and run.
func ran(n int) edt.Counters { return edt.Counters{EDTCreated: uint64(n), EDTRun: uint64(n)} }

// plus adds counts up.
func plus(all ...edt.Counters) edt.Counters {
	var sum edt.Counters
	for i := range all {
		sum.Add(&all[i])
	}
	return sum
}

// times returns n times the counts, by doubling.
func times(n uint64, c edt.Counters) (product edt.Counters) {
	for ; n > 0; n, c = n/2, plus(c, c) {
		if n%2 == 1 {
			product.Add(&c)
		}
	}
	return product
}
