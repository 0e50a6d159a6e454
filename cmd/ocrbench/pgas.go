package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	pgasapp "ocr/apps/pgas"
	"ocr/apps/shmem"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/report"
)

const pgasName = "pgas"

var pgas = app{
	name:    pgasName,
	short:   "Put, get, synchronisation and reduction between processing elements (HPCTools' PGAS suite)",
	command: func(s *session) *cobra.Command { return new(pgasFlags).command(s) },
}

// pgasFlags are the flags of pgas. Lists are comma-separated.
type pgasFlags struct {
	partnerOffset, iters, segment, l2 int
	maxTime                           time.Duration

	sizes, strides                                   string // empty: the tests' own
	forms, syncs, windows, completions, modes, sides string
	types, baseline, element                         string
	self, full, compat, sabotage                     bool
	svg                                              string
}

// leastSamples is how many have a 95 % interval of their median.
const leastSamples = 6

// Words of --mode and --baseline.
const (
	modeHot    = "hot"
	modeStream = "stream"

	baseCopy      = "copy"
	baseCopyFresh = "copyfresh"
	baseLine      = "line"
	baseC2C       = "c2c"
)

func pgasBaselines() []string {
	return []string{baseCopy, baseCopyFresh, baseLine, baseC2C, noBaseline}
}

func (f *pgasFlags) command(ses *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: pgasName + " [TEST...]",
		Long: `Put, get and reduce between processing elements (PEs), which are pinned workers with
a segment of memory each, and report latency and bandwidth. Every transfer is verified
outside the timed part.

Tests:
` + pgasTestList() + `
Forms: direct is one EDT per PE that runs the loop on blocks which it holds; in edt
every put, get, notification and reduction step is an EDT or an event.

Without a TEST all are run, which takes about a minute. By default sizes are few
(` + pgasQuickList() + `)
and --window, --completion and --mode are varied one at a time. With --full sizes and
strides are the original suite's (4 B to 4 MiB doubling, strides 1 to 32) and settings
are combined in every way: some ten minutes. --sizes and --strides set either alone.

A sample is one run: calibration on PE 0, warm-up, N repetitions. N is what fits
--sample-time, or --iters, the same in all samples of a row unless --max-time cuts one.
Rows of one size take turns, sample by sample, with the baselines: Go's copy of the same
bytes on one core, of bytes that the partner has just written, a store and load of a
shared line, and c2c's hand-off between two lines.

--max-time is for the timed parts of a row's samples together: each has its share of what
is left, and ends at the next of 16 boundaries of its N once that is over; when all is
spent the row has no more samples, which a note tells. So a row may take longer by
the part between two boundaries, and has one sample, of at least one window, however
long that lasts. Calibration, warm-up and checks come on top.

Latency rows tell the time of an iteration, which is a round trip in some tests, and
then half of it. MB/s is 2^20 bytes a second, of each origin of transfers; aggregate is
all bytes from the first start to the last end. ns/op is a sample's mean; slice-min-ns,
slice-p50-ns and slice-p99-ns are over parts of samples, each the mean of some iterations
(slice-iterations). fits names the cache that what a row touches fits, as far as PE 0's
core has it.`,
		Example: `  ocrbench pgas
  ocrbench pgas putget --pes 4 --sizes 4:4MiB --iters 10000
  ocrbench pgas putbw getbw --sizes 4:4MiB --svg bandwidth.svg
  ocrbench pgas putput --sync p2p,flag --format json -o putput.json
  ocrbench pgas --compat --full --samples 1 --iters 10000`,
		ValidArgsFunction: completeTests,
	}
	s := ses.flagsOf(cmd)
	f.placeFlags(s, cmd)
	f.testFlags(s, cmd)
	f.printFlags(cmd)
	f.sampleFlags(s, cmd)
	s.outputFlags()
	s.observeFlags()
	s.runFlags(aptness{unscheduled: whyNotScheduled, long: true, eased: map[string]string{
		"iters": "4", "max-time": "20ms", "baseline": noBaseline, "sizes": "8,64KiB",
	}})
	cmd.RunE = s.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
		r, err := f.resolve(s, cmd, bed, out, s.args)
		if err != nil {
			return err
		}
		return r.measure(ctx)
	})
	return cmd
}

