package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/command/cli"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
)

// IO is what a session reads and writes.
type IO struct {
	In  io.Reader
	Out io.Writer // results, nothing else
	Err io.Writer
	// Progress is called with how far a run is, beside the line on a terminal; may be nil.
	Progress func(bench.Progress)
}

// A Session is one run of a program.
type Session struct {
	Program
	IO
	Line    cli.Line
	Console *testbed.Console

	out     *stdout // IO's
	inspect *testbed.Inspection
	abandon <-chan struct{} // closed by the second interrupt; nil for never
}

// NewSession returns the session of a command line; the first of args is the program's name.
func (p Program) NewSession(args []string, io IO) *Session {
	console := testbed.NewConsole(p.Name, io.Err)
	out := &stdout{Writer: io.Out}
	io.Out = out
	console.Hear = io.Progress
	return &Session{
		Program: p, IO: io, out: out, Line: args,
		Console: console, inspect: &testbed.Inspection{Console: console},
	}
}

// stdout is the standard output. It keeps the first error of writing, as not every writer of help looks at it.
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

// Stat returns what the standard output is, if it is a file.
func (o *stdout) Stat() (fs.FileInfo, error) {
	if f, is := o.Writer.(*os.File); is {
		return f.Stat()
	}
	return nil, errors.ErrUnsupported
}

// Run carries out the command line and returns its exit code. Cancelling ctx is the user's interrupt.
func (s *Session) Run(ctx context.Context) (code int) {
	defer func() {
		if p := recover(); p != nil {
			s.Console.Say("internal error: %v", p)
			code = ExitFailed
		}
	}()
	root := s.root()
	root.SetArgs(s.arguments(root))
	err := cmp.Or(root.ExecuteContext(ctx), s.out.lost)
	if err == nil {
		return ExitOK
	}
	if interrupted(err) {
		for _, other := range besides(err) {
			s.Console.Say("%v", other)
		}
		s.Console.Say("%v", testbed.ErrInterrupted)
		return ExitInterrupted
	}
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		s.Console.Say("%s", strings.Join(strings.Fields(err.Error()), " "))
		return ExitUsage
	}
	s.Console.Say("%v", err)
	if errors.Is(err, errRegression) {
		return ExitRegression
	}
	return ExitFailed
}

func interrupted(err error) bool {
	return errors.Is(err, testbed.ErrInterrupted) || errors.Is(err, context.Canceled)
}

// besides returns the errors that are joined with that of an interrupt.
func besides(err error) []error {
	if !interrupted(err) {
		return []error{err}
	}
	var others []error
	joined, ok := err.(interface{ Unwrap() []error })
	switch inner := errors.Unwrap(err); {
	case inner != nil:
		return besides(inner)
	case !ok || errors.Join(joined.Unwrap()...).Error() != err.Error(): // else one error that wraps several
		return nil
	}
	for _, part := range joined.Unwrap() {
		others = append(others, besides(part)...)
	}
	return others
}

// arguments returns the arguments for cobra, after the command's own rewriting.
func (s *Session) arguments(root *cobra.Command) []string {
	args := s.Line[1:]
	for _, c := range s.Commands {
		named := slices.Contains(args[:min(len(args), 2)], c.Name) // it may follow help, or cobra's __complete
		if c.Rewrite != nil && named {
			if cmd, _, err := root.Find([]string{c.Name}); err == nil {
				return c.Rewrite(cmd, args)
			}
		}
	}
	return args
}
