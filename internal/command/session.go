package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"ocr/internal/command/cli"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
)

// IO is what a session reads, writes and calls.
type IO struct {
	In  io.Reader
	Out io.Writer // results, nothing else
	Err io.Writer
	// Progress is called with the progress of a run; may be nil.
	Progress func(bench.Progress)
}

// A Session is one run of a program.
type Session struct {
	Program
	IO
	Argv    []string // the command line, the program's name first
	Console *testbed.Console

	out *stdout // IO's
}

// NewSession returns the session of a command line; the first of args is the program's name.
func (p Program) NewSession(args []string, io IO) *Session {
	console := testbed.NewConsole(p.Name, io.Err)
	console.Hear = io.Progress
	out := &stdout{Writer: io.Out}
	io.Out = out
	return &Session{Program: p, IO: io, Argv: args, Console: console, out: out}
}

// stdout is the standard output. It keeps the first error of writing, as some writers of help ignore errors.
type stdout struct {
	io.Writer
	lost error
}

func (o *stdout) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err == nil {
		return n, nil
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		err = file.Err
	}
	err = fmt.Errorf("standard output: %w", err)
	o.lost = cmp.Or(o.lost, err)
	return n, err
}

// Run runs the command line and returns its exit code. Cancelling ctx is the user's interrupt.
func (s *Session) Run(ctx context.Context) (code int) {
	defer func() {
		if p := recover(); p != nil {
			s.Console.Say("internal error: %v", p)
			code = ExitFailed
		}
	}()
	root := s.root()
	root.SetArgs(s.Argv[1:])
	err := cmp.Or(root.ExecuteContext(ctx), s.out.lost)
	var usage *cli.UsageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, testbed.ErrInterrupted) || errors.Is(err, context.Canceled):
		s.sayOthers(err)
		s.Console.Say("%v", testbed.ErrInterrupted)
		return ExitInterrupted
	case errors.As(err, &usage):
		s.Console.Say("%s", strings.Join(strings.Fields(err.Error()), " "))
		return ExitUsage
	}
	s.Console.Say("%v", err)
	if errors.Is(err, errRegression) {
		return ExitRegression
	}
	return ExitFailed
}

// sayOthers prints the errors that are joined with an interrupt: each is a line.
func (s *Session) sayOthers(err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !strings.Contains(line, testbed.ErrInterrupted.Error()) && !strings.Contains(line, context.Canceled.Error()) {
			s.Console.Say("%s", line)
		}
	}
}