func (f *pgasFlags) placeFlags(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&count{&s.workers, 1, shmem.MaxPEs}, "pes", "processing elements, each a worker (default: the processors allowed, as an even number)")
	fs.Var(&count{&f.partnerOffset, 0, shmem.MaxPEs / 2}, "partner-offset", "`Q`: PE i pairs with i+Q where i mod 2Q < Q, else with i-Q (default 0: half of the PEs away)")
	s.placementFlags()
	cli.Twin(fs, "pes")
}

// sampleFlags are the common ones, with fewer samples: there are some two hundred rows.
func (f *pgasFlags) sampleFlags(s *commonFlags, cmd *cobra.Command) {
	s.sampling.Samples = leastSamples
	s.sampleFlags()
	cmd.Flags().Lookup("sample-time").Usage = "about how long the timed part of a sample is, where --iters does not say [OCRBENCH_SAMPLE_TIME]"
}

func (f *pgasFlags) testFlags(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&byteSizes{&f.sizes}, "sizes", "`LIST` of message sizes in bytes: 8,64KiB or, doubling, 4:4MiB (default: few, see above)")
	fs.Var(&stepList{&f.strides}, "strides", "`LIST` of strides in elements: 1,8 or, doubling, 1:32 (default 1,8)")
	fs.Var(&count{&f.iters, 0, 1 << 40}, "iters", "repetitions of a sample; 0: as many as fit --sample-time")
	f.maxTime = pgasapp.DefaultMaxTime
	fs.Var(&span{&f.maxTime, time.Millisecond, time.Hour}, "max-time", "timed parts of all samples of a row together, after which no more are taken (see above)")
	f.forms, f.syncs, f.windows, f.completions = "direct,edt", "barrier,p2p,flag", "1,64", "remote,local"
	f.modes, f.sides, f.types = "hot,stream", "target,origin,both", "int32"
	f.baseline = strings.Join(slices.DeleteFunc(pgasBaselines(), func(b string) bool { return b == noBaseline }), ",")
	list := func(p *string, name, usage string, allowed []string) {
		fs.Var(&words{p, allowed}, name, "`LIST` of "+usage+": "+strings.Join(allowed, ", "))
	}
	list(&f.forms, "forms", "forms", spelled(pgasForms()))
	list(&f.syncs, "sync", "how partners synchronise in putput, getget and sync", spelled(pgasSyncs()))
	list(&f.windows, "window", "puts between two completions", spelled(pgasWindows()))
	list(&f.completions, "completion", "what ends a window, in the direct form; in edt both are one", spelled(pgasCompletions()))
	list(&f.modes, "mode", "buffers, one or rotating over more than twice L2", pgasModes())
	list(&f.sides, "strided", "sides whose elements lie a stride apart", spelled(pgasSides()))
	list(&f.types, "type", "element types of reductions", spelled(shmem.Elements))
	list(&f.baseline, "baseline", "baselines", pgasBaselines())
	f.element = fmt.Sprint(pgasapp.DefaultElementBytes)
	fs.Var(cli.Choice(&f.element, "4", "8"), "element", "bytes of an element in strided tests: 4, 8")
	fs.BoolVar(&f.self, "self", false, "random tests may draw the PE itself as target")
	fs.Var(&byteSize{&f.segment, 1, 1 << 34}, "segment", "most bytes of a PE's segment that a test may use (default 64MiB)")
	fs.Var(&byteSize{&f.l2, 1, 1 << 30}, "l2", "second-level cache of a core, for --mode stream (default: this machine's)")
	fs.BoolVar(&f.full, "full", false, "the original suite's sizes and strides, and every combination of settings")
	fs.BoolVar(&f.sabotage, "sabotage", false, "corrupt the last transfer of PE 0, for tests of the verification")
	if err := fs.MarkHidden("sabotage"); err != nil {
		panic(err) // the flag was defined a line above
	}
}

func (f *pgasFlags) printFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.compat, "compat", false, "text in the original suite's columns; its settings and repetitions and no baselines, unless flags ask for others")
	fs.StringVar(&f.svg, "svg", "", "draw bandwidth and latency against size in `FILE`")
}

