package kernel

import (
	"math"
	"os"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

func needAssembly(t *testing.T) {
	t.Helper()
	if !hasAVX2FMA() {
		t.Skip("this processor has no AVX2 and FMA")
	}
}

// TestFeatures: the processor has what the system says it has.
func TestFeatures(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("only linux lists the processor's features")
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skipf("what the system says of the processor cannot be read: %v", err)
	}
	_, flags, _ := strings.Cut(string(info), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	flags += " "
	testrun.Equal(t, strings.Contains(flags, " avx2 ") && strings.Contains(flags, " fma "), hasAVX2FMA(),
		"hasAVX2FMA()")
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
