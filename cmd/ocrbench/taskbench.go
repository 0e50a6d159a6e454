package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/internal/sys"
)

const taskbenchName = "taskbench"

var taskbench = app{
	name:    taskbenchName,
	short:   "Task Bench's parameterised graphs as EDTs, with its flags and its output",
	command: func(s *session) *cobra.Command { return new(taskbenchFlags).command(s) },
}

// taskbenchFlags are the flags of taskbench.
type taskbenchFlags struct {
	graphs  []*benchGraph // at least one
	workers *pflag.Flag   // --workers, which -worker sets too
	nodes   bool          // -nodes 1
	field   string        // as given; empty where it was not
	verbose bool
	window  int
	place   string
	noFloor bool
}

// benchGraph is a graph of the command line, with the numbers as they were given.
type benchGraph struct {
	taskbenchapp.Graph
	given map[string]string // by flag, of those given
}

func newBenchGraph() *benchGraph {
	return &benchGraph{taskbenchapp.DefaultGraph(), map[string]string{}}
}

// graph is the one that flags are of at the moment.
func (f *taskbenchFlags) graph() *benchGraph { return f.graphs[len(f.graphs)-1] }

func (f *taskbenchFlags) command(ses *session) *cobra.Command {
	f.graphs = []*benchGraph{newBenchGraph()}
	cmd := &cobra.Command{
		Use: taskbenchName + " [-steps N] [-width N] [-type TYPE] ... [-and ...]",
		Long: `Run task graphs of Task Bench (Slaughter et al., SC20) as EDTs. A graph has a row of
tasks for each timestep; its type says which tasks of the row before a task takes inputs
from. A task checks every input, runs a kernel and writes an output.

Task Bench's flags, with its defaults. All but -output may have two dashes instead:
` + benchFlagList() + `
Types: ` + strings.Join(taskbenchapp.Patterns(), ", ") + `

The text is Task Bench's own, for its users' scripts; what it does not have stands in
lines that begin with #. Elapsed Time is of one run, from the creation of its first EDT to
the end of its last task; the run is the first and cold one unless --samples or --warmup
ask for more, then the one with the median time. An unknown flag is an error, where Task
Bench ignores it.

Beside the graphs are measured the floor, which is the same kernels, outputs and checks in
plain loops of as many goroutines without a runtime (of fewer steps where it would take
long), and the peak, which is compute_bound alone with many iterations.`,
		Example: `  ocrbench taskbench -steps 1000 -width 8 -type stencil_1d -kernel compute_bound -iter 64 -worker 2
  ocrbench taskbench -steps 1000 -width 4 -type dom -and -steps 500 -width 8 -type fft
  ocrbench taskbench -steps 1000 -width 8 -type nearest -radix 5 --samples 10 --format json`,
		DisableFlagParsing: true,
		ValidArgsFunction:  f.complete,
	}
	s := ses.flagsOf(cmd)
	s.workerFlags()
	f.workers = cmd.Flags().Lookup("workers")
	f.sampleFlags(s, cmd)
	f.placeFlags(s, cmd)
	s.outputFlags()
	s.observeFlags()
	cmd.PersistentPreRunE = func(cmd *cobra.Command, args []string) error { return f.parse(s, cmd, args) }
	s.runFlags(aptness{eased: map[string]string{"no-floor": "true"}})
	cmd.RunE = s.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
		r, err := f.resolve(s, cmd, bed, out)
		if err != nil {
			return err
		}
		return r.measure(ctx)
	})
	return cmd
}

// sampleFlags are the common ones; one run is a sample, and the only one in text.
func (f *taskbenchFlags) sampleFlags(s *commonFlags, cmd *cobra.Command) {
	s.sampling.Samples, s.sampling.Warmup = 1, 0
	s.sampleFlags()
	fs := cmd.Flags()
	for name, about := range map[string][2]string{
		"samples":     {"1", "runs that are kept; by default 10 where --format is not text"},
		"warmup":      {"0", "runs that are made and dropped first; by default 1 where --format is not text"},
		"sample-time": {"10ms", "shortest sample of the floor, of the peak and, where --format is not text, of the graphs: runs repeat until it is reached"},
	} {
		flag := fs.Lookup(name)
		flag.DefValue, flag.Usage = about[0], about[1]
		cli.Twin(fs, name)
	}
	fs.BoolVar(&f.noFloor, "no-floor", false, "do not measure the floor and the peak")
}

