package sys

import "sync"

// CyclePeriod returns nanoseconds per step of [Cycles]. The first call measures it against [Nanotime], in about 10 ms
// and to some parts in a million; later calls return the same.
var CyclePeriod = sync.OnceValue(func() float64 {
	const during = 10e6 // ns
	cycles0, ns0 := BothClocks()
	cycles1, ns1 := BothClocks()
	for ns1-ns0 < during {
		cycles1, ns1 = BothClocks()
	}
	if cycles1 == cycles0 {
		return 1
	}
	return float64(ns1-ns0) / float64(cycles1-cycles0)
})

// BothClocks reads [Cycles] and [MachineTime] at one moment: it makes a few pairs and returns the closest, as the
// thread may be interrupted between two readings.
func BothClocks() (cycles, ns int64) {
	closest := int64(1) << 62
	for range 8 {
		before := MachineTime()
		c := Cycles()
		after := MachineTime()
		if after-before < closest {
			closest, cycles, ns = after-before, c, before+(after-before)/2
		}
	}
	return cycles, ns
}
