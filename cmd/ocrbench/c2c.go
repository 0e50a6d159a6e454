package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	c2capp "ocr/apps/c2c"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/report"
)

const c2cName = "c2c"

var c2c = app{
	name:    c2cName,
	short:   "Core-to-core transfer: what a cache line costs between two processors, and what a task does",
	command: func(s *session) *cobra.Command { return new(c2cFlags).command(s) },
}

// formC names the results of the baseline in C.
const formC c2capp.Form = "c"

// Words and defaults of flags.
const (
	allTests       = "all"
	allPairs       = "all"
	noBaseline     = "none"
	defaultTrials  = 100
	defaultLines   = 20
	defaultTests   = "single,dual,array"
	quickLengths   = "64,512" // of the default tests
	defaultLengths = "1:4096"
	ringLengths    = "1:256"
)

// maxWarmup bounds --warmup: form edt makes all EDTs of a trial beforehand.
const maxWarmup = 1_000_000

// c2cFlags are the flags of c2c.
type c2cFlags struct {
	cpus, pairs       string
	skipSMT, sameCore bool

	stimLen, trials, warmup, lines         int
	exact                                  bool   // stimLen was asked for: no trial is made shorter
	tests, forms, layouts, widths, lengths string // comma-separated
	baseline                               string

	title, header, perTrial, stats bool
	svg, matrix                    string
}

func (f *c2cFlags) command(ses *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: c2cName,
		Long: `Send elements to and fro between two processors and report what one transfer takes.

Tests: single (both ends read and write one element), dual (each end writes an
element of its own), array and dual-array (the same with arrays, polled to the last
element), flow (an array one way, one element back), blocked (flow with a valid flag
and a reader that checks every value), ring (a bounded queue of blocks, credits
returned: bandwidth, no latency).

Forms: polled is two EDTs that poll a data block which both hold: the hardware. edt
is a chain of EDTs handed to and fro by satisfying events, made beforehand: the
runtime. edt-chain makes each EDT and event as it goes, edt-local does so on one
worker, edt-parked lets the receiver fall asleep first. goroutines is polled without
the runtime, and c, a baseline, the same loops in C.

A trial is stim-len transfers after a warm-up of 8 ms, timed at both ends; if --stim-len
is not given, it is made shorter if it would take more than that. Forms take turns, trial by trial, and
three trials of each are dropped first. A trial that a busy machine has spoilt is
taken again, three times; then its form is left out, and the exit code is 1.

By default single, dual and array (64 and 512 elements) are run in five forms and in
C, 8 bytes wide, in about 50 seconds.

--matrix writes one table after the other, each after a line that begins with # and
says of what: one for each test, width, length and layout.`,
		Example: `  ocrbench c2c
  ocrbench c2c --cpus 0,4 --test dual --width 1,2,4,8
  ocrbench c2c --test array,dual-array --width 4 --lengths 1:512 --forms polled
  ocrbench c2c --pairs all --skip-smt --forms polled --svg machine.svg --matrix machine.csv
  ocrbench c2c --trials 10 --print-trials --print-title=false`,
		Args: cli.NoArgs,
	}
	s := ses.flagsOf(cmd)
	f.placeFlags(cmd)
	f.trialFlags(s, cmd)
	f.choiceFlags(cmd)
	f.printFlags(cmd)
	s.outputFlags()
	s.observeFlags()
	s.runFlags(aptness{unscheduled: whyNotScheduled, long: true, eased: map[string]string{
		"trials": "1", "warmup": "10", "stim-len": "100",
		"forms": "polled,edt,edt-chain,edt-local", "baseline": noBaseline,
	}})
	cmd.RunE = s.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
		r, err := f.resolve(s, cmd, bed, out)
		if err != nil {
			return err
		}
		return r.measure(ctx)
	})
	return cmd
}

func (f *c2cFlags) placeFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.cpus, "cpus", "", "`A,B`: the processors of both ends, A sends first (default: two cores near each other)")
	fs.StringVar(&f.pairs, "pairs", "", "`LIST` of pairs of processors as 0:1,0:2, or all of those allowed, in place of --cpus")
	fs.BoolVar(&f.skipSMT, "skip-smt", false, "leave out pairs of two threads of one core")
	fs.BoolVar(&f.sameCore, "same-core", false, "allow both ends on one processor, as --cpus 0,0; without --cpus and --pairs, do that")
	cli.Twin(fs, "cpus")
}

