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

	"ocr/apps/c2c"
)

const (
	limit = 10 * time.Second // of a trial, warm-up included
	// defaultGrace is how long the program may take to end once its input has.
	defaultGrace = 2 * time.Second
)

// ErrEnded says that the program has ended: there are no more trials.
var ErrEnded = errors.New("cbaseline: the C program has ended")

var errLate = errors.New("cbaseline: the C program did not end with its input")

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

// Start starts the program with its threads pinned to the processors a and b, which
// may be one: then each transfer takes a time slice. The first call in a process
// compiles the program, which takes about half a second. Cancelling ctx kills the
// program; it must be closed all the same.
func Start(ctx context.Context, a, b int) (*Process, error) { return start(ctx, a, b, limit) }

func start(ctx context.Context, a, b int, limit time.Duration) (*Process, error) {
	path, err := executable(ctx)
	if err != nil {
		return nil, err
	}
	p, err := launch(ctx, path, strconv.Itoa(a), strconv.Itoa(b), strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
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

// Trial runs one trial of a valid configuration, whatever its form, and waits for the
// result. The threads meet before their clocks start. One that takes too long is
// [c2c.ErrNothing]; the program takes the next all the same. Cancelling ctx kills the program.
func (p *Process) Trial(ctx context.Context, cfg c2c.Config) (c2c.Result, error) {
	if ctx.Err() != nil {
		return c2c.Result{}, context.Cause(ctx)
	}
	if p.ended {
		return c2c.Result{}, ErrEnded
	}
	stop := context.AfterFunc(ctx, func() { p.kill(context.Cause(ctx)) })
	defer stop()
	// If the program has ended this may fail; the read then tells why.
	_, _ = io.WriteString(p.in, request(cfg))
	line, err := p.readLine()
	switch {
	case ctx.Err() != nil:
		return c2c.Result{}, context.Cause(ctx)
	case err != nil:
		return c2c.Result{}, err
	}
	return result(cfg, line)
}

// readLine returns the program's next line, or why it ended.
func (p *Process) readLine() (string, error) {
	line, err := p.out.ReadString('\n')
	if err == nil {
		return strings.TrimSuffix(line, "\n"), nil
	}
	if cause := context.Cause(p.ctx); cause != nil {
		p.reap()
		return "", fmt.Errorf("%w: %w", ErrEnded, cause)
	}
	return "", p.obituary(p.reap())
}

func (p *Process) obituary(exit error) error {
	if exit == nil {
		return ErrEnded
	}
	if p.stderr.Len() == 0 {
		return fmt.Errorf("%w: %w", ErrEnded, exit)
	}
	return fmt.Errorf("%w: %w: %s", ErrEnded, exit, complaint(p.stderr.Bytes()))
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
