package peers

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	// longestLine bounds an answer, which has a number for each round.
	longestLine = 1 << 26
)

// A Program is a running program. One goroutine at a time may use it.
type Program struct {
	library *Library
	about   string // the library and its version, as the program reports them

	cmd    *exec.Cmd
	stop   context.CancelFunc
	in     io.WriteCloser
	lines  chan string // of its output; closed at the end of the output
	errors bytes.Buffer
	err    error // why it serves no more requests
}

// start starts a library's compiled program with a thread for each processor.
func start(ctx context.Context, l *Library, path string, pins []int) (*Program, error) {
	argv := []string{path}
	if l.ranks {
		argv = []string{"mpirun", "-np", strconv.Itoa(len(pins)), "--bind-to", "none", "--oversubscribe", path}
	}
	for _, cpu := range pins {
		argv = append(argv, strconv.Itoa(cpu))
	}
	env := l.env
	if l.home != "" { // the program has read its files before it is ready, and does not need them again
		dir, err := os.MkdirTemp("", "ocr-peer-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		env = append(env[:len(env):len(env)], l.home+"="+dir)
	}
	p, err := run(l, env, argv...)
	if err != nil {
		return nil, err
	}
	line, err := p.answer(ctx, patience)
	if err == nil {
		about, ready := strings.CutPrefix(line, "ready ")
		if p.about = strings.TrimSpace(about); !ready {
			err = fmt.Errorf("the program began with %q", line)
		}
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// run starts a command whose output is read by lines. It is in a process group of its own: an interrupt at the terminal
// does not reach it.
func run(l *Library, env []string, argv ...string) (*Program, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &Program{library: l, stop: stop, lines: make(chan string)}
	p.cmd = exec.CommandContext(ctx, argv[0], argv[1:]...)
	p.cmd.Env = append(apart(p.cmd.Environ()), env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) } // mpirun then ends its ranks
	p.cmd.WaitDelay = grace
	p.cmd.Stderr = &p.errors
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		stop()
		return nil, err
	}
	go func() {
		defer close(p.lines)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, longestLine)
		for scan.Scan() {
			p.lines <- scan.Text()
		}
	}()
	return p, nil
}

// apart returns an environment without the variables of the mpirun that has started this process, if one has: another
// mpirun would use them.
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

// answer returns the next line of the program. A line that reports a failure is an error.
func (p *Program) answer(ctx context.Context, limit time.Duration) (string, error) {
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case line, ok := <-p.lines:
		if text, failed := strings.CutPrefix(line, "error "); failed {
			return "", errors.New(text)
		}
		if !ok {
			p.fail(p.ended())
		}
		return line, p.err
	case <-late.C:
		p.fail(fmt.Errorf("no answer within %v", limit))
	case <-ctx.Done():
		p.fail(context.Cause(ctx))
	}
	return "", p.err
}

// fail records why the program serves no more requests.
func (p *Program) fail(err error) {
	p.err = err
	p.stop()
}

// ended returns the error of a program that has ended unasked.
func (p *Program) ended() error {
	_ = p.in.Close()
	err := p.cmd.Wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	return fmt.Errorf("the program ended: %w: %s", err, cbuild.Complaint(p.errors.Bytes()))
}

// Close ends the program.
func (p *Program) Close() {
	_ = p.in.Close()
	end := time.AfterFunc(grace, p.stop)
	defer end.Stop()
	for range p.lines { // the rest of its output
	}
	_ = p.cmd.Wait()
	p.stop()
}

// A Request is a bench at some sizes.
type Request struct {
	Bench  string
	Sizes  []int
	Target time.Duration // least time of the timed rounds together
	Want   uint64        // the checksum of a round
}

// Run sends the program a request, and returns the time of each round. The error is a [*trial.VerifyError] if the
// checksum is wrong, or if the rounds took longer than the request.
func (p *Program) Run(ctx context.Context, r Request) ([]time.Duration, error) {
	if p.err != nil {
		return nil, p.err
	}
	words := []string{"run", r.Bench, strconv.FormatInt(r.Target.Nanoseconds(), 10)}
	for _, n := range r.Sizes {
		words = append(words, strconv.Itoa(n))
	}
	began := time.Now()
	if _, err := io.WriteString(p.in, strings.Join(words, " ")+"\n"); err != nil {
		p.err = fmt.Errorf("the program takes no requests: %w", err)
		return nil, p.err
	}
	line, err := p.answer(ctx, patience+r.Target)
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
	words := strings.Fields(line)
	strange := fmt.Errorf("the program answered %q", line)
	if len(words) < 3 || words[0] != "ok" {
		return 0, nil, strange
	}
	if checksum, err = strconv.ParseUint(words[1], 10, 64); err != nil {
		return 0, nil, strange
	}
	for _, word := range words[2:] {
		ns, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return 0, nil, strange
		}
		rounds = append(rounds, time.Duration(ns))
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