// likeOriginal sets the flags that were not given to what the original suite does.
func (f *pgasFlags) likeOriginal(cmd *cobra.Command) {
	for name, p := range map[string]*string{
		"sync": &f.syncs, "window": &f.windows, "completion": &f.completions, "mode": &f.modes, "baseline": &f.baseline,
	} {
		if !cmd.Flags().Changed(name) {
			*p = map[string]string{
				"sync": "barrier,p2p", "window": "1", "completion": "remote", "mode": modeHot, "baseline": noBaseline,
			}[name]
		}
	}
}

func pgasForms() []pgasapp.Form { return []pgasapp.Form{pgasapp.Direct, pgasapp.EDT} }
func pgasSyncs() []pgasapp.Sync {
	return []pgasapp.Sync{pgasapp.Barrier, pgasapp.Pairwise, pgasapp.Flag}
}
func pgasCompletions() []pgasapp.Completion {
	return []pgasapp.Completion{pgasapp.Remote, pgasapp.Local}
}
func pgasModes() []string { return []string{modeHot, modeStream} }
func pgasSides() []pgasapp.Side {
	return []pgasapp.Side{pgasapp.AtTarget, pgasapp.AtOrigin, pgasapp.AtBoth}
}

func pgasWindows() []int {
	var windows []int
	for w := 1; w <= 1024; w *= 2 {
		windows = append(windows, w)
	}
	return windows
}

func pgasTestNames() []string {
	var names []string
	for _, t := range pgasapp.Tests() {
		names = append(names, t.Name)
	}
	return names
}

// pgasTestList lists the tests for the help text, a line a class.
func pgasTestList() string {
	var lines strings.Builder
	classes := []string{"latency", "bandwidth", "strided", "reduction", "baselines"}
	for i, class := range classes {
		var names []string
		for _, t := range pgasapp.Tests() {
			if of := int(classOf(t)); of == i && !t.Uses.DirectOnly || t.Uses.DirectOnly && class == "baselines" {
				names = append(names, t.Name)
			}
		}
		fmt.Fprintf(&lines, "  %-10s %s\n", class, strings.Join(names, ", "))
	}
	return lines.String()
}

func completeTests(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	left := slices.DeleteFunc(pgasTestNames(), func(name string) bool { return slices.Contains(given, name) })
	return left, cobra.ShellCompDirectiveNoFileComp
}

// testsNamed returns the tests of a command line, in the suite's order: all but the
// baselines where it names none.
func testsNamed(names []string) ([]pgasapp.Test, error) {
	for _, name := range names {
		if _, ok := pgasapp.Lookup(name); !ok {
			return nil, cli.Usagef("unknown test %s: must be one of %s", report.Plain(name), strings.Join(pgasTestNames(), ", "))
		}
	}
	return slices.DeleteFunc(pgasapp.Tests(), func(t pgasapp.Test) bool {
		if len(names) == 0 {
			return t.Uses.DirectOnly
		}
		return !slices.Contains(names, t.Name)
	}), nil
}

// settings returns the recorded configuration.
func (f *pgasFlags) settings(bed *harness.Testbed, p *harness.Pool, tests []pgasapp.Test) report.Config {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	own := report.Config{
		{Key: "tests", Value: strings.Join(names, ",")}, {Key: "pes", Value: p.Workers}, {Key: "partner-offset", Value: f.partnerOffset},
		{Key: "sizes", Value: cmp.Or(f.sizes, "default")}, {Key: "strides", Value: cmp.Or(f.strides, "default")},
		{Key: "iters", Value: f.iters}, {Key: "max-time", Value: f.maxTime.String()},
		{Key: "forms", Value: f.forms}, {Key: "syncs", Value: f.syncs}, {Key: "windows", Value: f.windows},
		{Key: "completions", Value: f.completions}, {Key: "modes", Value: f.modes}, {Key: "sides", Value: f.sides},
		{Key: "types", Value: f.types}, {Key: "baselines", Value: f.baseline}, {Key: "element", Value: f.element},
		{Key: "self", Value: f.self}, {Key: "segment", Value: f.segment}, {Key: "l2", Value: f.l2}, {Key: "full", Value: f.full},
	}
	return append(own, bed.Settings()...)
}
