package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/command"
	"ocr/internal/proof/testrun"
)

// parsed returns the flags of a taskbench command that does not run.
func parsed() *taskbenchFlags {
	s := ocrbench().NewSession([]string{"ocrbench"}, command.IO{Out: io.Discard, Err: io.Discard})
	f := newTaskbenchFlags(s.NewFlags(taskbenchApp, &cobra.Command{Use: taskbenchApp.Name}))
	f.AddCommon()
	return f
}

// TestTaskbenchArgs checks the meaning of a command line's flags.
func TestTaskbenchArgs(t *testing.T) {
	def := func(change func(g *taskbenchapp.Graph)) taskbenchapp.Graph {
		g := taskbenchapp.DefaultGraph()
		change(&g)
		return g
	}
	for _, c := range []struct {
		args   string
		graphs []taskbenchapp.Graph
	}{
		{"", []taskbenchapp.Graph{taskbenchapp.DefaultGraph()}},
		{
			"--steps 1000 --width 8 --type stencil_1d --radix 5 --kernel compute_bound --iter 67108864 " +
				"--output-bytes 32 --scratch 64 --sample 8 --imbalance 0.5 --fraction 0.75",
			[]taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) {
				g.Steps, g.Width, g.Type, g.Radix, g.Output, g.Scratch, g.Fraction = 1000, 8, taskbenchapp.Stencil1D, 5, 32, 64,
					0.75
				g.Kernel = kernel.Kernel{Kind: kernel.ComputeBound, Iterations: 1 << 26, Samples: 8, Imbalance: 0.5}
			})},
		},
		{
			"--steps 7 --width 3 --and --type dom --and --steps=9",
			[]taskbenchapp.Graph{
				def(func(g *taskbenchapp.Graph) { g.Steps, g.Width = 7, 3 }),
				def(func(g *taskbenchapp.Graph) { g.Type = taskbenchapp.Dom }),
				def(func(g *taskbenchapp.Graph) { g.Steps = 9 }),
			},
		},
		{"--type spread", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) {
			g.Type, g.Period = taskbenchapp.Spread, 3
		})}},
		{"--type spread --period 2", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) {
			g.Type, g.Period = taskbenchapp.Spread, 2
		})}},
	} {
		t.Run(c.args, func(t *testing.T) {
			f := parsed()
			testrun.OK(t, f.Cmd.ParseFlags(strings.Fields(c.args)))
			var got []string
			for _, g := range f.allGraphs() {
				got = append(got, fmt.Sprintf("%+v", g))
			}
			var want []string
			for _, g := range c.graphs {
				want = append(want, fmt.Sprintf("%+v", g))
			}
			testrun.Same(t, want, got, "graphs")
		})
	}
}
