package sys

import "sync"

// CyclePeriod returns nanoseconds per step of [Cycles], measured against [Nanotime]
// by the first call, in about 10 ms, and remembered. It is good to some parts in a
// million.
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

// BothClocks reads [Cycles] and [MachineTime] at one moment: the closest of a few pairs, since the
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
