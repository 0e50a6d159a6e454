package cbaseline

import (
	goruntime "runtime"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/internal/cbuild"
	"ocr/internal/sys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func needLinux(t testing.TB) {
	t.Helper()
	if goruntime.GOOS != "linux" {
		t.Skip("the baseline is for linux only")
	}
}

// needCompiler skips a test where the program cannot be had.
func needCompiler(t testing.TB) {
	t.Helper()
	needLinux(t)
	if _, err := source.Compiler(); err != nil {
		t.Skipf("no C baseline here: %v", err)
	}
}

// build compiles the program with more flags, and returns its path.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	needCompiler(t)
	other := source
	other.Flags = slices.Concat(source.Flags, flags)
	file, err := other.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return cbuild.Path(file)
}

// TestNoWarnings: the program is clean under the compiler's usual warnings.
func TestNoWarnings(t *testing.T) { build(t, "-Wall", "-Wextra", "-Werror") }

// allowedCPUs returns n processors that this process may use.
func allowedCPUs(t testing.TB, n int) []int {
	t.Helper()
	cpus, err := sys.GetAffinity()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) < n {
		t.Skipf("needs %d processors, this process may use %v", n, cpus)
	}
	return cpus[:n]
}

// noLimit is for tests that pass however slow the machine is.
const noLimit = time.Hour

// answers has the program answer requests.
func answers(t testing.TB, a, b int, requests ...string) []string {
	t.Helper()
	lines, err := run(t.Context(), programOf(t), a, b, noLimit, requests...)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// longRequest is one that does not end by itself within a test: on one processor
// a transfer takes a time slice.
var longRequest = c2c.Config{Test: c2c.Single, Width: 8, Length: 1, Transfers: c2c.MaxTransfers}

const shortLimit = 200 * time.Millisecond
