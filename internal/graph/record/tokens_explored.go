//go:build explore

package record

// TokenBatch is how many tokens of a finish scope a worker takes at a time: few, so that explorations run out of them.
const TokenBatch = 2
