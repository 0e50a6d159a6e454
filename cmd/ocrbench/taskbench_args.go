package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/cli"
	"ocr/internal/report"
)

// Task Bench spells its flags with one dash and several letters, which pflag takes for
// a row of letters. So taskbench reads them itself, in the order given, since -and ends
// one graph and starts the next; what is left is the project's own and pflag's to read.

// benchFlag is a flag in Task Bench's spelling.
type benchFlag struct {
	name  string // without dashes
	usage string
	value pflag.Value // of what the command line is at; nil for a switch
	do    func()      // of a switch
}

// outputBytes is how -output is spelled with two dashes: --output is the result file.
const outputBytes = "output-bytes"

// mostOf bounds the numbers of a graph. The app bounds them further.
const mostOf = 1 << 48

// notGiven is the period of a graph whose flags have none.
const notGiven = -1

func newBenchGraph() taskbenchapp.Graph {
	g := taskbenchapp.DefaultGraph()
	g.Period = notGiven
	return g
}

// benchFlags are the flags of Task Bench, in the order of its own help. Those of a graph
// set the last one.
func (f *taskbenchFlags) benchFlags() []benchFlag {
	g := &f.graphs[len(f.graphs)-1]
	whole := func(p *int) pflag.Value { return cli.Whole(p, 0, mostOf) }
	another := func() { f.graphs = append(f.graphs, newBenchGraph()) }
	counters := func() { f.cfg.Counters = true }
	return []benchFlag{
		{"steps", "timesteps", whole(&g.Steps), nil},
		{"width", "most tasks of a timestep", whole(&g.Width), nil},
		{"type", "which tasks of the step before a task depends on", cli.Choice(&g.Type, taskbenchapp.Patterns()...), nil},
		{"radix", "dependences of a task in nearest, spread, random_nearest", whole(&g.Radix), nil},
		{"period", "timesteps after which spread and random_nearest repeat, for these 3", whole(&g.Period), nil},
		{"fraction", "share of dependences kept in random_nearest", cli.Number(&g.Fraction, 0, 1), nil},
		{"kernel", "what a task computes", cli.Choice(&g.Kernel.Kind, kernel.Kinds()...), nil},
		{"iter", "iterations of the kernel", cli.Whole(&g.Kernel.Iterations, 0, mostOf), nil},
		{"output", "bytes of a task's output, also --" + outputBytes, whole(&g.Output), nil},
		{"scratch", "bytes of a column's scratch memory, for memory_bound", whole(&g.Scratch), nil},
		{"sample", "parts of the scratch memory, for memory_bound", whole(&g.Kernel.Samples), nil},
		{"imbalance", "spread of iterations in load_imbalance", cli.Number(&g.Kernel.Imbalance, 0, 2), nil},
		{"and", "end this graph; flags from here on are of another, from the defaults", nil, another},
		{"worker", "workers, as --workers", f.cmd.Flags().Lookup("workers").Value, nil},
		{"nodes", "only 1: print how much stays on the node, which is all; 0: do not", cli.Whole(&f.cfg.Nodes, 0, 1), nil},
		{"field", "accepted, not used: --window bounds the outputs kept of a column", cli.Whole(&f.cfg.Field, 1, mostOf), nil},
		{"skip-graph-validation", "no effect: tasks check their inputs unless --no-verify", nil, func() {}},
		{"v", "print the runtime's counters too", nil, counters},
		{"vv", "as -v", nil, counters},
	}
}

// benchFlagList lists Task Bench's flags for the help text.
func (f *taskbenchFlags) benchFlagList() string {
	var lines strings.Builder
	for _, flag := range f.benchFlags() {
		name, standard := flag.name, ""
		if flag.value != nil {
			name, standard = name+" "+flag.value.Type(), flag.value.String()
		}
		if standard != "" {
			standard = " (" + standard + ")"
		}
		fmt.Fprintf(&lines, "  -%-23s %s%s\n", name, flag.usage, standard)
	}
	return lines.String()
}

