package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/cli"
	"ocr/internal/testrun"
)

func TestTaskbenchUsage(t *testing.T) {
	defer goleak.VerifyNone(t)
	types := "must be one of " + list(cli.Words(taskbenchapp.Patterns()))
	kernels := "must be one of " + list(cli.Words(kernel.Kinds()))
	for _, c := range []struct{ args, want string }{
		{"-typ dom", "unknown flag --typ: did you mean --type? see ocrbench taskbench --help"},
		{"--typ dom", "unknown flag --typ: did you mean --type? see ocrbench taskbench --help"},
		{"-z", "unknown flag -z in -z: see ocrbench taskbench --help"},
		{"-steps", "-steps: needs a value: timesteps"},
		{"-steps 0", "-steps 0: must be "},
		{"-steps -1", "-steps -1: must be "},
		{"-steps x", "-steps x: must be "},
		{"-steps 1e3", "-steps 1e3: must be "},
		{"--steps=1.5", "--steps 1.5: must be "},
		{"-steps 99999999999999999999", "-steps 99999999999999999999: must be "},
		{"-steps -width 3", "-steps --width: must be "},
		{"-width 0", "-width 0: must be "},
		{"-type random_spread", "-type random_spread: did you mean random_nearest?"},
		{"-type=", `-type "": ` + types},
		{"-kernel compute_dgemm", "-kernel compute_dgemm: did you mean compute_bound? " + kernels},
		{"-radix -1 -type nearest", "-radix -1: must be a whole number in 0..281474976710656"},
		{"-radix 5 -type nearest", "-radix 5: more than the width, 4: must be 0..4"},
		{"-radix x", "-radix x: must be a whole number in 0..281474976710656"},
		{"-radix 9 -width 8 -type nearest", "-radix 9: more than the width, 8: must be 0..8"},
		{"-type stencil_1d_periodic -width 2", "-width 2: type stencil_1d_periodic needs three columns: must be 3.."},
		{"-type fft -width 1", "-width 1: type fft needs two columns: must be 2.."},
		{"-type stencil_1d -period 2", "-period 2: type stencil_1d has no period: must be 0"},
		{"-type spread -period 0", "-period 0: must be "},
		{"-type random_nearest -fraction 1.5", "-fraction 1.5: must be "},
		{"-type random_nearest -fraction NaN", "-fraction NaN: must be "},
		{"-kernel compute_bound -iter -1", "-iter -1: must be "},
		{"-output 15", "-output 15: must be "},
		{"--output-bytes 15", "--output-bytes 15: must be "},
		{"-kernel memory_bound -scratch -1", "-scratch -1: must be "},
		{"-kernel memory_bound -scratch 1024 -sample 0", "-sample 0: no more than the bytes of scratch: must be 1..1024"},
		{"-kernel load_imbalance -imbalance 2.5", "-imbalance 2.5: must be "},
		{"-width 4 -and -width 0", "-width 0 (graph 2): must be "},
		{"-and -and -type dum", "-type dum: did you mean dom?"},
		{"-width 0 -and", "-width 0 (graph 1): must be "},
		{"-and=2", "-and 2: takes no value"},
		{"-nodes 2", "-nodes 2: must be a whole number in 0..1"},
		{"-field 0", "-field 0: must be a whole number in 1..2147483647"},
		{"-worker 0", "-worker 0: must be a whole number in 1..1024"},
		{"--workers x", "--workers x: must be a whole number in 1..1024"},
		{"--window 0", "--window 0: must be "},
		{"--place here", "--place here: must be one of bound, stealable, none"},
		{"--format xml", "--format xml: must be one of text, go, json, csv"},
		{"extra", "unexpected argument extra: this command takes flags only"},
		{"-- -steps", "unexpected argument -steps: this command takes flags only"},
		{"- 3", "unexpected argument -: this command takes flags only"},
		{"-o /", "-o /: must be a file, not a directory"},
		{"--output /", "--output /: must be a file, not a directory"},
	} {
		t.Run(c.args, func(t *testing.T) {
			wantUsage(t, noEnv, append([]string{"taskbench"}, strings.Fields(c.args)...), c.want)
		})
	}
	wantUsage(t, envOf("OCRBENCH_SAMPLES=0"), []string{"taskbench"}, "OCRBENCH_SAMPLES 0: must be ")
	wantUsage(t, noEnv, []string{"taskbench", "-steps", "1\n2"}, `-steps "1\n2": must be `)
}

