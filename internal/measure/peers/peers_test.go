package peers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// benches are requests of all benches, for some threads, with the checksum of a round as it comes out of plain loops.
func benches(l *Library, threads int) []Request {
	corner := uint64(3432)                          // of Pascal's triangle: 14 over 7
	rows, columns, sweeps := 7, 12, 3               // of PRK's grid, with tiles of 3 x 4 points
	grown := uint64(sweeps * (rows + columns - 2))  // of its corner
	right := uint64((9 - 1) * (3*5 - 2))            // inputs of 5 columns, 9 steps
	chain := uint64(threads) * (6 * (6 + 1) / 2)    // of 6 tasks each
	ranks, words := uint64(threads), uint64(0+1+20) // of messages of 3 words, the last being the 20th's number
	sums := ranks * ranks * (ranks + 1) / 2 * (1 + 2 + 3 + 4)
	grid := []int{rows, columns, 3, 4, sweeps}
	b := func(bench string, want uint64, sizes ...int) Request {
		return Request{Bench: bench, Sizes: sizes, Want: want}
	}
	switch l {
	case TBB:
		return []Request{
			b("independent", 55, 10), b("fib", 55, 10), b("chain", chain, 6),
			b("chain-built-once", chain, 6), b("chain-built-each", chain, 6), b("wavefront-counted", corner, 8),
			b("wavefront-built-once", corner, 8), b("wavefront-built-each", corner, 8),
			b("sweep-built-once", grown, grid...), b("sweep-built-each", grown, grid...),
		}
	case OpenMP:
		return []Request{
			b("independent", 55, 10), b("fib", 55, 10), b("chain", chain, 6), b("wavefront", corner, 8),
			b("sweep", grown, grid...), b("stencil", right, 5, 9),
		}
	case StarPU:
		return []Request{
			b("independent", 55, 10), b("chain", chain, 6), b("wavefront", corner, 8), b("sweep", grown, grid...),
		}
	}
	return []Request{
		b("sync-barrier", ranks*64, 20), b("sync-p2p", ranks*64, 20), b("allreduce", sums, 20, 16),
		b("putput-barrier", ranks*words, 20, 24), b("putput-p2p", ranks*words, 20, 24),
		b("putput-flag", ranks*words, 20, 24), b("stencil", right, 5, 9),
	}
}

// programOf returns a set's program with threads that are not pinned. The test is
// skipped if compiler or library are not there; a program that is there must be right.
func programOf(t *testing.T, set *Set, l *Library, threads int) *Program {
	t.Helper()
	p, err := set.Program(t.Context(), l, slices.Repeat([]int{-1}, threads))
	var missing *Missing
	if errors.As(err, &missing) && l.absent(missing) {
		t.Skipf("not run: %v", missing)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// absent reports whether a program is missing because its compiler or its library is.
func (l *Library) absent(m *Missing) bool {
	_, err := l.program.Compiler()
	text := m.Error()
	return err != nil || strings.Contains(text, "file not found") || strings.Contains(text, "No such file") ||
		strings.Contains(text, "mpirun")
}

// TestPrograms has each program that can be had here run all its benches, and compares their checksums.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs in C++, which takes seconds: not in short tests")
	}
	for _, l := range Libraries() {
		t.Run(l.Name, func(t *testing.T) {
			set := NewSet()
			defer set.Close()
			for _, threads := range []int{2, 1} {
				p := programOf(t, set, l, threads)
				for _, r := range benches(l, threads) {
					runBench(t, p, r, threads)
				}
				if _, err := p.Run(t.Context(), Request{Bench: "nosuch"}); err == nil ||
					!strings.HasPrefix(err.Error(), "no such request: run nosuch") {
					t.Errorf("error %v", err)
				}
			}
		})
	}
}

