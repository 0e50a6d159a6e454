package wordcount

import (
	"testing"

	"ocr/harness/trialtest"
)

func BenchmarkForms(b *testing.B) {
	cfg := Defaults()
	cfg.Text = 4 << 20
	trialtest.Benchmark(b, New(cfg))
}
