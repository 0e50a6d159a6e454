package job

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ocr/internal/testrun"
)

// endsWithin is when a process counts as one that never ends: no bound for a slow machine.
const endsWithin = time.Minute

// A trial is one run of the program.
type trial struct {
	t    *testing.T
	cmd  *exec.Cmd
	mark string
	temp string
	said bytes.Buffer // standard error
	out  bytes.Buffer
}

// start starts the program as rank 0.
func start(t *testing.T, f fault) *trial {
	r := &trial{t: t, mark: fmt.Sprintf("%s=%d-%x", markVariable, os.Getpid(), rand.Uint64()), temp: t.TempDir()}
	r.cmd = exec.Command("/proc/self/exe")
	r.cmd.Env = append(os.Environ(), faultVariable+"="+f.String(), r.mark, "TMPDIR="+r.temp)
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.said
	r.cmd.WaitDelay = endsWithin // if a rank has rank 0's output open
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// processes are those of the trial that have not ended.
func (r *trial) processes() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte(r.mark+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// end waits until all processes have ended and looks at what they leave. It returns rank 0's exit code,
// -1 for a signal, and when they had ended.
func (r *trial) end() (code int, at time.Time) {
	r.t.Helper()
	late := time.AfterFunc(endsWithin, func() {
		r.t.Errorf("rank 0 does not end")
		r.killAll()
	})
	err := r.cmd.Wait()
	late.Stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Errorf("wait: %v", err)
	}
	began := time.Now()
	for left := r.processes(); len(left) > 0; left = r.processes() {
		if time.Since(began) > endsWithin {
			r.t.Errorf("processes %d do not end", left)
			r.killAll()
			break
		}
		time.Sleep(time.Millisecond)
	}
	at = time.Now()
	if files, err := os.ReadDir(r.temp); err != nil || len(files) > 0 {
		r.t.Errorf("temporary files are left: %v, %v", files, err)
	}
	return r.cmd.ProcessState.ExitCode(), at
}

func (r *trial) killAll() {
	for _, pid := range r.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// shared are the names in the directory of shared memory: none may be left.
func shared() []string {
	entries, _ := os.ReadDir("/dev/shm")
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestJob(t *testing.T) {
	r := start(t, fault{kind: "talk", hops: 400})
	if code, _ := r.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, r.said.String())
	}
	for k := 1; k < 4; k++ {
		for _, line := range []string{fmt.Sprintf("[%d] out\n", k), fmt.Sprintf("[%d] of %d\n", k, k)} {
			if !strings.Contains(r.out.String(), line) {
				t.Errorf("output %q without %q", r.out.String(), line)
			}
		}
		if line := fmt.Sprintf("[%d] err of %d\n", k, k); !strings.Contains(r.said.String(), line) {
			t.Errorf("error output %q without %q", r.said.String(), line)
		}
	}
}

// TestStopped: a rank that is stopped is told about, and ends the job by the limit.
func TestStopped(t *testing.T) {
	t.Parallel() // it waits for a limit, as the next one does
	for k := range testrun.Sized(1, 1, 20) {
		victim := 1 + k%3
		r := start(t, fault{"stop", victim, 5, 1e9})
		code, _ := r.end()
		said := r.said.String()
		for _, want := range []string{
			fmt.Sprintf("rank %d has handled nothing for 300ms: its process is stopped\n", victim),
			fmt.Sprintf("rank %d is lost: it has not answered for 4s: its process is stopped\n", victim),
		} {
			if code != 1 || !strings.Contains(said, want) {
				t.Errorf("exit code %d, want 1, with %q: %s", code, want, said)
			}
		}
	}
}

// TestDoesNotEnd: a rank that does not care that another is lost, or that it was told to end, ends all the
// same.
func TestDoesNotEnd(t *testing.T) {
	t.Parallel()
	for f, want := range map[fault]string{
		{"deaf", 1, 20, 1e9}:   "rank 1 is lost: its process has ended: exit status 3\n",
		{"endless", 0, 0, 100}: "rank 3 is lost: it has not ended for 4s\n",
	} {
		t.Run(f.kind, func(t *testing.T) {
			t.Parallel()
			r := start(t, f)
			if code, _ := r.end(); code != 1 || !strings.Contains(r.said.String(), want) {
				t.Errorf("exit code %d, want 1, with %q: %s", code, want, r.said.String())
			}
		})
	}
}

// A loss is a fault at random, and how long it took until all processes had ended.
type loss struct {
	fault fault
	took  time.Duration
}

// TestLosses has ranks end in all ways, at random moments. All processes end, nothing is left, and
// the error names the rank. What is left of the job's time is reported.
func TestLosses(t *testing.T) {
	before := shared()
	n := testrun.Sized(8, 50, 1000)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	var (
		mu     sync.Mutex
		losses []loss
		wg     sync.WaitGroup
		slots  = make(chan struct{}, 4)
	)
	for range n {
		f := fault{kind: []string{"kill", "panic", "exit", "outside"}[draw.IntN(4)], rank: draw.IntN(4), hops: 1e9}
		f.moment = []int{atStart, atEnd, 1 + draw.IntN(100), 1 + draw.IntN(1000)}[draw.IntN(4)]
		if f.moment == atEnd {
			f.hops = draw.IntN(400)
		}
		delay, signal := time.Duration(draw.IntN(40_000))*time.Microsecond, draw.IntN(4)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			took := inflict(t, f, delay, []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT}[signal])
			mu.Lock()
			defer mu.Unlock()
			losses = append(losses, loss{f, took})
		})
	}
	wg.Wait()
	for _, name := range shared() {
		if !slices.Contains(before, name) && strings.Contains(name, "rank") {
			t.Errorf("/dev/shm/%s is left", name)
		}
	}
	slices.SortFunc(losses, func(a, b loss) int { return int(a.took - b.took) })
	at := func(part float64) loss { return losses[int(part*float64(len(losses)-1))] }
	t.Logf("%d losses: all processes had ended after %v (median), %v (p99), %v (%v)", n, at(0.5).took, at(0.99).took, at(1).took, at(1).fault)
}

