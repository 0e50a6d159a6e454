package cbaseline

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/internal/sys"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// needCompiler skips a test where the program cannot be had.
func needCompiler(t testing.TB) {
	t.Helper()
	if _, err := findCompiler(); err != nil {
		t.Skipf("no C baseline here: %v", err)
	}
}

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
