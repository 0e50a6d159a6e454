package kernel

import "math/bits"

// busyWait runs a linear congruential generator, each value of which depends on the one before, and returns the last.
//
//go:noinline
func busyWait(iterations int64) int64 {
	x := int64(113)
	for range iterations {
		x = x * 139 % 2147483647
	}
	return x
}

// copySamples runs the iterations of a timestep on the scratch memory, which is cut into samples of equal size:
// iteration n of timestep t copies within sample (t*iterations + n) mod samples. Successive samples are one copy, of
// the first half of their bytes onto the second.
func copySamples(scratch []byte, samples int, iterations, timestep int64) {
	size := len(scratch) / samples
	hi, lo := bits.Mul64(uint64(timestep), uint64(iterations))
	at := int(bits.Rem64(hi, lo, uint64(samples)))
	for iterations > 0 {
		n := min(iterations, int64(samples-at))
		run := scratch[at*size:][:int(n)*size]
		half := len(run) / 2
		copy(run[half:], run[:half])
		iterations -= n
		at = 0
	}
}
