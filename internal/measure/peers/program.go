package peers

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ocr/apps/trial"
	"ocr/internal/measure/cbuild"
)

const (
	// patience is how long a program may take to start, or to answer beyond its target.
	patience = 2 * time.Minute
	// grace is how long a program may take to end after its input has ended, and again after a signal to end.
	grace = 2 * time.Second
)

// A Program is a running program. One goroutine at a time may use it.
type Program struct {
	library *Library
	about   string // the library and its version, as the program reports them

	cmd    *exec.Cmd
	stop   context.CancelFunc // tells the program to end, and later kills it
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer
	err    error // why the program serves no more requests
}

// start starts a library's compiled program with a thread for each processor.
func start(ctx context.Context, l *Library, path string, pins []int) (*Program, error) {
	argv := []string{path}
	if l.ranks {
		argv = []string{"mpirun", "-np", strconv.Itoa(len(pins)), "--bind-to", "none", "--oversubscribe", path}
	}
	env := l.env
	if l.ranks && crowded(pins) {
		env = append(slices.Clip(env), "OMPI_MCA_mpi_yield_when_idle=1")
	}
	for _, cpu := range pins {
		argv = append(argv, strconv.Itoa(cpu))
	}
	if l.home != "" { // the program has read its files before it is ready, and does not need them again
		dir, err := os.MkdirTemp("", "ocr-peer-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		env = append(slices.Clip(env), l.home+"="+dir)
	}
	p, err := run(l, env, argv...)
	if err != nil {
		return nil, err
	}
	line, err := p.answer(ctx, patience)
	about, ready := strings.CutPrefix(line, "ready ")
	if err == nil && !ready {
		err = fmt.Errorf("the program began with %q", line)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	p.about = about
	return p, nil
}

// crowded reports whether several threads share a processor.
func crowded(pins []int) bool {
	if slices.Contains(pins, -1) {
		return len(pins) > goruntime.NumCPU()
	}
	return len(slices.Compact(slices.Sorted(slices.Values(pins)))) < len(pins)
}

// run starts a command, in a process group of its own: an interrupt at the terminal does not reach the process.
func run(l *Library, env []string, argv ...string) (*Program, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &Program{library: l, stop: stop}
	p.cmd = exec.CommandContext(ctx, argv[0], argv[1:]...)
	p.cmd.Env = append(apart(p.cmd.Environ()), env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) } // mpirun then ends its ranks
	p.cmd.WaitDelay = grace
	p.cmd.Stderr = &p.errors
	in, errIn := p.cmd.StdinPipe()
	out, errOut := p.cmd.StdoutPipe()
	err := cmp.Or(errIn, errOut)
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p, nil
}

// apart returns an environment without the variables of the mpirun that has started this process, if there is one: the
// mpirun of a peer's program would use them.
func apart(env []string) []string {
	if _, under := os.LookupEnv("OMPI_COMM_WORLD_RANK"); !under {
		return env
	}
	return slices.DeleteFunc(env, func(v string) bool {
		return slices.ContainsFunc([]string{"OMPI_", "PMIX_", "ORTE_", "OPAL_"}, func(prefix string) bool {
			return strings.HasPrefix(v, prefix)
		})
	})
}

// answer returns the next line of the program. A line that reports a failure is an error. A program that has not
// answered when the limit is over, or ctx ends, is stopped.
func (p *Program) answer(ctx context.Context, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit.Round(time.Millisecond)))
	defer cancel()
	defer context.AfterFunc(ctx, p.stop)()
	line, err := p.out.ReadString('\n')
	if err != nil {
		if p.err = context.Cause(ctx); p.err == nil {
			p.err = fmt.Errorf("the program ended: %w: %s", cmp.Or(p.wait(), errors.New("exit status 0")),
				cbuild.Complaint(p.errors.Bytes()))
		}
		return "", p.err
	}
	line = strings.TrimSpace(line)
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return "", errors.New(text)
	}
	return line, nil
}

// wait ends the program's input, stops the program if it does not end, and returns how it ended.
func (p *Program) wait() error {
	defer p.stop()
	defer time.AfterFunc(grace, p.stop).Stop()
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	return p.cmd.Wait()
}

// Close ends the program.
func (p *Program) Close() { _ = p.wait() }

// A Request is a bench at some sizes.
type Request struct {
	Bench  string
	Sizes  []int
	Target time.Duration // least time of the timed rounds together
	Round  time.Duration // how long a round may take, if minutes
	Want   uint64        // the checksum of a round
}

// Run sends the program a request, and returns the time of each round. The error is a [*trial.VerifyError] if the
// checksum is wrong, or if the times cannot be right.
func (p *Program) Run(ctx context.Context, r Request) ([]time.Duration, error) {
	if p.err != nil {
		return nil, p.err
	}
	words := []any{"run", r.Bench, r.Target.Nanoseconds()}
	for _, n := range r.Sizes {
		words = append(words, n)
	}
	began := time.Now()
	_, _ = fmt.Fprintln(p.in, words...) // a program that has ended does not answer
	line, err := p.answer(ctx, patience+max(r.Target, 3*r.Round))
	if err != nil {
		return nil, err
	}
	passed := time.Since(began)
	checksum, rounds, err := parse(line)
	if err != nil {
		return nil, err
	}
	name := p.library.Name + " " + r.Bench
	if elapsed := Sum(rounds); slices.Min(rounds) <= 0 || elapsed > passed {
		want := fmt.Sprintf("above 0 for each round, at most the %v that passed", passed)
		return nil, trial.Wrong(name, "time", elapsed, want)
	}
	if want := uint64(len(rounds)) * r.Want; checksum != want {
		return nil, trial.Wrong(name, fmt.Sprintf("checksum of %d rounds", len(rounds)), checksum, want)
	}
	return rounds, nil
}

// parse reads the answer to a request: a checksum, and the ns of each round, at least one.
func parse(line string) (checksum uint64, rounds []time.Duration, err error) {
	text, ok := strings.CutPrefix(line, "ok ")
	for k, word := range strings.Fields(text) {
		n, err := strconv.ParseUint(word, 10, 64)
		ok = ok && err == nil
		if k == 0 {
			checksum = n
		} else {
			rounds = append(rounds, time.Duration(n))
		}
	}
	if !ok || len(rounds) == 0 {
		return 0, nil, fmt.Errorf("the program answered %q", line)
	}
	return checksum, rounds, nil
}

// Sum adds up times.
func Sum(rounds []time.Duration) (sum time.Duration) {
	for _, d := range rounds {
		sum += d
	}
	return sum
}
