package record

import (
	"testing"

	"pgregory.net/rapid"

	"ocr/internal/proof/testrun"
)

func TestFifoAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f fifo
		var model []uint64
		next := uint64(1)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 9).Draw(t, "n") {
					f.push(next)
					model = append(model, next)
					next++
				}
			},
			"pop": func(t *rapid.T) {
				for range min(len(model), rapid.IntRange(1, 9).Draw(t, "n")) {
					if v := f.pop(); v != model[0] {
						t.Fatalf("popped %d, want %d", v, model[0])
					}
					model = model[1:]
				}
			},
			"": func(t *rapid.T) {
				testrun.Equal(t, len(model), f.n, "entries")
			},
		})
	})
}
