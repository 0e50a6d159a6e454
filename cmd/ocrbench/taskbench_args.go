package main

import (
	"errors"

	"github.com/spf13/pflag"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/command/cli"
)

// outputBytes is the flag for Task Bench's -output. The flag --output names the result file.
const outputBytes = "output-bytes"

// mostOf bounds the numbers of a graph. The app bounds them further.
const mostOf = 1 << 48

// notGiven is the period, the radix and the scratch memory of a graph whose flags do not set them.
const notGiven = -1

// usualScratch is the default scratch memory of a column, for kernels that need it.
const usualScratch = 64 << 10

func newBenchGraph() taskbenchapp.Graph {
	g := taskbenchapp.DefaultGraph()
	g.Period, g.Radix, g.Scratch = notGiven, notGiven, notGiven
	return g
}

// fit sets the values of a graph for which no flag was given, so that they suit the given ones.
func fit(g taskbenchapp.Graph) taskbenchapp.Graph {
	usual := taskbenchapp.DefaultGraph()
	if g.Period == notGiven {
		g.Period = g.Type.Period()
	}
	if g.Radix == notGiven {
		if g.Radix = usual.Radix; g.Type.UsesRadix() {
			g.Radix = min(g.Radix, g.Width)
		}
	}
	if g.Scratch == notGiven {
		if g.Scratch = usual.Scratch; g.Kernel.Kind == kernel.MemoryBound {
			g.Scratch = max(usualScratch, (g.Kernel.Samples+7)/8*8)
		}
	}
	return g
}

// benchFlags defines the flags of Task Bench, which set f.graph in the order of the command line: --and ends one graph
// and starts the next.
func (f *taskbenchFlags) benchFlags() {
	g := &f.graph
	whole := func(p *int) pflag.Value { return cli.Whole(p, 0, mostOf) }
	f.Var(whole(&g.Steps), "steps", "timesteps")
	f.Var(whole(&g.Width), "width", "most tasks of a timestep")
	f.Var(cli.Choice(&g.Type, taskbenchapp.Patterns()...), "type",
		"which tasks of the step before a task depends on: "+trial.Names(taskbenchapp.Patterns()))
	f.Var(whole(&g.Radix), "radix",
		"dependences in nearest, spread, random_nearest (default 3)")
	f.Var(whole(&g.Period), "period", "timesteps after which spread and random_nearest repeat, for these 3")
	f.Var(cli.Number(&g.Fraction, 0, 1), "fraction", "share of dependences kept in random_nearest")
	f.Var(cli.Choice(&g.Kernel.Kind, kernel.Kinds()...), "kernel",
		"what a task computes: "+trial.Names(kernel.Kinds()))
	f.Var(cli.Whole(&g.Kernel.Iterations, 0, mostOf), "iter", "iterations of the kernel")
	f.Var(whole(&g.Output), outputBytes, "bytes of a task's output")
	f.Var(whole(&g.Scratch), "scratch", "bytes of a column's scratch memory, for memory_bound")
	f.Var(whole(&g.Kernel.Samples), "sample", "parts of the scratch memory, for memory_bound")
	f.Var(cli.Number(&g.Kernel.Imbalance, 0, 2), "imbalance", "spread of iterations in load_imbalance")
	f.BoolFunc("and", "start the next graph, with default values", func(text string) error {
		if text != "true" {
			return errors.New("takes no value")
		}
		f.graphs = append(f.graphs, f.graph)
		f.graph = newBenchGraph()
		return nil
	})
}
