package stencil2d

import (
	"testing"

	"ocr/internal/harness/trialtest"
)

func BenchmarkForms(b *testing.B) { trialtest.Benchmark(b, New(Defaults())) }
