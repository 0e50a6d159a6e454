package kernel

import (
	"math"
	"testing"

	"ocr/internal/proof/testrun"
)

func needAssembly(t *testing.T) {
	t.Helper()
	if !assembly {
		t.Skip("this processor has no AVX2 and FMA")
	}
}

// TestAssemblyIsPortable: each operand has the same bits after the same iterations.
func TestAssemblyIsPortable(t *testing.T) {
	needAssembly(t)
	for _, n := range append([]int64{-1}, counts...) {
		got, want := start, start
		if p, q := productAVX2(&got, &got, n),
			productPortable(&want, &want, max(n, 0)); math.Float64bits(p) != math.Float64bits(q) {
			t.Errorf("product, %d iterations: %v, want %v", n, p, q)
		}
		for i := range got {
			testrun.Equal(t, math.Float64bits(want[i]), math.Float64bits(got[i]),
				"product, %d iterations, operand %d: %v, want %v", n, i, got[i], want[i])
		}
	}
}

// TestFallBack: a processor without the features computes the same.
func TestFallBack(t *testing.T) {
	needAssembly(t)
	assembly = false
	t.Cleanup(func() { assembly = true })
	TestChunks(t)
	testrun.Equal(t, "portable", Implementation(), "implementation")
}