// runBench runs a bench for some time, and once more with another checksum expected.
func runBench(t *testing.T, p *Program, r Request, threads int) {
	r.Target = 200 * time.Microsecond
	rounds, err := p.Run(t.Context(), r)
	if p.library == MPI && threads == 1 && r.Bench != "stencil" {
		if err == nil || !strings.Contains(err.Error(), "even number of ranks") {
			t.Errorf("%s by one rank: %v", r.Bench, err)
		}
		return
	}
	if err != nil || Sum(rounds) < r.Target {
		t.Errorf("%s with %d threads: %v, error %v", r.Bench, threads, rounds, err)
	}
	r.Want++
	var wrong *trial.VerifyError
	if _, err := p.Run(t.Context(), r); !errors.As(err, &wrong) {
		t.Errorf("%s with another checksum expected: error %v", r.Bench, err)
	}
}

// fake starts a shell script in the place of a program.
func fake(t *testing.T, script string) (*Program, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := start(t.Context(), &Library{Name: "fake"}, path, []int{-1})
	if err == nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

// TestLies: what cannot be right is refused, and is not a result.
func TestLies(t *testing.T) {
	const bound = ", expected above 0 for each round, at most the "
	for answer, want := range map[string]string{
		"ok 21 500 500":           "fake b: wrong result: checksum of 2 rounds: got 21, expected 20",
		"ok 20 500 500 500":       "fake b: wrong result: checksum of 3 rounds: got 20, expected 30",
		"ok 20 0 500":             "fake b: wrong result: time: got 500ns" + bound,
		"ok 20 -5 500":            "fake b: wrong result: time: got 495ns" + bound,
		"ok 20 3600000000000 500": "fake b: wrong result: time: got 1h0m0.0000005s" + bound,
		"ok 20":                   `the program answered "ok 20"`,
		"ok 20 500 five":          `the program answered "ok 20 500 five"`,
		"ok -20 500 500":          `the program answered "ok -20 500 500"`,
		"fine 20 500":             `the program answered "fine 20 500"`,
		"error out of luck":       "out of luck",
	} {
		p, err := fake(t, "echo ready fake 1.0; while read line; do echo '"+answer+"'; done")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(t.Context(), Request{Bench: "b", Want: 10}); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", answer, err, want)
		}
	}
	p, err := fake(t, "echo ready fake 1.0; while read line; do echo ok 20 400 600; done")
	if err != nil {
		t.Fatal(err)
	}
	if rounds, err := p.Run(t.Context(), Request{Bench: "b", Want: 10}); err != nil ||
		!slices.Equal(rounds, []time.Duration{400, 600}) {
		t.Errorf("the truth: %v, error %v", rounds, err)
	}
}

// TestEnds: a program that does not start, or ends early, says why.
func TestEnds(t *testing.T) {
	for script, want := range map[string]string{
		"echo error cannot pin":                "cannot pin",
		"echo hello; read line":                `the program began with "hello"`,
		"echo 'no such library' >&2; exit 127": "the program ended: exit status 127: no such library",
		"exit 0":                               "the program ended: exit status 0: no message",
	} {
		if _, err := fake(t, script); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", script, err, want)
		}
	}
	p, err := fake(t, "echo ready fake; read line; kill -KILL $$")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Run(t.Context(), Request{Bench: "b"}); err == nil ||
			!strings.HasPrefix(err.Error(), "the program ended: signal: killed") {
			t.Errorf("error %v", err)
		}
	}
}

// TestCancelled: a program that does not answer ends with the run, also one that ignores the end of its input.
func TestCancelled(t *testing.T) {
	p, err := fake(t, "trap '' TERM; echo ready fake; read line; while :; do sleep 0.1; done")
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	if _, err := p.Run(ctx, Request{Bench: "b"}); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// TestMissing: what is missing is named with the packages that have it, and not looked for twice.
func TestMissing(t *testing.T) {
	set := NewSet()
	defer set.Close()
	t.Setenv("PATH", t.TempDir())
	for range 2 {
		_, err := set.Program(t.Context(), MPI, []int{-1, -1})
		if err == nil ||
			err.Error() != "Open MPI: no mpicxx on PATH (needs Debian's packages g++, libopenmpi-dev, openmpi-bin)" {
			t.Errorf("error %v", err)
		}
	}
}
