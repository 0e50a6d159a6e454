package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/bench"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/internal/suite/taskbench"
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
	// progress is called with how far a run is, beside the line on a terminal; may be nil.
	progress func(bench.Progress)
}

// session is one run of the command.
type session struct {
	line    *cli.Line
	stdio   stdio
	console *harness.Console
	inspect *harness.Inspection
	abandon <-chan struct{} // closed by the second interrupt; nil for never
}

func newSession(args []string, io stdio, lookupEnv func(string) (string, bool)) *session {
	console := harness.NewConsole(io.err)
	console.Hear = io.progress
	return &session{
		line: &cli.Line{Args: args, LookupEnv: lookupEnv}, stdio: io,
		console: console, inspect: &harness.Inspection{Console: console},
	}
}

// run carries out the command line and returns its exit code. Cancelling ctx is the
// user's interrupt.
func (s *session) run(ctx context.Context) (code int) {
	defer func() {
		if p := recover(); p != nil {
			s.console.Say("internal error: %v", p)
			code = exitFailed
		}
	}()
	root := s.root()
	args := s.line.Args[1:]
	if cmd, _, err := root.Find([]string{taskbench.Name}); err == nil && slices.Contains(args[:min(len(args), 2)], taskbench.Name) {
		args = doubleDashes(cmd.Flags(), args)
	}
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var usage *cli.UsageError
	switch {
	case errors.As(err, &usage):
		s.console.Say("%s", strings.Join(strings.Fields(err.Error()), " "))
		return exitUsage
	case errors.Is(err, errRegression):
		s.console.Say("%v", err)
		return exitRegression
	case errors.Is(err, harness.ErrInterrupted) || errors.Is(err, context.Canceled):
		s.console.Say("%v", harness.ErrInterrupted)
		return exitInterrupted
	}
	s.console.Say("%v", err)
	return exitFailed
}

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ocrbench",
		Short: "Run, verify and measure the apps of the OCR task-graph runtime",
		Long: `ocrbench runs, verifies and measures the apps of the OCR task-graph runtime.

Results go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 run or verification failed, 2 usage, 3 regression (compare),
130 interrupted (results so far are written and marked partial, with -o to FILE.partial).`,
		Example: `  ocrbench synch_p2p -P 10 -K 5 --workers 2
  ocrbench synch_p2p --format go > new.txt && benchstat old.txt new.txt
  ocrbench topo --bind scatter --workers 4`,
		Version:           machine.ReadBuild().Version,
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return s.line.ApplyEnv(cmd) },
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.Usagef("no command given: must be one of %s", strings.Join(cli.CommandNames(root), ", "))
		}
		return cli.UnknownCommand(root, args[0])
	}
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", report.Width)))
	root.SetVersionTemplate(machine.ReadBuild().String() + "\n")
	root.SetIn(s.stdio.in)
	root.SetOut(s.stdio.out)
	root.SetErr(s.stdio.err)
	root.SetFlagErrorFunc(s.line.FlagError)
	root.InitDefaultHelpFlag()
	for _, a := range apps {
		cmd := a.command(s)
		cmd.Short = a.short
		root.AddCommand(cmd)
	}
	root.AddCommand(s.compareCommand(), s.topoCommand(), s.listCommand(), s.versionCommand())
	cli.Complete(root)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			hardenCompletion(cmd)
		}
	}
	return root
}

// hardenCompletion makes a wrong or missing shell a usage error; cobra shows help.
func hardenCompletion(completion *cobra.Command) {
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(_ *cobra.Command, args []string) error {
		shells := strings.Join(cli.CommandNames(completion), ", ")
		if len(args) == 0 {
			return cli.Usagef("completion: no shell given: must be one of %s", shells)
		}
		return cli.Usagef("completion %s: must be one of %s", report.Plain(args[0]), shells)
	}
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Explain a command",
		ValidArgsFunction: cli.CompleteCommands(root),
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("help: %w", cli.UnknownCommand(root, strings.Join(args, " ")))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
