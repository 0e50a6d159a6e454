package graphtest

// mix adds a word to a hash.
func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// A slot adds one of these to its EDT's value, or the contents of a block.
const (
	sawNothing = 11 // the slot has no block
	sawGUID    = 12 // mode Null
	sawShared  = 13 // a block whose contents depend on the schedule
)

func mixWords(h uint64, ws []uint64) uint64 {
	h = mix(h, uint64(len(ws)))
	for _, w := range ws {
		h = mix(h, w)
	}
	return h
}

// startValue is the value of a node before its slots are added.
func startValue(params []uint64) uint64 { return mixWords(1, params) }

// fillTable writes the contents of table block b.
func fillTable(ws []uint64, seed uint64, b int) {
	for k := range ws {
		ws[k] = mix(mix(seed, uint64(b)), uint64(k))
	}
}

// privateWords is the size of the private block of event e, in words.
func privateWords(seed uint64, e int) int { return 1 + int(mix(seed, uint64(e))%20) }

// fillPrivate writes the contents of the private block that a node with this value makes for event e.
func fillPrivate(ws []uint64, value uint64, e int) {
	for k := range ws {
		ws[k] = mix(mix(value, uint64(e)), uint64(k))
	}
}
