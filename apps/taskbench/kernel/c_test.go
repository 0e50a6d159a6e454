package kernel

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestResultsAreThoseOfC: same operations as the C program of testdata, same bits.
func TestResultsAreThoseOfC(t *testing.T) {
	if !assembly {
		t.Skip("the C kernels need AVX2 and FMA")
	}
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("no comparison with C here: %v", err)
	}
	program := filepath.Join(t.TempDir(), "kernels")
	out, err := exec.Command(cc, "-std=gnu11", "-O3", "-mavx2", "-mfma", "-Wall", "-Wextra", "-Werror", "-o", program,
		"testdata/kernels.c").CombinedOutput()
	testrun.OK(t, err, "%s: %s", cc, out)
	for name, result := range map[string]func(int64) float64{
		"compute_bound": compute,
		"busy_wait":     func(n int64) float64 { return float64(busyWait(n)) },
	} {
		for _, n := range []int64{0, 1, 2, 3, 7, 100, 1000, chunk - 1, chunk, chunk + 1, 2*chunk + 5} {
			out, err := exec.Command(program, name, fmt.Sprint(n)).Output()
			testrun.OK(t, err)
			testrun.Same(t, strings.TrimSpace(string(out)), fmt.Sprintf("%016x", math.Float64bits(result(n))),
				"%s, %d iterations, beside C", name, n)
		}
	}
}