// inflict runs the program with a fault. If it comes from outside it is a signal to one of the
// processes after some time.
func inflict(t *testing.T, f fault, delay time.Duration, signal syscall.Signal) time.Duration {
	r := start(t, f)
	outside := f.kind == "outside"
	if outside {
		time.Sleep(delay)
		if pids := r.processes(); len(pids) > 0 {
			_ = syscall.Kill(pids[f.rank%len(pids)], signal)
		} else { // it has not begun, or has ended
			_ = r.cmd.Process.Signal(signal)
		}
		if f.moment == atEnd { // it may have ended before
			f.rank = 0
		}
	}
	struck := time.Now()
	code, ended := r.end()
	said := r.said.String()
	switch found := regexp.MustCompile(`strike (\d+)`).FindStringSubmatch(said); {
	case found != nil:
		at, _ := strconv.ParseInt(found[1], 10, 64)
		struck = time.Unix(0, at)
	case !outside:
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

// TestJobsInOneProcess starts jobs one after the other: nothing is left of each but goroutines that
// end, files and memory included.
func TestJobsInOneProcess(t *testing.T) {
	f := fault{kind: "none", hops: 100}
	t.Setenv(faultVariable, f.String())
	files := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(open)
	}
	before := 0
	for round := range 4 {
		if code := program(f); code != 0 {
			t.Fatalf("code %d", code)
		}
		if round == 0 {
			before = files() // the poller of the network has its own
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
	if err != nil {
		t.Fatal(err)
	}
	if j.Engine().Size() != 1 || j.Engine().Arrived() {
		t.Error("one rank is not alone")
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
