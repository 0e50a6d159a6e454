package fft

import (
	"fmt"
	"testing"

	"ocr/harness/trialtest"
)

func BenchmarkForms(b *testing.B) {
	for _, points := range []int{1 << 16, 1 << 20} {
		for _, cutoff := range []int{1 << 10, 1 << 12, 1 << 14, 1 << 16} {
			b.Run(fmt.Sprintf("points=%d/cutoff=%d", points, cutoff), func(b *testing.B) {
				trialtest.Benchmark(b, New(Config{Points: points, Cutoff: cutoff}))
			})
		}
	}
}