func (f *taskbenchFlags) placeFlags(s *commonFlags, cmd *cobra.Command) {
	d := taskbenchapp.Defaults()
	f.window = d.Window
	cmd.Flags().Var(&count{&f.window, 2, maxBenchWindow}, "window", "outputs of a column that may wait to be read; bounds memory")
	fs := cmd.Flags()
	f.place = string(d.Place)
	fs.Var(cli.Choice(&f.place, taskbenchPlaces()...), "place", "how columns are placed on workers: "+list(taskbenchPlaces()))
}

// maxBenchWindow bounds --window, as the app does.
const maxBenchWindow = 1 << 16

func taskbenchPlaces() []string {
	return spelled([]taskbenchapp.Placement{taskbenchapp.PlaceBound, taskbenchapp.PlaceStealable, taskbenchapp.PlaceNone})
}

// benchFlagList lists Task Bench's flags for the help text.
func benchFlagList() string {
	g := taskbenchapp.DefaultGraph()
	defaults := map[string]any{
		"steps": g.Steps, "width": g.Width, "type": g.Type, "radix": g.Radix, "fraction": g.Fraction,
		"period": "0; spread and random_nearest: 3", "kernel": g.Kernel.Kind, "iter": g.Kernel.Iterations,
		"output": g.Output, "scratch": g.Scratch, "sample": g.Kernel.Samples, "imbalance": g.Kernel.Imbalance,
	}
	var lines strings.Builder
	for _, flag := range benchFlags() {
		usage := flag.usage
		if value, ok := defaults[flag.name]; ok {
			usage += fmt.Sprintf(" (%v)", value)
		}
		fmt.Fprintf(&lines, "  -%-23s %s\n", strings.TrimSpace(flag.name+" "+flag.arg), usage)
	}
	return lines.String()
}

// parse reads the command line, which cobra left alone.
func (f *taskbenchFlags) parse(s *commonFlags, cmd *cobra.Command, args []string) error {
	others, err := f.takeArgs(cmd, args)
	if err != nil {
		return err
	}
	if err := cmd.Flags().Parse(others); err != nil {
		return s.line.FlagError(cmd, err)
	}
	if help, err := cmd.Flags().GetBool("help"); err == nil && help {
		return pflag.ErrHelp
	}
	if err := cli.NoArgs(cmd, cmd.Flags().Args()); err != nil {
		return err
	}
	return s.line.ApplyEnv(cmd)
}

// resolve checks what the command line asks for against itself and this machine.
func (f *taskbenchFlags) resolve(s *commonFlags, cmd *cobra.Command, bed *harness.Testbed, out *harness.Output) (*taskbenchRun, error) {
	cfg, err := f.config(s)
	if err != nil {
		return nil, err
	}
	if s.format != "text" {
		f.manySamples(s, cmd, bed)
	}
	return &taskbenchRun{commonFlags: s, bed: bed, out: out, flags: f, cfg: cfg}, nil
}

// manySamples sets what was not given to what an interval needs.
func (f *taskbenchFlags) manySamples(s *commonFlags, cmd *cobra.Command, bed *harness.Testbed) {
	fs := cmd.Flags()
	if !s.check && !s.line.Given(fs.Lookup("samples")) {
		bed.Samples = 10
	}
	if !s.check && !s.line.Given(fs.Lookup("warmup")) {
		bed.Warmup = 1
	}
	s.sampling = bed.Sampling
}

// config returns what the app is to run.
func (f *taskbenchFlags) config(s *commonFlags) (taskbenchapp.Config, error) {
	cfg := taskbenchapp.Defaults()
	cfg.Verify, cfg.Window, cfg.Place = !s.noVerify, f.window, taskbenchapp.Placement(f.place)
	cfg.Graphs = nil
	for _, g := range f.graphs {
		if g.given["period"] == "" {
			g.Period = defaultPeriod(g.Type)
		}
		cfg.Graphs = append(cfg.Graphs, g.Graph)
	}
	err := cfg.Validate(sys.TotalMemory() / 4 * 3)
	var bad *trial.ConfigError
	if errors.As(err, &bad) {
		return cfg, f.badConfig(s, bad)
	}
	if err == nil {
		err = f.notNumbers(s)
	}
	return cfg, err
}