// TestTaskbenchArgs holds what the flags of a command line mean.
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
			"-steps 1000 -width 8 -type stencil_1d -radix 5 -kernel compute_bound -iter 67108864 -output 32 -scratch 64 -sample 8 -imbalance 0.5 -fraction 0.75",
			[]taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) {
				g.Steps, g.Width, g.Type, g.Radix, g.Output, g.Scratch, g.Fraction = 1000, 8, taskbenchapp.Stencil1D, 5, 32, 64, 0.75
				g.Kernel = kernel.Kernel{Kind: kernel.ComputeBound, Iterations: 1 << 26, Samples: 8, Imbalance: 0.5}
			})},
		},
		{
			"-steps 7 -width 3 -and -type dom -and --steps=9",
			[]taskbenchapp.Graph{
				def(func(g *taskbenchapp.Graph) { g.Steps, g.Width = 7, 3 }),
				def(func(g *taskbenchapp.Graph) { g.Type = taskbenchapp.Dom }),
				def(func(g *taskbenchapp.Graph) { g.Steps = 9 }),
			},
		},
		{
			"--output out.txt -output 48 --format json --and -o out --quiet -width 2",
			[]taskbenchapp.Graph{
				def(func(g *taskbenchapp.Graph) { g.Output = 48 }),
				def(func(g *taskbenchapp.Graph) { g.Width = 2 }),
			},
		},
		{"--output-bytes 64 -v -worker=2", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) { g.Output = 64 })}},
		{"-type spread", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) { g.Type, g.Period = taskbenchapp.Spread, 3 })}},
		{"-type spread -period 2", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) { g.Type, g.Period = taskbenchapp.Spread, 2 })}},
		{"-steps 3 -- -steps 4", []taskbenchapp.Graph{def(func(g *taskbenchapp.Graph) { g.Steps = 3 })}},
	} {
		t.Run(c.args, func(t *testing.T) {
			f := newTaskbenchFlags(flagsTo(nil).Session)
			if err := f.Cmd.ParseFlags(doubleDashes(f.Cmd.Flags(), strings.Fields(c.args))); err != nil {
				t.Fatal(err)
			}
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

func TestTaskbenchCompletion(t *testing.T) {
	for _, c := range []struct {
		args string
		word string
		want string
	}{
		{"-type", "", "stencil_1d_periodic\n"},
		{"-kernel", "", "load_imbalance\n"},
		{"", "--st", "--steps\ttimesteps\n"},
		{"--format", "", "json\n"},
		{"", "--wind", "--window\t"},
	} {
		args := append([]string{"__complete", "taskbench"}, strings.Fields(c.args)...)
		_, out, _ := call(t.Context(), noEnv, append(args, c.word)...)
		if !strings.Contains(out, c.want) {
			t.Errorf("after %q, %q completes to %q, want %q in it", c.args, c.word, out, c.want)
		}
	}
}

func TestTaskbenchEnvironment(t *testing.T) {
	env := envOf("OCRBENCH_WORKERS=1", "OCRBENCH_SAMPLES=2", "OCRBENCH_FORMAT=json")
	_, out, _ := call(t.Context(), env, "taskbench", "-worker", "2", "--no-floor", "--sample-time", "10us", "--quiet")
	var d struct{ Config map[string]any }
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Config["workers"] != 2.0 || d.Config["samples"] != 2.0 || d.Config["warmup"] != 1.0 || d.Config["env"] != "OCRBENCH_FORMAT=json OCRBENCH_SAMPLES=2" {
		t.Errorf("configuration %v", d.Config)
	}
}
