package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/metg"
	"ocr/internal/report"
	"ocr/internal/sys"
)

const metgName = "metg"

var metgApp = app{
	name:    metgName,
	short:   "Smallest task size that is still efficient (METG) of Task Bench's graphs",
	command: func(s *session) *cobra.Command { return new(metgFlags).command(s) },
}

// metgFlags are the flags of metg. Lists are comma-separated.
type metgFlags struct {
	types, forms                                   string
	width, steps, radix, period, outputBytes, many int // 0: see the default of each
	fraction, imbalance                            float64
	window                                         int
	place                                          string
	threshold, perOctave                           int
	between                                        string
	longest                                        time.Duration
	noProbe                                        bool
	svg                                            string
}

// allTypes stands for every type in --types.
const allTypes = "all"

// Defaults of metg that are not Task Bench's. Its paper has nearest and spread with
// five dependences, and 1000 steps.
const (
	metgRadix        = 5
	metgLeastSteps   = 1000
	columnsAWorker   = 4
	metgMaxGraphs    = 64
	metgMaxPerOctave = 16
)

func (f *metgFlags) command(ses *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: metgName,
		Long: `Find METG(50 %), the minimum effective task granularity of Task Bench (Slaughter et al.,
SC20): the smallest average granularity of tasks, wall time x cores / tasks, at which half
of the peak rate of floating-point operations is reached.

For each type and form the iterations of kernel compute_bound are halved from a size at
more than 90 % of peak to one well below the threshold; then all sizes are measured again
in every repetition, in an order drawn anew, and so is the peak: compute_bound alone with
many iterations on the same number of cores. Each repetition gives a METG, between the two
sizes that bracket the threshold; the median of all is reported. Peak is the best of all
its samples, or of a size's where that is more, which does not flatter. Where no size lies below the threshold, or none
above, METG is told as a bound and has no metric. On a machine that others use too, see
METG of the best: of each size's best sample.

Forms: edt is the task graph, goroutines has a goroutine for each worker with channels
between them, floor is plain loops without any synchronisation, whose METG is what this
benchmark cannot see below.

Points have 1000 steps, or as many more as fill --sample-time, unless --steps says
otherwise. That steps do not matter is probed with kernel empty: four times the steps must
not cost more a task.

To look into one graph with --trace, --dot or --stats, use ocrbench taskbench.`,
		Example: `  ocrbench metg
  ocrbench metg --types stencil_1d,nearest,fft --workers 2 --width 8 --svg metg.svg
  ocrbench metg --types all --forms edt --format json -o metg.json`,
		Args: cli.NoArgs,
	}
	s := ses.flagsOf(cmd)
	f.graphFlags(s, cmd)
	f.searchFlags(s, cmd)
	s.workerFlags()
	s.sampleFlags()
	cmd.Flags().Lookup("samples").Usage = "repetitions of every sweep, each of which gives a METG [OCRBENCH_SAMPLES]"
	s.outputFlags()
	s.notObserved("use ocrbench taskbench for one graph")
	s.runFlags(aptness{unscheduled: whyNotTimed, unchecked: "it measures how small tasks may be, which check mode makes many times slower"})
	cmd.RunE = s.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
		r, err := f.resolve(s, cmd, bed, out)
		if err != nil {
			return err
		}
		return r.measure(ctx)
	})
	return cmd
}

