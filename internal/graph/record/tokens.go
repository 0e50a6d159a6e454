//go:build !explore

package record

// TokenBatch is how many tokens of a finish scope a worker takes at a time.
const TokenBatch = 64
