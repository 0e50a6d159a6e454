package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// A Session is one run of a program.
type Session struct {
	Program
	Argv    []string         // the command line, the program's name first
	Out     *Stdout          // results, nothing else
	Console *testbed.Console // standard error
}

// NewSession returns the session of a command line; the first of argv is the program's name.
func (p Program) NewSession(argv []string, out, errs io.Writer) *Session {
	return &Session{Program: p, Argv: argv, Out: &Stdout{Writer: out}, Console: testbed.NewConsole(p.Name, errs)}
}

// Stdout is the standard output. It keeps the first error of writing, as some writers of help ignore errors.
type Stdout struct {
	io.Writer
	lost error
}

func (o *Stdout) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err == nil {
		return n, nil
	}
	err = fmt.Errorf("standard output: %w", report.Bare(err))
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
	err := cmp.Or(root.ExecuteContext(ctx), s.Out.lost)
	var usage *cli.UsageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, testbed.ErrInterrupted) || errors.Is(err, context.Canceled):
		for line := range strings.SplitSeq(err.Error(), "\n") { // errors that are joined with the interrupt
			if !strings.Contains(line, testbed.ErrInterrupted.Error()) && !strings.Contains(line, context.Canceled.Error()) {
				s.Console.Say("%s", line)
			}
		}
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