func (f *metgFlags) graphFlags(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	d := taskbenchapp.DefaultGraph()
	f.types, f.forms = "trivial,stencil_1d,nearest,fft", strings.Join(metgForms(), ",")
	fs.Var(&words{&f.types, append(taskbenchapp.Patterns(), allTypes)}, "types", "`LIST` of dependence types: "+strings.Join(taskbenchapp.Patterns(), ", ")+", or all")
	fs.Var(&words{&f.forms, metgForms()}, "forms", "`LIST` of what to run against each other: "+strings.Join(metgForms(), ", "))
	fs.Var(&count{&f.width, 1, math.MaxInt32}, "width", fmt.Sprintf("most tasks of a timestep (default: %d for each worker)", columnsAWorker))
	fs.Var(&count{&f.steps, 1, math.MaxInt32}, "steps", fmt.Sprintf("timesteps (default: %d, or as many more as fill --sample-time)", metgLeastSteps))
	fs.Var(&count{&f.radix, 1, math.MaxInt32}, "radix", fmt.Sprintf("dependences of a task in nearest, spread, random_nearest (default: %d, or the width)", metgRadix))
	fs.Var(&count{&f.period, 1, math.MaxInt32}, "period", fmt.Sprintf("timesteps after which spread and random_nearest repeat (default: %d)", taskbenchapp.DefaultPeriod))
	f.fraction, f.outputBytes, f.many = d.Fraction, d.Output, 1
	fs.Var(&realFlag{&f.fraction, 0, 1}, "fraction", "share of dependences kept in random_nearest")
	fs.Var(&count{&f.outputBytes, 1, math.MaxInt32}, outputBytes, "bytes of a task's output")
	fs.Var(&realFlag{&f.imbalance, 0, 2}, "imbalance", "spread of iterations: above 0 the kernel is load_imbalance")
	fs.Var(&count{&f.many, 1, metgMaxGraphs}, "graphs", "equal graphs at once")
	all := taskbenchapp.Defaults()
	f.window = all.Window
	fs.Var(&count{&f.window, 2, maxBenchWindow}, "window", "outputs of a column that may wait to be read")
	f.place = string(all.Place)
	fs.Var(cli.Choice(&f.place, taskbenchPlaces()...), "place", "how columns are placed on workers: "+list(taskbenchPlaces()))
}

func (f *metgFlags) searchFlags(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	f.threshold, f.perOctave, f.longest = 50, 2, 100*time.Millisecond
	fs.Var(&count{&f.threshold, 1, 99}, "threshold", "percent of peak that METG is for")
	fs.Var(&count{&f.perOctave, 1, metgMaxPerOctave}, "per-octave", "sizes measured in a halving of the size")
	f.between = string(metg.Linear)
	fs.Var(cli.Choice(&f.between, string(metg.Linear), string(metg.Log)), "interpolate", "how granularity runs between two sizes: linear, log")
	fs.Var(&span{&f.longest, time.Millisecond, time.Hour}, "max-run", "no size is tried beyond one whose run takes as long")
	fs.BoolVar(&f.noProbe, "no-probe", false, "do not probe whether the cost of a task grows with the steps")
	fs.StringVar(&f.svg, "svg", "", "draw efficiency against granularity in `FILE`")
}

func metgForms() []string { return []string{formEDT, formGoroutines, formFloor} }

// resolve checks what the command line asks for against itself and this machine.
func (f *metgFlags) resolve(s *commonFlags, cmd *cobra.Command, bed *harness.Testbed, out *harness.Output) (*metgRun, error) {
	r := &metgRun{commonFlags: s, flags: f, bed: bed, out: out}
	p := bed.Pool
	if f.width == 0 {
		f.width = columnsAWorker * p.Workers
	}
	if f.radix == 0 {
		f.radix = min(metgRadix, f.width)
	}
	for _, pattern := range f.patterns() {
		cfg, err := f.config(s, pattern)
		if err != nil {
			return nil, err
		}
		r.groups = append(r.groups, r.newGroup(pattern, cfg))
	}
	var err error
	if r.svgFile, err = s.fileSink("svg", f.svg); err == nil && r.svgFile.Same(out.Results) {
		err = cli.Usagef("--svg %s: must be another file than that of the results", report.Plain(f.svg))
	}
	return r, err
}

// patterns resolves --types.
func (f *metgFlags) patterns() []taskbenchapp.Pattern {
	names := strings.Split(f.types, ",")
	var list []taskbenchapp.Pattern
	for _, name := range taskbenchapp.Patterns() {
		if pattern, err := taskbenchapp.ParsePattern(name); err == nil && (slices.Contains(names, name) || slices.Contains(names, allTypes)) {
			list = append(list, pattern)
		}
	}
	return list
}

// config returns the graphs of a type, without iterations.
func (f *metgFlags) config(s *commonFlags, pattern taskbenchapp.Pattern) (taskbenchapp.Config, error) {
	g := taskbenchapp.DefaultGraph()
	g.Type, g.Width, g.Steps, g.Output = pattern, f.width, max(f.steps, 1), f.outputBytes
	if f.steps == 0 {
		g.Steps = metgLeastSteps
	}
	if pattern.UsesRadix() {
		g.Radix = f.radix
	}
	if g.Period = defaultPeriod(pattern); g.Period > 0 && f.period > 0 {
		g.Period = f.period
	}
	g.Fraction = f.fraction
	g.Kernel.Kind = kernel.ComputeBound
	if f.imbalance > 0 {
		g.Kernel.Kind, g.Kernel.Imbalance = kernel.LoadImbalance, f.imbalance
	}
	cfg := taskbenchapp.Defaults()
	cfg.Verify, cfg.Window, cfg.Place = !s.noVerify, f.window, taskbenchapp.Placement(f.place)
	cfg.Graphs = []taskbenchapp.Graph{g}
	err := cfg.Validate(sys.TotalMemory() / 4 * 3 / uint64(f.many)) // all are equal: each has its part
	var bad *trial.ConfigError
	if errors.As(err, &bad) {
		err = f.badConfig(pattern, bad)
	}
	cfg.Graphs = slices.Repeat(cfg.Graphs, f.many)
	return cfg, err
}

