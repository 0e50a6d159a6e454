package kernel

// busyWait runs a linear congruential generator, each value of which needs the one
// before, and returns the last.
//
//go:noinline
func busyWait(iterations int64) int64 {
	x := int64(113)
	for range iterations {
		x = x * 139 % 2147483647
	}
	return x
}

// copySamples copies the upper half of a sample of scratch onto the lower one, of
// the next sample in each iteration. A timestep goes on where the one before it
// ended.
func copySamples(scratch []byte, samples int, iterations, timestep int64) {
	size := len(scratch) / samples
	half := size / 2
	at := int(uint64(timestep) * uint64(iterations) % uint64(samples))
	for range iterations {
		sample := scratch[at*size : (at+1)*size]
		copy(sample[:half], sample[half:])
		if at++; at == samples {
			at = 0
		}
	}
}
