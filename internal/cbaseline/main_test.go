package cbaseline

import (
	"context"
	"io"
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

// run runs the program until the end of the test.
func run(t testing.TB, a, b int, limit time.Duration) *Process {
	t.Helper()
	p := runIn(t, context.Background(), a, b, limit)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return p
}

// noLimit is for tests that pass however slow the machine is.
const noLimit = time.Hour

// runIn runs the program in a context, and leaves it to the test to close it.
func runIn(t testing.TB, ctx context.Context, a, b int, limit time.Duration) *Process {
	t.Helper()
	needCompiler(t)
	p, err := start(ctx, a, b, limit)
	if err != nil {
		t.Fatal(err)
	}
	p.grace = time.Hour
	return p
}

// onRequest has f called once the program has been sent a request.
func (p *Process) onRequest(f func()) { p.in = &tripwire{p.in, f} }

type tripwire struct {
	io.WriteCloser
	f func()
}

func (w *tripwire) Write(b []byte) (int, error) {
	n, err := w.WriteCloser.Write(b)
	w.f()
	return n, err
}

// longRequest is one that does not end by itself within a test: on one processor
// a transfer takes a time slice.
var longRequest = c2c.Config{Test: c2c.Single, Width: 8, Length: 1, Transfers: c2c.MaxTransfers}

const shortLimit = 200 * time.Millisecond