// badConfig says what a graph of a type has that cannot be.
func (f *metgFlags) badConfig(pattern taskbenchapp.Pattern, bad *trial.ConfigError) error {
	flag := bad.Flag
	if flag == "output" {
		flag = outputBytes
	}
	bad.About = ""
	if about := fmt.Sprintf("type %v", pattern); !strings.Contains(bad.Reason, about) {
		bad.About = "with " + about
	}
	return cli.Usagef("%s", bad.Line("--"+flag, report.Plain(bad.Value)))
}

// settings returns the recorded configuration.
func (r *metgRun) settings() report.Config {
	f := r.flags
	var types []string
	for _, g := range r.groups {
		types = append(types, g.pattern.String())
	}
	steps := "adaptive"
	if f.steps > 0 {
		steps = strconv.Itoa(f.steps)
	}
	own := report.Config{
		{Key: "types", Value: strings.Join(types, ",")}, {Key: "forms", Value: f.forms},
		{Key: "width", Value: f.width}, {Key: "fixed-steps", Value: steps}, {Key: "radix", Value: f.radix},
		{Key: "period", Value: cmp.Or(f.period, taskbenchapp.DefaultPeriod)},
		{Key: "fraction", Value: f.fraction}, {Key: "output-bytes", Value: f.outputBytes},
		{Key: "imbalance", Value: f.imbalance}, {Key: "graphs", Value: f.many},
		{Key: "window", Value: f.window}, {Key: "place", Value: f.place},
		{Key: "threshold", Value: f.threshold}, {Key: "per-octave", Value: f.perOctave},
		{Key: "interpolate", Value: f.between}, {Key: "max-run", Value: f.longest.String()}, {Key: "probe", Value: !f.noProbe},
	}
	return append(own, r.bed.Settings()...)
}

// resultName names a result of a type and form: what is not in it is as by default.
// The form edt is what a METG is of unless its name says otherwise.
func (r *metgRun) resultName(pattern taskbenchapp.Pattern, form string, settings ...string) string {
	f, d := r.flags, taskbenchapp.DefaultGraph()
	name := metgName + "/" + pattern.String()
	if form != formEDT {
		name += "/" + form
	}
	add := func(differs bool, key string, value any) {
		if differs {
			name += fmt.Sprintf("/%s=%v", key, value)
		}
	}
	all := taskbenchapp.Defaults()
	add(f.width != columnsAWorker*r.bed.Pool.Workers, "width", f.width)
	fixed := f.steps > 0 && !slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(s, "steps=") })
	add(fixed, "steps", f.steps)
	add(pattern.UsesRadix() && f.radix != min(metgRadix, f.width), "radix", f.radix)
	add(defaultPeriod(pattern) > 0 && f.period > 0 && f.period != defaultPeriod(pattern), "period", f.period)
	add(pattern == taskbenchapp.RandomNearest && f.fraction != d.Fraction, "fraction", f.fraction)
	add(f.outputBytes != d.Output, "output", f.outputBytes)
	add(f.imbalance > 0, "imbalance", f.imbalance)
	add(f.many > 1, "graphs", f.many)
	add(f.window != all.Window, "window", f.window)
	add(f.place != string(all.Place), "place", f.place)
	for _, s := range settings {
		name += "/" + s
	}
	return fmt.Sprintf("%s/workers=%d", name, r.bed.Pool.Workers)
}

// realFlag is a flag value: a number within a range.
type realFlag struct {
	p      *float64
	lo, hi float64
}

func (v *realFlag) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= v.lo && x <= v.hi) {
		return fmt.Errorf("must be a number in %v..%v", v.lo, v.hi)
	}
	*v.p = x
	return nil
}

func (v *realFlag) Type() string { return "X" }

func (v *realFlag) String() string {
	if v.p == nil {
		return ""
	}
	return strconv.FormatFloat(*v.p, 'g', -1, 64)
}
