// Package command builds programs whose commands run graphs: a [Program] with its subcommands, a [Session] of it, and
// the [Flags] that subcommands share, which become a [testbed.Bed] and a [testbed.Output].
//
// Package ocr/harness is its public interface. A [Command] for a suite of measurements names the flags that it shares
// with others, and defines its own:
//
//	&command.Command{Name: "suite", Has: command.App, Define: func(f *command.Flags) command.Body {
//		f.Var(cli.Whole(&cfg.Size, 1, 100), "size", "of the problem")
//		return func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
//			d, err := suite.Run(ctx, bed, cfg)
//			return out.Write(d, err)
//		}
//	}}
package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ocr/internal/command/cli"
	"ocr/internal/core/sys"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Exit codes of a program.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitRegression  = 3
	ExitInterrupted = 130
)

// A Program is a name and its subcommands, beside those that every program has.
type Program struct {
	Name     string
	Commands []*Command // in the order in which they are listed
}

// A Command is a subcommand of a program.
type Command struct {
	Name     string
	Group    Group  // of commands in help; "" for Apps
	Args     string // arguments, as help shows them; "" for a command that has flags only
	Short    string // a line, for lists and help
	Long     string
	Examples []string // arguments of the command, for help
	Has      Has      // common flags, beside those that it defines
	Formats  []string // of its output, the default first; with Documents all of report.Formats
	Polls    bool     // its EDTs poll, and keep their workers for the whole measurement

	// Small are flags of a short run, which --check sets unless the user has set one of them; may be nil.
	Small map[string]string
	// Define defines the flags of the command, and returns its body.
	Define func(f *Flags) Body
}

// A Body is what a command runs on its testbed, after its flags are parsed.
type Body func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error

// A Group is a heading of commands in help.
type Group string

// Groups of commands, in the order of help.
const (
	Apps    Group = "Apps"
	Seeds   Group = "The three seeds: grids, cache lines, puts and gets"
	Study   Group = "What the runtime costs"
	Results Group = "Results"
	Own     Group = "An app of your own, and this machine"
)

// tools are the commands that every program has, in the order of help.
var tools = []*Command{newCommand, compareCommand, convertCommand, reportCommand, topoCommand}

// Main carries out the command line of the process, and returns its exit code.
func (p Program) Main() int {
	if mpi.IsChild() { // it only takes part in runs
		_, err := rank.Keep(mpi.Ranks())
		fmt.Fprintln(os.Stderr, err)
		return ExitFailed
	}
	if limit := sys.AddressSpace(); limit != 0 && limit < leastAddresses {
		fmt.Fprintf(os.Stderr, "%s: the address space is limited to %d MiB: must be %d MiB or more, see ulimit -v\n",
			p.Name, limit>>20, leastAddresses>>20)
		return ExitFailed
	}
	s := p.NewSession(os.Args, os.Stdout, os.Stderr)
	ctx, stop := testbed.Interruptible(context.Background(), s.Console, func() { os.Exit(ExitInterrupted) })
	defer stop()
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, syscall.SIGQUIT)
	defer signal.Stop(quits)
	go func() {
		for range quits {
			if runtime.ReportRuns() == 0 {
				s.Console.Say("no graph is running")
			}
		}
	}()
	return s.Run(ctx)
}

// root returns the cobra command of the program.
func (s *Session) root() *cobra.Command {
	build := machine.ReadBuild()
	root := &cobra.Command{
		Use:   s.Name,
		Short: "Run, verify and measure apps of the OCR task-graph runtime",
		Long: s.Name + ` runs, verifies and measures apps of the OCR task-graph runtime.

Results go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 run or verification failed, 2 usage, 3 regression (compare),
130 interrupted (results so far are written and marked partial, with -o to FILE.partial).`,
		Example:       s.tour(),
		Version:       build.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          known,
		RunE:          func(root *cobra.Command, _ []string) error { return root.Help() },
	}
	root.SetVersionTemplate(build.Line(s.Name) + "\n")
	root.SetOut(s.Out)
	root.SetErr(s.Console)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if name := s.Argv[1]; cmd == root && !strings.HasPrefix(name, "-") { // a mistyped command, and a flag behind it
			return cmp.Or(known(root, []string{name}), cli.FlagError(cmd, err))
		}
		return cli.FlagError(cmd, err)
	})
	wrapped := fmt.Sprint(".FlagUsagesWrapped ", report.Width)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", wrapped))
	root.SetHelpCommandGroupID(string(Own))
	root.SetCompletionCommandGroupID(string(Own))
	for _, g := range []Group{Apps, Seeds, Study, Results, Own} {
		if slices.ContainsFunc(s.all(), func(c *Command) bool { return c.group() == g }) {
			root.AddGroup(&cobra.Group{ID: string(g), Title: string(g) + ":"})
		}
	}
	for _, c := range s.all() {
		root.AddCommand(c.cobra(s))
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error { return known(root, args) }
		case "completion":
			cmd.Args, cmd.RunE = known, func(*cobra.Command, []string) error { return cmd.Help() }
		}
	}
	return root
}

// all returns the program's commands.
func (s *Session) all() []*Command { return slices.Concat(s.Commands, tools) }

func (c *Command) group() Group { return cmp.Or(c.Group, Apps) }

func (c *Command) cobra(s *Session) *cobra.Command {
	cmd := &cobra.Command{
		Use: strings.TrimSpace(c.Name + " " + c.Args), Short: c.Short, Long: c.Long, GroupID: string(c.group()),
		Example: s.examples(c.Name, c.Examples...), DisableFlagsInUseLine: c.Args != "",
	}
	if c.Args == "" {
		cmd.Args = noArguments
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	f := s.NewFlags(c, cmd)
	cmd.RunE = f.run(c.Define(f))
	f.addCommon()
	f.SortFlags = false // the command's own are first
	return cmd
}

// noArguments refuses positional arguments.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("unexpected argument %s: this command takes flags only", report.Plain(args[0]))
	}
	return nil
}

// known refuses arguments whose first is no command below parent.
func known(parent *cobra.Command, args []string) error {
	var names []string
	for _, cmd := range parent.Commands() {
		names = append(names, cmd.Name())
	}
	if len(args) == 0 || slices.Contains(names, args[0]) {
		return nil
	}
	return cli.Unknown("command", args[0], names, "")
}

// tour returns the examples of the whole program.
func (s *Session) tour() string {
	app := s.all()[0].Name
	return s.examples("", app, app+" --workers 2 --format json -o old.json", "compare old.json new.json --fail-over 5%",
		app+" --format go > new.txt && benchstat old.txt new.txt", "topo --workers 4")
}

// examples writes lines of arguments as a cobra command's Example: behind the program's name and that of a command.
func (s *Session) examples(command string, lines ...string) string {
	examples := make([]string, len(lines))
	for k, line := range lines {
		examples[k] = "  " + strings.Join(strings.Fields(s.Name+" "+command+" "+line), " ")
	}
	return strings.Join(examples, "\n")
}
