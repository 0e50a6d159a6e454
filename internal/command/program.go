// Package command is what commands that run graphs are made of: a [Program] with its subcommands, a [Session] of it,
// and the [Flags] that subcommands have in common, which become a [testbed.Bed] and a [testbed.Output].
//
// Package ocr/harness is its public face. A [Command] for a suite of measurements defines its flags:
//
//	func define(f *command.Flags) command.Body {
//		f.WorkerFlags()
//		f.SampleFlags()
//		f.DocumentFlags()
//		f.RunFlags(command.Aptness{})
//		return func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
//			d, err := suite.Run(ctx, bed, cfg)
//			return out.Write(d, err)
//		}
//	}
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
	Args     string // what help shows of its arguments; "" for a command that has flags only
	Short    string // a line, for lists and help
	Long     string
	Examples []string // arguments of the command, for help
	// Small are flags of a short run, which --check has unless the user has set one of them; may be nil.
	Small map[string]string
	// Define defines the flags of the command, and returns what it does.
	Define func(f *Flags) Body
	// Rewrite changes the arguments before they are read; nil for as they are.
	Rewrite func(cmd *cobra.Command, args []string) []string
}

// A Body is what a command does on its testbed, once its flags are resolved.
type Body func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error

func (c *Command) cobra(s *Session) *cobra.Command {
	cmd := &cobra.Command{
		Use: strings.TrimSpace(c.Name + " " + c.Args), Short: c.Short, Long: c.Long, GroupID: string(cmp.Or(c.Group, Apps)),
		Example: s.examples(c.Name, c.Examples...), Args: cobra.ArbitraryArgs,
	}
	if c.Args == "" {
		cmd.Args = cli.NoArgs
	}
	f := s.FlagsOf(cmd)
	cmd.RunE = f.run(c.Define(f))
	return cmd
}

// About returns the command's name, and the line about it.
func (c *Command) About() (name, short string) { return c.Name, c.Short }

// tools are the commands that every program has beside its own, in the order in which help lists them.
var tools = []*Command{newCommand, compareCommand, convertCommand, reportCommand, topoCommand, listCommand,
	versionCommand}

// Main carries out the command line of the process, and returns its exit code.
func (p Program) Main() int {
	if mpi.IsChild() { // it takes part in runs, and does nothing else
		_, err := rank.Keep(mpi.Ranks())
		fmt.Fprintln(os.Stderr, err)
		return ExitFailed
	}
	if limit := sys.AddressSpace(); limit != 0 && limit < leastAddresses {
		fmt.Fprintf(os.Stderr, "%s: the address space is limited to %d MiB: must be %d MiB or more, see ulimit -v\n",
			p.Name, limit>>20, leastAddresses>>20)
		return ExitFailed
	}
	s := p.NewSession(os.Args, IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	ctx, abandon, stop := testbed.Interruptible(context.Background(), s.Console, func() { os.Exit(ExitInterrupted) })
	defer stop()
	s.abandon = abandon
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, syscall.SIGQUIT)
	defer signal.Stop(quits)
	go func() {
		for range quits {
			s.inspect.Asked()
		}
	}()
	return s.Run(ctx)
}

func (s *Session) root() *cobra.Command {
	root := &cobra.Command{
		Use:   s.Name + " COMMAND",
		Short: "Run, verify and measure apps of the OCR task-graph runtime",
		Long: s.Name + ` runs, verifies and measures apps of the OCR task-graph runtime.

Results go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 run or verification failed, 2 usage, 3 regression (compare),
130 interrupted (results so far are written and marked partial, with -o to FILE.partial).`,
		Example:       s.tour(),
		Version:       machine.ReadBuild().Version,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return root.Help()
		}
		return cli.UnknownCommand(root, args[0])
	}
	root.SetUsageFunc(s.usage)
	root.SetVersionTemplate(machine.ReadBuild().Line(s.Name) + "\n")
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(s.Line.FlagError)
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Flag("version").Hidden = true // help lists the command
	for _, c := range slices.Concat(s.Commands, tools) {
		root.AddCommand(c.cobra(s))
	}
	for _, g := range groups {
		if slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.GroupID == string(g) }) {
			root.AddGroup(&cobra.Group{ID: string(g), Title: string(g)})
		}
	}
	checkNames(root.Commands())
	cli.Complete(root, s.Line)
	help := s.helpCommand(root)
	help.GroupID = string(Own)
	root.SetHelpCommand(help)
	root.SetCompletionCommandGroupID(string(Own))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			hardenCompletion(cmd)
		}
	}
	refuseRanks(root)
	return root
}

// checkNames panics if a program's command cannot be called by its name.
func checkNames(commands []*cobra.Command) {
	taken := map[string]bool{"help": true, "completion": true, "": true}
	for _, c := range commands {
		if taken[c.Name()] {
			panic(fmt.Sprintf("command %q: must have a name of its own", c.Name()))
		}
		taken[c.Name()] = true
	}
}

// tour is the examples of the program as a whole.
func (s *Session) tour() string {
	topo := "topo --bind scatter --workers 4"
	if len(s.Commands) == 0 {
		return s.examples("", topo)
	}
	app := s.Commands[0].Name
	return s.examples("", app, app+" --workers 2 --format json -o old.json", "compare old.json new.json --fail-over 5%",
		app+" --format go > new.txt && benchstat old.txt new.txt", topo)
}

// examples writes lines of arguments as a cobra command's Example: behind the program's name and that of a command.
func (s *Session) examples(command string, lines ...string) string {
	examples := make([]string, len(lines))
	for k, line := range lines {
		examples[k] = "  " + strings.Join(strings.Fields(s.Name+" "+command), " ") + strings.TrimRight(" "+line, " ")
	}
	return strings.Join(examples, "\n")
}

// refuseRanks has the commands below root that lack --ranks refuse it, with those that have it.
func refuseRanks(root *cobra.Command) {
	var over []string
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("ranks") != nil {
			over = append(over, cmd.Name())
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("ranks") != nil || len(over) == 0 {
			continue
		}
		alone := cmd.Name() + " runs in one process; commands that run over ranks: " + strings.Join(over, ", ")
		cmd.Flags().String("ranks", "", "")
		cli.Refuse(cmd.Flags().Lookup("ranks"), alone)
		if mpi.Ranks() > 1 {
			cmd.RunE = func(*cobra.Command, []string) error {
				return cli.Usagef("mpirun has started %d processes: %s", mpi.Ranks(), alone)
			}
		}
	}
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
