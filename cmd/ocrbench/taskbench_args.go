package main

import (
	"errors"
	"math"
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
	arg   string // what its value is called in help; empty for a switch
	usage string
	take  func(f *taskbenchFlags, value string) error // the error says what is allowed
}

// outputBytes is how -output is spelled with two dashes: --output is the result file.
const outputBytes = "output-bytes"

// benchFlags are the flags of Task Bench, in the order of its own help.
func benchFlags() []benchFlag {
	whole := func(name, usage string, set func(g *taskbenchapp.Graph, n int64)) benchFlag {
		return benchFlag{name, "N", usage, func(f *taskbenchFlags, value string) error {
			g := f.graph()
			g.given[name] = value
			set(&g.Graph, wholeOr(value, -1))
			return nil
		}}
	}
	real := func(name, usage string, set func(g *taskbenchapp.Graph, x float64)) benchFlag {
		return benchFlag{name, "X", usage, func(f *taskbenchFlags, value string) error {
			g := f.graph()
			g.given[name] = value
			set(&g.Graph, realOr(value, -1))
			return nil
		}}
	}
	return []benchFlag{
		whole("steps", "timesteps", func(g *taskbenchapp.Graph, n int64) { g.Steps = narrow(n) }),
		whole("width", "most tasks of a timestep", func(g *taskbenchapp.Graph, n int64) { g.Width = narrow(n) }),
		{"type", "TYPE", "which tasks of the step before a task depends on", (*taskbenchFlags).takeType},
		whole("radix", "dependences of a task in nearest, spread, random_nearest", func(g *taskbenchapp.Graph, n int64) { g.Radix = narrow(n) }),
		whole("period", "timesteps after which spread and random_nearest repeat", func(g *taskbenchapp.Graph, n int64) { g.Period = narrow(n) }),
		real("fraction", "share of dependences kept in random_nearest", func(g *taskbenchapp.Graph, x float64) { g.Fraction = x }),
		{"kernel", "KERNEL", "what a task computes", (*taskbenchFlags).takeKernel},
		whole("iter", "iterations of the kernel", func(g *taskbenchapp.Graph, n int64) { g.Kernel.Iterations = n }),
		whole("output", "bytes of a task's output (also --"+outputBytes+")", func(g *taskbenchapp.Graph, n int64) { g.Output = narrow(n) }),
		whole("scratch", "bytes of a column's scratch memory, for memory_bound", func(g *taskbenchapp.Graph, n int64) { g.Scratch = narrow(n) }),
		whole("sample", "parts of the scratch memory, for memory_bound", func(g *taskbenchapp.Graph, n int64) { g.Kernel.Samples = narrow(n) }),
		real("imbalance", "spread of iterations in load_imbalance", func(g *taskbenchapp.Graph, x float64) { g.Kernel.Imbalance = x }),
		{"and", "", "end this graph; flags from here on are of another, from the defaults", (*taskbenchFlags).takeAnd},
		{"worker", "N", "workers, as --workers", (*taskbenchFlags).takeWorker},
		{"nodes", "N", "only 1: print how much stays on the node, which is all", (*taskbenchFlags).takeNodes},
		{"field", "N", "accepted, not used: --window bounds the outputs kept of a column", (*taskbenchFlags).takeField},
		{"skip-graph-validation", "", "accepted: graphs are not checked in a run, tasks check their inputs unless --no-verify", func(*taskbenchFlags, string) error { return nil }},
		{"v", "", "print the runtime's counters too", (*taskbenchFlags).takeVerbose},
		{"vv", "", "as -v", (*taskbenchFlags).takeVerbose},
	}
}

// wholeOr reads a whole number. What is not one becomes otherwise, which no check
// accepts: the check knows the range that the error tells.
func wholeOr(value string, otherwise int64) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

func realOr(value string, otherwise float64) float64 {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return otherwise
	}
	return x
}

func narrow(n int64) int { return int(max(math.MinInt, min(n, math.MaxInt))) }

func (f *taskbenchFlags) takeType(value string) error {
	pattern, err := taskbenchapp.ParsePattern(value)
	if err != nil {
		return errors.New("must be one of " + strings.Join(taskbenchapp.Patterns(), ", "))
	}
	f.graph().Type = pattern
	return nil
}

