package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/command/cli"
	"ocr/internal/measure/machine"
	"ocr/internal/show/report"
)

// A Group is a heading of commands in help.
type Group string

// Groups of commands.
const (
	Apps    Group = "Apps"
	Seeds   Group = "The three seeds: grids, cache lines, puts and gets"
	Study   Group = "What the runtime costs"
	Results Group = "Results"
	Own     Group = "An app of your own, and this machine"
)

// groups are in the order of help.
var groups = []Group{Apps, Seeds, Study, Results, Own}

// tools are the commands that every program has, in the order of help.
var tools = []*Command{newCommand, compareCommand, convertCommand, reportCommand, topoCommand}

// root returns the cobra command of the program.
func (p *Program) root() *cobra.Command {
	build, all := machine.ReadBuild(), slices.Concat(p.Commands, tools)
	app := all[0].Name
	root := &cobra.Command{
		Use:   p.Name,
		Short: "Run, verify and measure apps of the OCR task-graph runtime",
		Long: p.Name + ` runs, verifies and measures apps of the OCR task-graph runtime.

Results go to standard output, everything else to standard error.
Exit codes: 0 ok, 1 run or verification failed, 2 usage, 3 regression (compare),
130 interrupted. Results before a failure or an interrupt are written and marked partial, with -o
to FILE.partial.`,
		Example: p.examples("", app, app+" --workers 2 --format json -o old.json",
			"compare old.json new.json --fail-over 5%", app+" --format go > new.txt && benchstat old.txt new.txt",
			"topo --workers 4"),
		Version:       build.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          known,
		RunE:          func(root *cobra.Command, _ []string) error { return root.Help() },
	}
	root.SetVersionTemplate(build.Line(p.Name) + "\n")
	root.SetOut(p.out)
	root.SetErr(p.Console)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if name := p.argv[1]; cmd == root && !strings.HasPrefix(name, "-") { // a mistyped command, and a flag behind it
			return cmp.Or(known(root, []string{name}), cli.FlagError(cmd, err))
		}
		return cli.FlagError(cmd, err)
	})
	wrapped := fmt.Sprint(".FlagUsagesWrapped ", report.Width)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", wrapped))
	root.SetHelpCommandGroupID(string(Own))
	root.SetCompletionCommandGroupID(string(Own))
	for _, g := range groups {
		if slices.ContainsFunc(all, func(c *Command) bool { return c.group() == g }) {
			root.AddGroup(&cobra.Group{ID: string(g), Title: string(g) + ":"})
		}
	}
	for _, c := range all {
		root.AddCommand(c.cobra(p))
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, args []string) error { return known(root, args) }
		case "completion":
			cmd.Args, cmd.RunE = known, func(*cobra.Command, []string) error { return cmd.Help() }
			for _, shell := range cmd.Commands() {
				shell.Args = noArguments
			}
		}
	}
	return root
}

func (c *Command) group() Group { return cmp.Or(c.Group, Apps) }

func (c *Command) cobra(p *Program) *cobra.Command {
	cmd := &cobra.Command{
		Use: strings.TrimSpace(c.Name + " " + c.Args), Short: c.Short, Long: c.Long, GroupID: string(c.group()),
		Example: p.examples(c.Name, c.Examples...), DisableFlagsInUseLine: c.Args != "",
	}
	if c.Args == "" {
		cmd.Args = noArguments
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	f := newFlags(p, c, cmd)
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

// known refuses arguments if the first is not the name of a command below parent.
func known(parent *cobra.Command, args []string) error {
	var names []string
	for _, cmd := range parent.Commands() {
		names = append(names, cmd.Name())
	}
	return cli.Known("command", names)(parent, args[:min(1, len(args))])
}

// examples returns a cobra command's Example: each line of arguments, behind the names of program and command.
func (p *Program) examples(command string, lines ...string) string {
	examples := make([]string, len(lines))
	for k, line := range lines {
		examples[k] = "  " + strings.Join(strings.Fields(p.Name+" "+command+" "+line), " ")
	}
	return strings.Join(examples, "\n")
}