// takeArgs reads the flags in Task Bench's spelling and returns the other arguments.
func (f *taskbenchFlags) takeArgs(args []string) (others []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return append(others, args...), nil
		}
		name, value, inline := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		spelled, _, _ := strings.Cut(arg, "=")
		dashes := len(spelled) - len(name)
		args = args[1:]
		flag, ours := f.lookupBench(name, dashes)
		switch {
		case dashes == 0 || name == "":
			others = append(others, arg)
		case !ours && dashes == 1 && len(name) > 1:
			return nil, cli.Usagef("unknown flag %s: see %s --help", report.Plain(spelled), f.cmd.CommandPath())
		case !ours:
			others = append(others, arg)
			if takesValue(f.cmd.Flags(), name, dashes) && !inline && len(args) > 0 {
				others, args = append(others, args[0]), args[1:]
			}
		case flag.value == nil && inline:
			return nil, cli.Usagef("%s %s: takes no value", spelled, report.Plain(value))
		case flag.value == nil:
			flag.do()
		case !inline && (len(args) == 0 || looksLikeFlag(args[0])):
			return nil, cli.Usagef("%s: needs a value: %s", spelled, flag.usage)
		default:
			if !inline {
				value, args = args[0], args[1:]
			}
			if err := flag.value.Set(value); err != nil {
				return nil, f.refuse(spelled, value, err)
			}
			f.cmd.Flags().Lookup("workers").Changed = f.cmd.Flags().Lookup("workers").Changed || name == "worker"
		}
	}
	return others, nil
}

// looksLikeFlag tells a flag from a negative number.
func looksLikeFlag(arg string) bool {
	_, err := strconv.ParseFloat(arg, 64)
	return strings.HasPrefix(arg, "-") && err != nil
}

// lookupBench finds a flag of Task Bench by its name and how many dashes it was given.
func (f *taskbenchFlags) lookupBench(name string, dashes int) (benchFlag, bool) {
	if dashes == 2 {
		switch name {
		case "output":
			return benchFlag{}, false
		case outputBytes:
			name = "output"
		}
	}
	flags := f.benchFlags()
	i := slices.IndexFunc(flags, func(flag benchFlag) bool { return flag.name == name })
	if i < 0 {
		return benchFlag{}, false
	}
	return flags[i], true
}

// takesValue reports whether a flag of fs is followed by its value.
func takesValue(fs *pflag.FlagSet, name string, dashes int) bool {
	flag := fs.Lookup(name)
	if dashes == 1 {
		flag = fs.ShorthandLookup(name)
	}
	return flag != nil && flag.NoOptDefVal == ""
}

// refuse says what is wrong with a value, and of which graph if there are several.
func (f *taskbenchFlags) refuse(what, value string, err error) error {
	about := ""
	if n := len(f.graphs); n > 1 {
		about = fmt.Sprintf(" (graph %d)", n)
	}
	return cli.Usagef("%s %s%s: %v", what, report.Plain(value), about, err)
}

// complete offers values of the flag before the word, else flags.
func (f *taskbenchFlags) complete(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	before := ""
	if len(args) > 0 {
		before = args[len(args)-1]
	}
	switch strings.TrimLeft(before, "-") {
	case "type":
		return cli.Words(taskbenchapp.Patterns()), cobra.ShellCompDirectiveNoFileComp
	case "kernel":
		return cli.Words(kernel.Kinds()), cobra.ShellCompDirectiveNoFileComp
	}
	if name, double := strings.CutPrefix(before, "--"); double {
		if values, ok := cmd.GetFlagCompletionFunc(name); ok {
			return values(cmd, args, word)
		}
	}
	var names []string
	for _, flag := range f.benchFlags() {
		if strings.HasPrefix("-"+flag.name, word) {
			names = append(names, "-"+flag.name+"\t"+flag.usage)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
