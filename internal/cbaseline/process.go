package cbaseline

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	defaultLimit = 10 * time.Second
	// defaultGrace is how long the program may take to end once its input has.
	defaultGrace = 2 * time.Second
)

var (
	errLate  = errors.New("cbaseline: the C program did not end with its input")
	errEnded = errors.New("cbaseline: the C program has ended")
)

// Process is a running program, pinned to two processors.
//
// Concurrency: one goroutine at a time. What may end the program at any moment is
// the cancelling of a context.
type Process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer // cmd writes it until reap has waited
	ctx    context.Context
	kill   context.CancelCauseFunc
	ended  bool
	grace  time.Duration
}

// Option changes how [Start] starts the program.
type Option func(*options)

type options struct{ limit time.Duration }

// Limit sets how long a trial may take, warm-up included, before it fails with
// [ErrTimeout]; 10 seconds unless set, a day at most.
func Limit(d time.Duration) Option { return func(o *options) { o.limit = d } }

// Start starts the program with its threads pinned to the processors a and b, which
// may be one: then each transfer takes a time slice. The first call in a process
// compiles the program, which takes about half a second. Cancelling ctx kills the
// program; it must be closed all the same.
func Start(ctx context.Context, a, b int, opts ...Option) (*Process, error) {
	o := options{limit: defaultLimit}
	for _, set := range opts {
		set(&o)
	}
	path, err := executable(ctx)
	if err != nil {
		return nil, err
	}
	p, err := launch(ctx, path, strconv.Itoa(a), strconv.Itoa(b), strconv.FormatFloat(o.limit.Seconds(), 'f', -1, 64))
	if err != nil {
		return nil, err
	}
	if err := p.awaitReady(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func launch(ctx context.Context, path string, args ...string) (*Process, error) {
	p := &Process{grace: defaultGrace}
	p.ctx, p.kill = context.WithCancelCause(ctx)
	p.cmd = exec.CommandContext(p.ctx, path, args...)
	p.cmd.Args[0] = "c2c"
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = p.grace
	in, errIn := p.cmd.StdinPipe()
	out, errOut := p.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		p.kill(err)
		return nil, fmt.Errorf("cbaseline: %w", err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		p.kill(err)
		return nil, fmt.Errorf("cbaseline: start the C program: %w", err)
	}
	return p, nil
}

func (p *Process) awaitReady() error {
	line, err := p.readLine()
	if err != nil {
		return err
	}
	if text, failed := strings.CutPrefix(line, "error "); failed {
		p.reap()
		return fmt.Errorf("cbaseline: %s", text)
	}
	if line != "ready" {
		return fmt.Errorf("cbaseline: the C program began with %q", line)
	}
	return nil
}

// Trial runs one trial and waits for its answer. The threads meet before their
// clocks start. A request that is wrong is an error that names the field and what
// is allowed; one that takes too long is [ErrTimeout]. After both the program takes
// the next request. Cancelling ctx kills the program.
func (p *Process) Trial(ctx context.Context, r Request) (Answer, error) {
	request, err := r.line()
	if err != nil {
		return Answer{}, err
	}
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	if p.ended {
		return Answer{}, errEnded
	}
	stop := context.AfterFunc(ctx, func() { p.kill(context.Cause(ctx)) })
	defer stop()
	// If the program has ended this may fail; the read then tells why.
	_, _ = io.WriteString(p.in, request)
	reply, err := p.readLine()
	if err != nil {
		return Answer{}, err
	}
	return parseAnswer(reply)
}

// readLine returns the program's next line, or why it ended.
func (p *Process) readLine() (string, error) {
	line, err := p.out.ReadString('\n')
	if err == nil {
		return strings.TrimSuffix(line, "\n"), nil
	}
	if cause := context.Cause(p.ctx); cause != nil {
		p.reap()
		return "", cause
	}
	return "", p.obituary(p.reap())
}

func (p *Process) obituary(exit error) error {
	if exit == nil {
		return errEnded
	}
	if p.stderr.Len() == 0 {
		return fmt.Errorf("%w: %w", errEnded, exit)
	}
	return fmt.Errorf("%w: %w: %s", errEnded, exit, complaint(p.stderr.Bytes()))
}

// reap ends the program's input and waits until it has ended.
func (p *Process) reap() error {
	p.ended = true
	_ = p.in.Close()
	late := time.AfterFunc(p.grace, func() { p.kill(errLate) })
	defer late.Stop()
	defer p.kill(nil)
	return p.cmd.Wait()
}

// Close ends the program and waits for it. It returns an error if the program
// ended badly on its own and no trial has said so. Closing twice is fine.
func (p *Process) Close() error {
	if p.ended {
		return nil
	}
	killed := p.ctx.Err() != nil
	exit := p.reap()
	if exit == nil || killed {
		return nil
	}
	return p.obituary(exit)
}
