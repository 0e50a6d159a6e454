package uts

import (
	"fmt"
	"testing"

	"ocr/harness/trialtest"
)

// The tree is small, so that some runs are disturbed by nothing.
func BenchmarkForms(b *testing.B) {
	for _, cutoff := range []int{0, 5} {
		b.Run(fmt.Sprintf("cutoff=%d", cutoff), func(b *testing.B) {
			trialtest.Benchmark(b, New(Config{Branching: 4, Depth: 7, Seed: 19, Cutoff: cutoff}))
		})
	}
}
