package job

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

// start starts the program as rank 0.
func start(t *testing.T, f fault) *testrun.Program {
	return testrun.StartProgram(t, faultVariable, f.String())
}

func TestJob(t *testing.T) {
	r := start(t, fault{kind: "talk", hops: 400})
	if code, _ := r.End(); code != 0 {
		t.Errorf("exit code %d: %s", code, r.Said())
	}
	for k := 1; k < 4; k++ {
		for _, line := range []string{fmt.Sprintf("[%d] out\n", k), fmt.Sprintf("[%d] of %d\n", k, k)} {
			testrun.Contains(t, r.Out(), line)
		}
		testrun.Contains(t, r.Said(), fmt.Sprintf("[%d] err of %d\n", k, k))
	}
}

// TestStopped: rank 0 warns about a rank that is stopped, and the job ends by the limit.
func TestStopped(t *testing.T) {
	t.Parallel() // it waits for a limit, as the next one does
	for k := range testrun.Sized(1, 1, 20) {
		victim := 1 + k%3
		r := start(t, fault{"stop", victim, 5, 1e9})
		code, _ := r.End()
		said := r.Said()
		for _, want := range []string{
			// it depends on the machine whether rank 0 has a message for it, and has got one
			fmt.Sprintf("rank %d has (handled nothing|not answered|not joined) for 300ms", victim),
			fmt.Sprintf("rank %d is lost: it has not answered for 4s: its process is stopped\n", victim),
		} {
			if code != 1 || !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("exit code %d, want 1, with %q: %s", code, want, said)
			}
		}
	}
}

// TestNeverJoins: a rank whose main never comes to a run is lost after a limit.
func TestNeverJoins(t *testing.T) {
	t.Parallel()
	r := start(t, fault{"sleep", 2, atStart, 1e9})
	code, _ := r.End()
	for _, want := range []string{
		"rank 2 has not joined for 300ms\n",
		"rank 2 is lost: its main has not come to its first run with ranks for 2s\n",
	} {
		if said := r.Said(); code != 1 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, want 1, with %q: %s", code, want, said)
		}
	}
}

// TestDoesNotEnd: a rank that ignores the loss of another, or the message to end, ends all the same.
func TestDoesNotEnd(t *testing.T) {
	t.Parallel()
	for f, want := range map[fault]string{
		{"deaf", 1, 20, 1e9}:   "rank 1 is lost: its process has ended: exit status 3\n",
		{"endless", 0, 0, 100}: "rank 3 is lost: it has not ended for 4s\n",
	} {
		t.Run(f.kind, func(t *testing.T) {
			t.Parallel()
			r := start(t, f)
			if code, _ := r.End(); code != 1 || !strings.Contains(r.Said(), want) {
				t.Errorf("exit code %d, want 1, with %q: %s", code, want, r.Said())
			}
		})
	}
}

// TestLosses has ranks end in all ways, at random moments. All processes end, and the error names the
// rank.
func TestLosses(t *testing.T) {
	testrun.Losses(t, testrun.Sized(8, 50, 1000), "rank", func(draw *rand.Rand) (fmt.Stringer, func() time.Duration) {
		f := fault{kind: []string{"kill", "panic", "exit", "outside"}[draw.IntN(4)], rank: draw.IntN(4), hops: 1e9}
		f.moment = []int{atStart, atEnd, 1 + draw.IntN(100), 1 + draw.IntN(1000)}[draw.IntN(4)]
		if f.moment == atEnd {
			f.hops = draw.IntN(400)
		}
		delay, signal := time.Duration(draw.IntN(40_000))*time.Microsecond, draw.IntN(4)
		return f, func() time.Duration {
			return inflict(t, f, delay, []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM,
				syscall.SIGQUIT}[signal])
		}
	})
}

// inflict runs the program with a fault. A fault from outside is a signal to one of the processes
// after some time.
func inflict(t *testing.T, f fault, delay time.Duration, signal syscall.Signal) time.Duration {
	r := start(t, f)
	outside := f.kind == "outside"
	if outside {
		time.Sleep(delay)
		r.Signal(f.rank, signal)
		if f.moment == atEnd { // it may have ended before
			f.rank = 0
		}
	}
	struck := time.Now()
	code, ended := r.End()
	said := r.Said()
	if at, ok := r.Struck(); ok {
		struck = at
	} else if !outside {
		t.Errorf("%v: there was no fault: %s", f, said)
	}
	lost := fmt.Sprintf("rank %d is lost: its process has ended: ", f.rank)
	if outside {
		lost = " is lost: its process has ended: "
	}
	switch {
	case code == 0 && outside && f.moment == atEnd:
	case f.rank == 0 || outside && !strings.Contains(said, lost): // rank 0 itself
		if code == 0 {
			t.Errorf("%v: exit code 0: %s", f, said)
		}
	case code != 1 || !strings.Contains(said, lost):
		t.Errorf("%v: exit code %d, want 1 with %q: %s", f, code, lost, said)
	}
	return ended.Sub(struck)
}

// TestJobsInOneProcess starts jobs one after the other: no job leaves files or memory, or goroutines
// that do not end.
func TestJobsInOneProcess(t *testing.T) {
	f := fault{kind: "none", hops: 100}
	t.Setenv(faultVariable, f.String())
	files := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		testrun.OK(t, err)
		return len(open)
	}
	before := 0
	for round := range 4 {
		if code := program(f); code != 0 {
			t.Fatalf("code %d", code)
		}
		if round == 0 {
			before = files() // the network poller has files of its own
		}
	}
	if after := files(); after > before {
		t.Errorf("%d files are open, %d were after the first job", after, before)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil || bytes.Contains(maps, []byte("memfd:ranks")) {
		t.Errorf("the memory is still mapped: %v", err)
	}
}

func TestStartRefuses(t *testing.T) {
	for ranks, want := range map[int]string{0: "job: 0 ranks: must be 1 to 256", 257: "job: 257 ranks: must be 1 to 256"} {
		if _, err := Start(Config{Ranks: ranks}); err == nil || err.Error() != want {
			t.Errorf("%d ranks: %v, want %q", ranks, err, want)
		}
	}
	if _, err := Start(Config{Ranks: 2, Lines: 5}); err == nil || !strings.Contains(err.Error(), "5 lines") {
		t.Errorf("5 lines: %v", err)
	}
}

func TestOneRank(t *testing.T) {
	j, err := Start(Config{Ranks: 1})
	testrun.OK(t, err)
	if j.Engine().Size() != 1 || j.Engine().Arrived() {
		t.Error("one rank is not alone")
	}
	testrun.OK(t, j.Close())
}
