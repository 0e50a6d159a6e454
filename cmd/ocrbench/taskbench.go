package main

import (
	"cmp"
	"errors"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/taskbench"
)

var taskbenchApp = &command.Command{
	Name:  taskbench.Name,
	Group: command.Study,
	Short: "Task Bench's parameterised graphs as EDTs, with its output",
	Long: `Run task graphs of Task Bench (Slaughter et al., SC20) as EDTs, with its flags and defaults, with
two dashes (-output and -worker are --output-bytes and --workers). A task checks its inputs, runs a
kernel and writes an output. The text is Task Bench's own; lines that begin with #
have what it does not have: the floor, which is these tasks in plain loops, and the peak, which is
the kernel alone. Elapsed Time is of the first and cold run, unless --samples asks for more, or an
observed run came before. A sample of the text is one run: --sample-time is for the other formats.`,
	Examples: []string{
		"--width 8 --type stencil_1d --kernel compute_bound --iter 64 --workers 2",
		"--steps 1000 --width 4 --type dom --and --steps 500 --width 8 --type fft",
		"--steps 1000 --width 8 --type nearest --radix 5 --samples 10 --format json",
	},
	Has:   command.App,
	Small: map[string]string{"no-floor": "true"},
	Define: func(common *command.Flags) command.Body {
		f := &taskbenchFlags{Flags: common, cfg: taskbench.Config{App: taskbenchapp.Defaults()}, graph: newBenchGraph()}
		f.benchFlags()
		f.Bed.Samples, f.Bed.Warmup = 1, 0
		f.BoolVar(&f.noFloor, "no-floor", false, "do not measure the floor and the peak")
		places := taskbenchapp.Placements()
		f.Var(cli.Choice(&f.cfg.App.Place, places...), "place", "how columns are placed on workers: "+trial.Names(places))
		f.Verdict = f.resolve
		return command.Suite(taskbench.Run, &f.cfg)
	},
}

// stayOnRank says why a graph over several ranks needs EDTs with places.
const stayOnRank = "cannot be had together with --ranks: EDTs without a place all run on the first"

// taskbenchFlags has the values of taskbench's flags.
type taskbenchFlags struct {
	*command.Flags
	cfg     taskbench.Config
	graph   taskbenchapp.Graph   // the graph that flags set now
	graphs  []taskbenchapp.Graph // the graphs before it on the command line
	noFloor bool
}

// resolve sets the configuration. In text format a sample is one run.
func (f *taskbenchFlags) resolve() error {
	f.cfg.Text, f.cfg.Floor, f.cfg.App.Graphs = f.Bed.Format == "text", !f.noFloor, nil
	for _, g := range append(f.graphs, f.graph) {
		f.cfg.App.Graphs = append(f.cfg.App.Graphs, fit(g))
	}
	err := cmp.Or(f.RefuseIf(f.cfg.App.Place == taskbenchapp.PlaceNone && f.Ranks > 1, "place", stayOnRank),
		f.cfg.Validate())
	var bad *trial.ConfigError
	if errors.As(err, &bad) && bad.Flag == "output" {
		bad.Flag = outputBytes
	}
	return err
}
