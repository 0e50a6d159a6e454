package stencil2d

import (
	"testing"

	"ocr/harness/trialtest"
)

func BenchmarkForms(b *testing.B) { trialtest.Benchmark(b, New(Defaults())) }
