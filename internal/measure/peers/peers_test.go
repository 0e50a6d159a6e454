package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestMPI runs all benches of the program for MPI but graph, if it can run here, and compares their checksums with
// those of plain loops. The programs for other libraries run in tests of suite/overhead, beside its rows.
func TestMPI(t *testing.T) {
	testrun.NeedsTools(t)
	set := NewSet(t.Logf)
	defer set.Close()
	for _, threads := range []int{2, 1} {
		p, err := set.Program(t.Context(), MPI, slices.Repeat([]int{-1}, threads))
		if missing := new(Missing); errors.As(err, &missing) && absent.MatchString(missing.Error()) {
			t.Skipf("not run: %v", missing)
		}
		testrun.OK(t, err)
		right := uint64((9 - 1) * (3*5 - 2))            // inputs of 5 columns, 9 steps
		ranks, words := uint64(threads), uint64(0+1+20) // of messages of 3 words, the last being the 20th's number
		sums := ranks * ranks * (ranks + 1) / 2 * (1 + 2 + 3 + 4)
		for _, r := range []Request{
			{Bench: "allreduce", Sizes: []int{20, 16}, Want: sums},
			{Bench: "putput-barrier", Sizes: []int{20, 24}, Want: ranks * words},
			{Bench: "putput-p2p", Sizes: []int{20, 24}, Want: ranks * words},
			{Bench: "putput-flag", Sizes: []int{20, 24}, Want: ranks * words},
			{Bench: "stencil", Sizes: []int{5, 9}, Want: right},
			{Bench: "sweep", Sizes: []int{13, 20, 3, 5, 4}, Want: 4 * (12 + 19)},
		} {
			runBench(t, p, r, threads)
		}
		_, err = p.Run(t.Context(), Request{Bench: "stencil", Sizes: []int{threads - 1, 9}})
		testrun.Fails(t, err, "a rank needs a column")
		_, err = p.Run(t.Context(), Request{Bench: "nosuch"})
		testrun.Fails(t, err, "no such request: run nosuch")
	}
}

// absent matches the errors of a missing compiler or library. A program that runs must give right results.
var absent = regexp.MustCompile(`file not found|No such file|mpirun`)

// runBench runs a bench for some time, and once more with a wrong checksum in the request, which must fail.
func runBench(t *testing.T, p *Program, r Request, threads int) {
	r.Target = 200 * time.Microsecond
	rounds, err := p.Run(t.Context(), r)
	if threads == 1 && strings.HasPrefix(r.Bench, "putput") {
		testrun.Fails(t, err, "even number of ranks", "%s by one rank", r.Bench)
		return
	}
	if err != nil || Sum(rounds) < r.Target {
		t.Errorf("%s with %d threads: %v, error %v", r.Bench, threads, rounds, err)
	}
	r.Want++
	_, err = p.Run(t.Context(), r)
	testrun.As[*trial.VerifyError](t, err, "%s with another checksum expected", r.Bench)
}

// fake starts a shell script in place of a program.
func fake(t *testing.T, script string) (*Program, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	testrun.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	p, err := start(t.Context(), &Library{Name: "fake"}, path, []int{-1})
	if err == nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

// TestLies: an answer that cannot be right is refused.
func TestLies(t *testing.T) {
	const bound = ", expected above 0 for each round, at most the "
	for answer, want := range map[string]string{
		"ok 21 500 500":           "fake b: wrong result: checksum of 2 rounds: got 21, expected 20",
		"ok 20 500 500 500":       "fake b: wrong result: checksum of 3 rounds: got 20, expected 30",
		"ok 20 0 500":             "fake b: wrong result: time: got 500ns" + bound,
		"ok 20 3600000000000 500": "fake b: wrong result: time: got 1h0m0.0000005s" + bound,
		"ok 20":                   `the program answered "ok 20"`,
		"ok 20 500 five":          `the program answered "ok 20 500 five"`,
		"ok -20 500 500":          `the program answered "ok -20 500 500"`,
		"ok 20 -5 500":            `the program answered "ok 20 -5 500"`,
		"fine 20 500":             `the program answered "fine 20 500"`,
		"error out of luck":       "out of luck",
	} {
		p, err := fake(t, "echo ready fake 1.0; while read line; do echo '"+answer+"'; done")
		testrun.OK(t, err)
		if _, err := p.Run(t.Context(), Request{Bench: "b", Want: 10}); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", answer, err, want)
		}
	}
	p, err := fake(t, "echo ready fake 1.0; while read line; do echo ok 20 400 600; done")
	testrun.OK(t, err)
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
		_, err := fake(t, script)
		testrun.Equal(t, want, fmt.Sprint(err), "error of %s", script)
	}
	p, err := fake(t, "echo ready fake; read line; kill -KILL $$")
	testrun.OK(t, err)
	for range 2 {
		_, err := p.Run(t.Context(), Request{Bench: "b"})
		testrun.Fails(t, err, "the program ended: signal: killed")
	}
}

// TestCancelled: a program that does not answer ends with the run, also if it ignores SIGTERM and the end of input.
func TestCancelled(t *testing.T) {
	p, err := fake(t, "trap '' TERM; echo ready fake; read line; while :; do sleep 0.1; done")
	testrun.OK(t, err)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	_, err = p.Run(ctx, Request{Bench: "b"})
	testrun.Is(t, err, cause)
}

// TestMissing: the error names the packages of what is missing, and the set does not look for it twice.
func TestMissing(t *testing.T) {
	set := NewSet(t.Logf)
	defer set.Close()
	t.Setenv("PATH", t.TempDir())
	for range 2 {
		_, err := set.Program(t.Context(), MPI, []int{-1, -1})
		testrun.Equal(t, `Open MPI: exec: "mpicxx": executable file not found in $PATH `+
			"(needs Debian's packages g++, libopenmpi-dev, openmpi-bin)",
			fmt.Sprint(err), "error")
	}
}

// TestFailedStart: it counts for its number of threads alone, and is not said to be a matter of packages.
func TestFailedStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fake")
	script := "#!/bin/sh\n[ $# = 1 ] && echo ready fake 1.0 || echo error too many\n"
	testrun.OK(t, os.WriteFile(path, []byte(script), 0o755))
	file, err := os.Open(path)
	testrun.OK(t, err)
	set, l := NewSet(t.Logf), &Library{Name: "fake"}
	defer set.Close()
	set.built[l] = built{file: file}
	for range 2 {
		_, err = set.Program(t.Context(), l, []int{-1, -1})
		testrun.Equal(t, "fake: started with threads=2: too many", fmt.Sprint(err), "error")
	}
	_, err = set.Program(t.Context(), l, []int{-1})
	testrun.OK(t, err)
}

// TestCrowded: threads that share a processor yield it.
func TestCrowded(t *testing.T) {
	for want, all := range map[bool][][]int{
		false: {{0}, {0, 1}, {-1}}, true: {{0, 1, 0}, slices.Repeat([]int{-1}, goruntime.NumCPU()+1)},
	} {
		for _, pins := range all {
			testrun.Equal(t, want, crowded(pins), "threads on %v are crowded", pins)
		}
	}
}