func (f *taskbenchFlags) takeKernel(value string) error {
	kind, err := kernel.ParseKind(value)
	if err != nil {
		return errors.New("must be one of " + strings.Join(kernel.Kinds(), ", "))
	}
	f.graph().Kernel.Kind = kind
	return nil
}

func (f *taskbenchFlags) takeAnd(string) error {
	f.graphs = append(f.graphs, newBenchGraph())
	return nil
}

func (f *taskbenchFlags) takeWorker(value string) error {
	f.workers.Changed = true
	return f.workers.Value.Set(value)
}

func (f *taskbenchFlags) takeNodes(value string) error {
	if value != "0" && value != "1" {
		return errors.New("must be 1, or 0 for no estimate: the runtime is one process")
	}
	f.nodes = value == "1"
	return nil
}

func (f *taskbenchFlags) takeField(value string) error {
	if wholeOr(value, 0) < 1 {
		return errors.New("must be a whole number, 1 or more")
	}
	f.field = value
	return nil
}

func (f *taskbenchFlags) takeVerbose(string) error {
	f.verbose = true
	return nil
}

// takeArgs reads the flags in Task Bench's spelling and returns the other arguments.
func (f *taskbenchFlags) takeArgs(cmd *cobra.Command, args []string) (others []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return append(others, args...), nil
		}
		name, value, inline := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		spelled, _, _ := strings.Cut(arg, "=")
		dashes := len(spelled) - len(name)
		args = args[1:]
		flag, ours := lookupBench(name, dashes)
		switch {
		case dashes == 0 || name == "":
			others = append(others, arg)
		case !ours && dashes == 1 && len(name) > 1:
			return nil, cli.Usagef("unknown flag %s: see %s --help", report.Plain(spelled), cmd.CommandPath())
		case !ours:
			others = append(others, arg)
			if takesValue(cmd.Flags(), name, dashes) && !inline && len(args) > 0 {
				others, args = append(others, args[0]), args[1:]
			}
		case flag.arg == "" && inline:
			return nil, cli.Usagef("%s %s: takes no value", spelled, report.Plain(value))
		case flag.arg != "" && !inline && (len(args) == 0 || looksLikeFlag(args[0])):
			return nil, cli.Usagef("%s: needs a value: %s", spelled, flag.usage)
		default:
			if flag.arg != "" && !inline {
				value, args = args[0], args[1:]
			}
			if err := flag.take(f, value); err != nil {
				return nil, f.refuse(spelled, value, err.Error())
			}
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
func lookupBench(name string, dashes int) (benchFlag, bool) {
	if dashes == 2 {
		switch name {
		case "output":
			return benchFlag{}, false
		case outputBytes:
			name = "output"
		}
	}
	flags := benchFlags()
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

// refuse says what is wrong with a value, and of which graph where there are several.
func (f *taskbenchFlags) refuse(what, value, allowed string) error {
	return f.refuseIn(len(f.graphs)-1, len(f.graphs) > 1, what, value, allowed)
}

func (f *taskbenchFlags) refuseIn(graph int, several bool, what, value, allowed string) error {
	where := ""
	if several {
		where = " (graph " + strconv.Itoa(graph+1) + ")"
	}
	return cli.Usagef("%s %s%s: %s", what, report.Plain(value), where, allowed)
}

// complete offers values of the flag before the word, else flags.
func (f *taskbenchFlags) complete(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	before := ""
	if len(args) > 0 {
		before = args[len(args)-1]
	}
	switch strings.TrimLeft(before, "-") {
	case "type":
		return taskbenchapp.Patterns(), cobra.ShellCompDirectiveNoFileComp
	case "kernel":
		return kernel.Kinds(), cobra.ShellCompDirectiveNoFileComp
	}
	if name, double := strings.CutPrefix(before, "--"); double {
		if values, ok := cmd.GetFlagCompletionFunc(name); ok {
			return values(cmd, args, word)
		}
	}
	var names []string
	for _, flag := range benchFlags() {
		if strings.HasPrefix("-"+flag.name, word) {
			names = append(names, "-"+flag.name+"\t"+flag.usage)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