// defaultPeriod is Task Bench's.
func defaultPeriod(pattern taskbenchapp.Pattern) int {
	if pattern.UsesPeriod() {
		return taskbenchapp.DefaultPeriod
	}
	return 0
}

// badConfig says what a Config has that cannot be, as the user wrote it.
func (f *taskbenchFlags) badConfig(s *commonFlags, bad *trial.ConfigError) error {
	if bad.Graph == 0 {
		return cli.Usagef("%s", bad.Line("--"+bad.Flag, report.Plain(bad.Value)))
	}
	value := bad.Value
	if given, ok := f.graphs[bad.Graph-1].given[bad.Flag]; ok {
		value = given
	}
	return cli.Usagef("%s", bad.Line(s.benchSpelling(bad.Flag), report.Plain(value)))
}

// notNumbers finds a value that is not a number and that the app had no reason to refuse.
func (f *taskbenchFlags) notNumbers(s *commonFlags) error {
	for i, g := range f.graphs {
		for _, flag := range benchFlags() {
			given, ok := g.given[flag.name]
			if _, err := strconv.ParseFloat(given, 64); ok && err != nil {
				return f.refuseIn(i, len(f.graphs) > 1, s.benchSpelling(flag.name), given, "must be a number")
			}
		}
	}
	return nil
}

// benchSpelling returns a flag of Task Bench as the user wrote it.
func (s *commonFlags) benchSpelling(name string) string {
	double := "--" + name
	if name == "output" {
		double = "--" + outputBytes
	}
	if slices.ContainsFunc(s.line.Args, func(arg string) bool { return arg == double || strings.HasPrefix(arg, double+"=") }) {
		return double
	}
	return "-" + name
}

// settings returns the recorded configuration.
func (r *taskbenchRun) settings() report.Config {
	own := report.Config{{Key: "graphs", Value: len(r.cfg.Graphs)}}
	for _, s := range graphSettings(r.cfg.Graphs) {
		own = append(own, report.Setting{Key: s.Key, Value: s.Value})
	}
	own = append(own, report.Setting{Key: "window", Value: r.cfg.Window}, report.Setting{Key: "place", Value: string(r.cfg.Place)})
	return append(own, r.bed.Settings()...)
}

// graphSettings returns the parameters of graphs, those of several joined by a plus
// where they differ.
func graphSettings(graphs []taskbenchapp.Graph) report.Config {
	var all report.Config
	for _, p := range []struct {
		key string
		of  func(g taskbenchapp.Graph) any
	}{
		{"type", func(g taskbenchapp.Graph) any { return g.Type }},
		{"steps", func(g taskbenchapp.Graph) any { return g.Steps }},
		{"width", func(g taskbenchapp.Graph) any { return g.Width }},
		{"radix", func(g taskbenchapp.Graph) any { return g.Radix }},
		{"period", func(g taskbenchapp.Graph) any { return g.Period }},
		{"fraction", func(g taskbenchapp.Graph) any { return g.Fraction }},
		{"kernel", func(g taskbenchapp.Graph) any { return g.Kernel.Kind }},
		{"iter", func(g taskbenchapp.Graph) any { return g.Kernel.Iterations }},
		{"output", func(g taskbenchapp.Graph) any { return g.Output }},
		{"scratch", func(g taskbenchapp.Graph) any { return g.Scratch }},
		{"sample", func(g taskbenchapp.Graph) any { return g.Kernel.Samples }},
		{"imbalance", func(g taskbenchapp.Graph) any { return g.Kernel.Imbalance }},
	} {
		var values []string
		for _, g := range graphs {
			values = append(values, fmt.Sprint(p.of(g)))
		}
		if len(slices.Compact(slices.Clone(values))) == 1 {
			values = values[:1]
		}
		all = append(all, report.Setting{Key: p.key, Value: strings.Join(values, "+")})
	}
	return all
}