func (f *c2cFlags) trialFlags(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	d := c2capp.Defaults()
	f.stimLen, f.trials, f.warmup, f.lines = d.Transfers, defaultTrials, 0, defaultLines
	fs.Var(&even{&f.stimLen, 2, c2capp.MaxTransfers}, "stim-len", "transfers of a trial, to and fro together")
	fs.Var(&count{&f.trials, 1, maxSamples}, "trials", "trials of each form that are kept")
	fs.Var(&count{&f.warmup, 0, maxWarmup}, "warmup", "transfers before the timed part of each trial; 0: as many as take 8 ms")
	fs.Var(&count{&f.lines, 1, c2capp.Lines}, "lines", "places in memory that trials take in turn: lines of one pair differ")
	s.sampling.Seed = 1
	fs.Var(&seed{&s.sampling.Seed}, "seed", "seed of the order in which forms take turns")
	cli.Twin(fs, "stim-len", "trials", "warmup", "seed")
}

func (f *c2cFlags) choiceFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.tests, f.widths, f.layouts = defaultTests, "8", "same,separate"
	f.forms, f.baseline = "polled,goroutines,edt,edt-chain,edt-local", "c,goroutines"
	tests := append(spelled(c2capp.Tests()), allTests)
	fs.Var(&words{&f.tests, tests}, "test", "`LIST` of tests: "+strings.Join(tests, ", "))
	fs.Var(&words{&f.forms, spelled(c2capp.Forms())}, "forms", "`LIST` of forms: "+strings.Join(spelled(c2capp.Forms()), ", "))
	fs.Var(&words{&f.widths, spelled(c2capp.Widths())}, "width", "`LIST` of element widths in bytes: 1, 2, 4, 8")
	fs.Var(&words{&f.layouts, spelled(c2capp.Layouts())}, "layout", "`LIST` of where the elements of test dual lie: same (one cache line), separate")
	fs.Var(&lengths{&f.lengths}, "lengths", "`LIST` of elements of an array, or of a ring's block: 1,512 or, doubling, 1:4096 (default "+quickLengths+"; with --test "+defaultLengths+", ring "+ringLengths+")")
	fs.Var(&words{&f.baseline, []string{string(formC), string(c2capp.Goroutines), noBaseline}}, "baseline", "`LIST` of forms that are run and that ratios are against: c (by gcc or cc), goroutines, none")
}

func (f *c2cFlags) printFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.title, "print-title", true, "text: print the facts of the run, and titles")
	fs.BoolVar(&f.header, "print-header", true, "text: print the heads of tables")
	fs.BoolVar(&f.perTrial, "print-trials", false, "text: print each trial")
	fs.BoolVar(&f.stats, "print-stats", true, "text: print statistics")
	fs.StringVar(&f.svg, "svg", "", "draw the pairs as a heat map in `FILE`")
	fs.StringVar(&f.matrix, "matrix", "", "write the matrix of pairs as CSV to `FILE`")
}

// resolve checks what the flags ask for against each other and this machine.
func (f *c2cFlags) resolve(s *commonFlags, cmd *cobra.Command, bed *harness.Testbed, out *harness.Output) (*c2cRun, error) {
	if f.baseline != noBaseline && slices.Contains(strings.Split(f.baseline, ","), noBaseline) {
		return nil, cli.Usagef("--baseline %s: none cannot be had together with another", f.baseline)
	}
	f.exact = cmd.Flags().Changed("stim-len") || f.stimLen != c2capp.Defaults().Transfers
	if f.exact && f.stimLen+f.warmup > c2capp.MaxMade && slices.Contains(f.formList(), c2capp.EDT) {
		return nil, cli.Usagef("--stim-len %d: form edt makes all EDTs of a trial beforehand: must be at most %d, warm-up included, or with other --forms", f.stimLen, c2capp.MaxMade)
	}
	m := bed.Machine
	var err error
	r := &c2cRun{commonFlags: s, flags: f, bed: bed, out: out, run: bed.Options, machine: m, find: map[c2cKey]*c2cRow{}}
	if r.pairs, err = f.pairList(s, cmd, m, &r.notes); err != nil {
		return nil, err
	}
	if !f.measurable(r.pairs) {
		return nil, cli.Usagef("--forms %s: no test of --test %s has one of these, and there is no --baseline to run beside", f.forms, f.tests)
	}
	if err := r.openFiles(cmd); err != nil {
		return nil, err
	}
	if r.observed() == nil {
		return r, bed.NeedsGraph(spelled(f.formList())...)
	}
	return r, nil
}

