package smithwaterman

import (
	"fmt"
	"testing"

	"ocr/harness/trialtest"
)

func BenchmarkForms(b *testing.B) {
	for _, tile := range []int{50, 200} {
		b.Run(fmt.Sprintf("tile=%d", tile), func(b *testing.B) {
			cfg := Defaults()
			cfg.Tile = tile
			trialtest.Benchmark(b, New(cfg))
		})
	}
}
