package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/bench"
	"ocr/internal/machine"
)

// Exit codes of the command.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitRegression  = 3
	exitInterrupted = 130
)

type stdio struct {
	in  io.Reader
	out io.Writer // results, nothing else
	err io.Writer
	// progress is told how far a run is, in place of a line on a terminal; nil for that line.
	progress func(bench.Progress)
}

// session is one run of the command.
type session struct {
	args      []string // as given, the program's name first
	stdio     stdio
	lookupEnv func(string) (string, bool)
	options   options
	started   bool // the arguments were right: an error from here on is the run's
	watching  map[*cobra.Command]*watchFlags
}

// run carries out one command line and returns its exit code. Cancelling ctx is
// the user's interrupt.
func run(ctx context.Context, args []string, io stdio, lookupEnv func(string) (string, bool)) (code int) {
	s := &session{args: args, stdio: io, lookupEnv: lookupEnv}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(io.err, "ocrbench: internal error: %v\n", p)
			code = exitFailed
		}
	}()
	ctx, _ = inspectable(ctx, io.err)
	root := s.root()
	root.SetArgs(args[1:])
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var usage *usageError
	switch {
	case errors.As(err, &usage) || !s.started:
		fmt.Fprintf(io.err, "ocrbench: %s\n", strings.Join(strings.Fields(err.Error()), " "))
		return exitUsage
	case errors.Is(err, errRegression):
		fmt.Fprintf(io.err, "ocrbench: %v\n", err)
		return exitRegression
	case errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled):
		fmt.Fprintf(io.err, "ocrbench: %v\n", errInterrupted)
		return exitInterrupted
	}
	fmt.Fprintf(io.err, "ocrbench: %v\n", err)
	return exitFailed
}

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ocrbench",
		Short: "Run, verify and measure the apps of the OCR task-graph runtime",
		Long: `ocrbench runs, verifies and measures the apps of the OCR task-graph runtime.

Results go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 run or verification failed, 2 usage, 3 regression (compare),
130 interrupted (results so far are written and marked partial).`,
		Example: `  ocrbench synch_p2p -P 10 -K 5 --workers 2
  ocrbench synch_p2p --format go > new.txt && benchstat old.txt new.txt
  ocrbench topo --bind scatter --workers 4`,
		Version:           machine.ReadBuild().Version,
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: s.applyEnv,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("no command given: must be one of %s", commandNames(root))
		}
		return usagef("unknown command %s: must be one of %s", plain(args[0]), commandNames(root))
	}
	root.SetVersionTemplate(versionLine(machine.ReadBuild()) + "\n")
	root.SetIn(s.stdio.in)
	root.SetOut(s.stdio.out)
	root.SetErr(s.stdio.err)
	root.SetFlagErrorFunc(s.flagError)
	root.InitDefaultHelpFlag()
	for _, a := range apps {
		cmd := a.command(s)
		cmd.Short = a.short
		s.scheduleFlag(cmd)
		s.inspectFlags(cmd)
		s.checkFlag(cmd)
		root.AddCommand(cmd)
	}
	root.AddCommand(s.compareCommand(), s.topoCommand(), s.listCommand(), s.versionCommand())
	root.SetHelpCommand(s.helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			s.hardenCompletion(cmd)
		}
	}
	return root
}

// hardenCompletion makes a wrong or missing shell a usage error; cobra shows help.
func (s *session) hardenCompletion(completion *cobra.Command) {
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(_ *cobra.Command, args []string) error {
		shells := commandNames(completion)
		if len(args) == 0 {
			return usagef("completion: no shell given: must be one of %s", shells)
		}
		return usagef("completion %s: must be one of %s", plain(args[0]), shells)
	}
}

func (s *session) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("help %s: must be one of %s", plain(strings.Join(args, " ")), commandNames(root))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

func commandNames(parent *cobra.Command) string {
	var names []string
	for _, cmd := range parent.Commands() {
		if !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	return strings.Join(names, ", ")
}

// noArgs refuses positional arguments.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %s: this command takes flags only", plain(args[0]))
	}
	return nil
}
