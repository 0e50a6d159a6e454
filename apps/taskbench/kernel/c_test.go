package kernel

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

// cKernels is the C program of testdata, running.
type cKernels struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Reader
}

// compiler returns a C compiler that knows the flags, or why there is none.
func compiler() (string, error) {
	if goruntime.GOARCH != "amd64" || !assembly {
		return "", errors.New("the C kernels need AVX2 and FMA")
	}
	for _, name := range []string{"gcc", "cc"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no gcc or cc on PATH")
}

// startC compiles the C kernels and runs them until the end of the test.
func startC(t testing.TB) *cKernels {
	t.Helper()
	cc, err := compiler()
	if err != nil {
		t.Skipf("no comparison with C here: %v", err)
	}
	program := filepath.Join(t.TempDir(), "kernels")
	args := []string{"-std=gnu11", "-O3", "-mavx2", "-mfma", "-Wall", "-Wextra", "-Werror", "-o", program,
		"testdata/kernels.c"}
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, out)
	}
	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	testrun.OK(t, errors.Join(errIn, errOut, cmd.Start()))
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the C kernels: %v", err)
		}
	})
	return &cKernels{t, in, bufio.NewReader(out)}
}

func (c *cKernels) run(name string, iterations int64, runs int) (time.Duration, float64) {
	c.t.Helper()
	var elapsed, bits uint64
	if _, err := fmt.Fprintf(c.in, "%s %d %d\n", name, iterations, runs); err != nil {
		c.t.Fatal(err)
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := fmt.Sscanf(line, "%d %x", &elapsed, &bits); err != nil {
		c.t.Fatalf("the C kernels answered %q: %v", strings.TrimSpace(line), err)
	}
	return time.Duration(elapsed), math.Float64frombits(bits)
}

// results are the kernels' results by name.
var results = map[string]func(int64) float64{
	"compute_bound":  compute,
	"compute_bound2": compute2,
	"busy_wait":      func(n int64) float64 { return float64(busyWait(n)) },
}

// TestResultsAreThoseOfC: same operations, same bits.
func TestResultsAreThoseOfC(t *testing.T) {
	c := startC(t)
	for name, result := range results {
		for _, n := range []int64{0, 1, 2, 3, 7, 100, 1000, chunk - 1, chunk, chunk + 1, 2*chunk + 5} {
			_, want := c.run(name, n, 1)
			testrun.Equal(t, math.Float64bits(want), math.Float64bits(result(n)),
				"%s, %d iterations, beside C", name, n)
		}
	}
}

// BenchmarkC runs kernels in turn here and in C, and reports medians over the trials: nanoseconds a run of each, and
// go/C, the ratio of two trials that follow each other. Beside it is the ratio of the fastest trials, which other
// programs on the machine change less. The original's infinite operands are beside ours.
func BenchmarkC(b *testing.B) {
	c := startC(b)
	for _, tt := range []struct {
		name, inC  string
		iterations []int64
	}{
		{"compute_bound", "compute_bound", []int64{0, 1, 4, 16, 64, 256, 1024, 65536}},
		{"compute_bound", "infinite", []int64{0, 64, 65536}},
		{"compute_bound2", "compute_bound2", []int64{0, 64, 65536}},
		{"busy_wait", "busy_wait", []int64{64, 65536}},
	} {
		kind := kindOf(b, tt.name)
		for _, n := range tt.iterations {
			b.Run(fmt.Sprintf("%s/c=%s/iterations=%d", tt.name, tt.inC, n), func(b *testing.B) {
				compareWithC(b, c, Kernel{Kind: kind, Iterations: n}, tt.inC)
			})
		}
	}
}

func compareWithC(b *testing.B, c *cKernels, k Kernel, inC string) {
	runs := int(2_000_000/(70+3*k.Iterations)) + 1 // about two milliseconds
	var here, there, ratio []float64
	for b.Loop() {
		began := time.Now()
		for range runs {
			k.Run(0, 0, 0, nil)
		}
		ours := float64(time.Since(began)) / float64(runs)
		elapsed, _ := c.run(inC, k.Iterations, runs)
		theirs := float64(elapsed) / float64(runs)
		here, there, ratio = append(here, ours), append(there, theirs), append(ratio, ours/theirs)
	}
	b.ReportMetric(median(here), "ns/run")
	b.ReportMetric(median(there), "C-ns/run")
	b.ReportMetric(median(ratio), "go/C")
	b.ReportMetric(slices.Min(here)/slices.Min(there), "fastest-go/C")
	b.ReportMetric(0, "ns/op")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