// measurable reports whether there is anything to measure.
func (f *c2cFlags) measurable(pairs []c2cPair) bool {
	for _, pair := range pairs {
		for _, g := range f.groups(pair) {
			for _, form := range f.formList() {
				if form == formC && pair.From != pair.To || form != formC && form.Has(g.test) {
					return true
				}
			}
		}
	}
	return false
}

// openFiles makes the sinks of the results.
func (r *c2cRun) openFiles(cmd *cobra.Command) (err error) {
	f := r.flags
	r.resultFile = r.out.Results
	if r.svgFile, err = r.pairFile(cmd, "svg", f.svg, r.pairs); err != nil {
		return err
	}
	if r.matrixFile, err = r.pairFile(cmd, "matrix", f.matrix, r.pairs); err != nil {
		return err
	}
	switch {
	case r.svgFile.Same(r.matrixFile):
		return cli.Usagef("--svg %s: --matrix names the same file", report.Plain(f.svg))
	case r.svgFile.Same(r.resultFile):
		return cli.Usagef("--svg %s: %s names the same file", report.Plain(f.svg), r.line.Source(cmd, "output"))
	case r.matrixFile.Same(r.resultFile):
		return cli.Usagef("--matrix %s: %s names the same file", report.Plain(f.matrix), r.line.Source(cmd, "output"))
	}
	return nil
}

// pairFile returns the sink of a file that shows the pairs as a matrix; nil where
// none is asked for.
func (r *c2cRun) pairFile(cmd *cobra.Command, flag, path string, pairs []c2cPair) (*harness.Sink, error) {
	if path != "" && len(matrixCPUs(pairs)) < 2 {
		return nil, cli.Usagef("--%s %s: needs a pair of two processors: both ends are on one", flag, report.Plain(path))
	}
	return r.fileSink(flag, path)
}

// testList returns the tests to run, each once, in their order.
func (f *c2cFlags) testList() []c2capp.Test {
	if slices.Contains(strings.Split(f.tests, ","), allTests) {
		return c2capp.Tests()
	}
	return chosen(f.tests, c2capp.Tests())
}

// formList returns the forms to run, those that are baselines included.
func (f *c2cFlags) formList() []c2capp.Form {
	forms := chosen(f.forms, c2capp.Forms())
	for _, form := range f.baselines() {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// baselines returns the forms that ratios are against.
func (f *c2cFlags) baselines() []c2capp.Form {
	return chosen(f.baseline, []c2capp.Form{c2capp.Goroutines, formC})
}

// lengthList returns the lengths that a test is run with.
func (f *c2cFlags) lengthList(test c2capp.Test) []int {
	if !test.HasLength() {
		return []int{1}
	}
	list, err := parseLengths(f.lengthText(test))
	if err != nil {
		panic(err) // the flag has accepted it
	}
	return list
}

// lengthText returns --lengths, or what stands for it.
func (f *c2cFlags) lengthText(test c2capp.Test) string {
	switch {
	case f.lengths != "":
		return f.lengths
	case f.tests == defaultTests:
		return quickLengths
	case test == c2capp.Ring:
		return ringLengths
	}
	return defaultLengths
}

// lengthTexts returns the lengths of all tests that have some, as they are recorded.
func (f *c2cFlags) lengthTexts() string {
	var texts []string
	for _, test := range f.testList() {
		text := f.lengthText(test)
		if test == c2capp.Ring && f.lengths == "" {
			text = "ring=" + text
		}
		if test.HasLength() && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}

// settings returns the recorded configuration; first is the pair where none were
// listed.
func (f *c2cFlags) settings(bed *harness.Testbed, first c2cPair) report.Config {
	pairs := cmp.Or(f.pairs, first.String())
	return append(report.Config{
		{Key: "tests", Value: f.tests}, {Key: "forms", Value: f.forms}, {Key: "baseline", Value: f.baseline},
		{Key: "widths", Value: f.widths}, {Key: "layouts", Value: f.layouts}, {Key: "lengths", Value: f.lengthTexts()},
		{Key: "pairs", Value: pairs}, {Key: "skip-smt", Value: f.skipSMT}, {Key: "same-core", Value: f.sameCore},
		{Key: "stim-len", Value: f.stimLen}, {Key: "lines", Value: f.lines},
		{Key: "ring-blocks", Value: c2capp.Defaults().Blocks},
		{Key: "seed", Value: bed.Seed}, {Key: "trials", Value: f.trials}, {Key: "warmup", Value: f.warmup},
		{Key: "env", Value: strings.Join(bed.Env, " ")},
	}, bed.CheckSetting()...)
}
