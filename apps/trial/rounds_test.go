package trial

import (
	"context"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestRounds: in each round every job runs once, then between is called once, whether goroutines spin or park.
func TestRounds(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		const n, rounds = 5, 300
		var done [n]int
		round := 0
		Rounds(t.Context(), workers, n, func(k int) { done[k]++ }, func() bool {
			round++
			testrun.Equal(t, [n]int{round, round, round, round, round}, done, "jobs of %d workers", workers)
			return round < rounds
		})
		testrun.Equal(t, rounds, round, "rounds of %d workers", workers)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	round := 0
	Rounds(ctx, 2, 2, func(int) {}, func() bool { round++; return true })
	testrun.Equal(t, 1, round, "rounds of a cancelled context")
}
