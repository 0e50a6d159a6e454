package testrun

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
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// endsWithin is the time after which a process counts as one that never ends; it is ample for slow machines.
const endsWithin = time.Minute

// markVariable is in the environment of all processes of one program.
const markVariable = "OCR_TEST_MARK"

// A Program is one run of the test binary as a program of several processes.
type Program struct {
	t    *testing.T
	cmd  *exec.Cmd
	mark string
	temp string
	said bytes.Buffer
	out  bytes.Buffer

	hung atomic.Bool

	// MayLeave has the beginnings of names of files that may be left, as another program makes them.
	MayLeave []string
}

// StartProgram starts the test binary with a variable in its environment, by which TestMain knows what to do. launcher
// is the command line that starts the binary.
func StartProgram(t *testing.T, variable, value string, launcher ...string) *Program {
	p := &Program{t: t, mark: fmt.Sprintf("%s=%d-%x", markVariable, os.Getpid(), rand.Uint64()), temp: t.TempDir()}
	binary, err := os.Executable()
	OK(t, err)
	command := append(launcher, binary)
	p.cmd = exec.Command(command[0], command[1:]...)
	p.cmd.Env = append(os.Environ(), variable+"="+value, p.mark, "TMPDIR="+p.temp,
		"OMPI_MCA_btl_vader_backing_directory="+p.temp)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.said
	p.cmd.WaitDelay = endsWithin // if another process has its output open
	OK(t, p.cmd.Start())
	return p
}

// Mpirun returns a command line to which a program is to be appended: it runs the program as ranks of MPI.
func Mpirun(ranks int, options ...string) []string {
	return append([]string{"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
		strconv.Itoa(ranks)}, options...)
}

// AsRanks makes mpirun run the calling test as this many ranks.
func AsRanks(t *testing.T, ranks int) {
	t.Helper()
	binary, err := os.Executable()
	OK(t, err)
	command := Mpirun(ranks, binary, "-test.run=^"+t.Name()+"$", "-test.v="+strconv.FormatBool(testing.Verbose()),
		"-test.short="+strconv.FormatBool(testing.Short()))
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}

// Said returns what the program has written to standard output, and then what to standard error, when it has ended.
func (p *Program) Said() string { return p.out.String() + p.said.String() }

// processes returns the program's processes that have not ended.
func (p *Program) processes() (pids []int) {
	p.each(func(pid int, _ []byte) { pids = append(pids, pid) })
	return pids
}

// ranks returns the started process and the ranks. Go makes more processes, for a moment, when it starts a process.
func (p *Program) ranks() (pids []int) {
	p.each(func(pid int, environment []byte) {
		if pid == p.cmd.Process.Pid || rankOf(environment) >= 0 {
			pids = append(pids, pid)
		}
	})
	return pids
}

var rankVariable = regexp.MustCompile(`\x00OMPI_COMM_WORLD_RANK=(\d+)`)

// rankOf returns the rank's number in a process's environment, -1 if it has none.
func rankOf(environment []byte) int {
	if found := rankVariable.FindSubmatch(environment); found != nil {
		k, _ := strconv.Atoi(string(found[1]))
		return k
	}
	return -1
}

func (p *Program) each(f func(pid int, environment []byte)) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte(p.mark+"\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			f(pid, text)
		}
	}
}

// End waits until all processes have ended, and checks what they leave. It returns the exit code of the first process,
// -1 if a signal ended it, and the time when all had ended.
func (p *Program) End() (code int, at time.Time) {
	p.t.Helper()
	late := time.AfterFunc(endsWithin, func() {
		p.t.Errorf("the program does not end")
		p.killAll()
	})
	ended := make(chan struct{})
	go p.endLauncher(ended)
	err := p.cmd.Wait()
	late.Stop()
	close(ended)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Errorf("wait: %v", err)
	}
	began := time.Now()
	for left := p.processes(); len(left) > 0; left = p.processes() {
		if time.Since(began) > endsWithin {
			p.t.Errorf("processes %d do not end", left)
			p.killAll()
			break
		}
		time.Sleep(time.Millisecond)
	}
	at = time.Now()
	files, err := os.ReadDir(p.temp)
	files = slices.DeleteFunc(files, func(f os.DirEntry) bool {
		return slices.ContainsFunc(p.MayLeave, func(begin string) bool { return strings.HasPrefix(f.Name(), begin) })
	})
	if p.hung.Load() {
		files = nil // a launcher that hung leaves its own files
	}
	if err != nil || len(files) > 0 {
		p.t.Errorf("temporary files are left: %v, %v", files, err)
	}
	return p.cmd.ProcessState.ExitCode(), at
}

// endLauncher kills the launcher if it does not end when all processes that it has started have ended.
func (p *Program) endLauncher(ended <-chan struct{}) {
	for left := launcherEndsWithin; left > 0; {
		select {
		case <-ended:
			return
		case <-time.After(launcherLook):
		}
		if left -= launcherLook; slices.ContainsFunc(p.processes(), func(pid int) bool { return pid != p.cmd.Process.Pid }) {
			left = launcherEndsWithin
		}
	}
	p.hung.Store(true)
	_ = p.cmd.Process.Kill()
}

const (
	launcherEndsWithin = 10 * time.Second
	launcherLook       = 100 * time.Millisecond
)

// Hung reports whether the launcher did not end when the processes had ended.
func (p *Program) Hung() bool { return p.hung.Load() }

func (p *Program) killAll() {
	for _, pid := range p.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// Signal sends a signal to one of the ranks, or to the process that was started. It returns the rank, -1 for the
// started process.
func (p *Program) Signal(number int, s syscall.Signal) (rank int) {
	pids := p.ranks()
	if len(pids) == 0 { // it has not begun, or has ended
		_ = p.cmd.Process.Signal(s)
		return -1
	}
	pid := pids[number%len(pids)]
	environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	_ = syscall.Kill(pid, s)
	return rankOf(environment)
}

// Losses inflicts n random faults, four at a time. draw returns a fault, and a function that inflicts it and returns
// how long it took until all processes had ended. Losses logs the longest time. The test fails if shared memory is left
// that has the argument part in its name.
func Losses(t *testing.T, n int, part string,
	draw func(r *rand.Rand) (fault fmt.Stringer, inflict func() time.Duration)) {
	const shared = "/dev/shm/*"
	before, _ := filepath.Glob(shared)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var (
		mu      sync.Mutex // guards longest and slowest
		longest time.Duration
		slowest fmt.Stringer
		all     sync.WaitGroup
		places  = make(chan bool, 4) // one for each fault that is being inflicted
	)
	for range n {
		f, inflict := draw(r)
		places <- true
		all.Go(func() {
			took := inflict()
			<-places
			mu.Lock()
			defer mu.Unlock()
			if took > longest {
				longest, slowest = took, f
			}
		})
	}
	all.Wait()
	after, _ := filepath.Glob(shared)
	for _, name := range after {
		if !slices.Contains(before, name) && strings.Contains(name, part) {
			t.Errorf("%s is left", name)
		}
	}
	t.Logf("%d losses: all processes had ended after at most %v (%v)", n, longest, slowest)
}
