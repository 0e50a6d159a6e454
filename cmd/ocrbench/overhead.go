package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	overheadapp "ocr/apps/overhead"
	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/runtime"
)

const overheadName = "overhead"

var overhead = app{
	name:    overheadName,
	short:   "What every operation of the runtime costs, beside plain Go",
	command: func(s *session) *cobra.Command { return new(overheadFlags).command(s) },
}

// overheadFlags are the flags of overhead.
type overheadFlags struct {
	rows     string // comma-separated patterns
	workers  []int  // empty: 1 and all
	list     bool
	full     bool
	sabotage bool
}

// overheadSampleTime is the default of --sample-time: there are some three hundred
// alternatives to sample.
const overheadSampleTime = 3 * time.Millisecond

func (f *overheadFlags) command(ses *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: overheadName + " [ROW...]",
		Long: `Measure what each operation of the runtime costs, on one worker and on all, beside
plain Go that does a like thing, and verify each run by the runtime's own counts.

Without a ROW all are measured but those of a million EDTs, which --full adds: it takes
about a minute. A ROW is a name as --list shows it, or the part before its first slash,
with the shell's wildcards.

Of a call, batches of 256 and more are timed inside an EDT; making ready what they
need, and what they make ready, is not in the figure. On several workers all do so at the
same time, each in EDTs bound to it: ns/op is what a call takes a worker, Mop/s what all do
together. The rows chain and acquire-release are chains of EDTs, one on each worker. Fans,
trees, fib, finish-scope and edt-create-run are whole graphs, made and run on all workers
together: ns/op is their time by the EDTs or calls in them. empty-loop tells what the loop
around a call and the clock take: it is not subtracted.

allocs/op counts what the Go heap gives out between the first timed operation and the
last. Rows of memory tell by how much the process grows for an object, over batches of
16 384 and 65 536 (goroutines: 4096): the heap's live bytes and the stacks, after a
collection, and what is resident outside of the heap. They are measured first, on one
worker.

Each row takes turns with its peers, sample by sample. A peer has as many processors for
Go as the row has workers; x Go is how many times its time the row takes.

--trace, --dot and --stats are flags of commands that run a graph: hello, synch_p2p,
taskbench, pgas, c2c.`,
		Example: `  ocrbench overhead
  ocrbench overhead edt-create 'satisfy/waiters=[18]' --workers 1
  ocrbench overhead --rows 'acquire-release*,chain' --samples 20 --format json -o run.json
  ocrbench overhead 'fan-*' --full
  ocrbench overhead --list`,
		ValidArgsFunction: completeRows,
	}
	s := ses.flagsOf(cmd)
	f.define(s, cmd)
	cmd.RunE = s.run(func(ctx context.Context, bed *harness.Testbed, out *harness.Output) error {
		return f.run(ctx, s, bed, out)
	})
	return cmd
}

// define gives the command its flags.
func (f *overheadFlags) define(s *commonFlags, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.rows, "rows", "", "`LIST` of rows to measure, as positional ones (default: all)")
	fs.BoolVar(&f.list, "list", false, "list the rows that would be measured, and measure nothing")
	fs.BoolVar(&f.full, "full", false, "rows of a million EDTs too")
	fs.Var(&countList{&f.workers, 1, runtime.MaxWorkers}, "workers", "numbers of workers, one after the other (default: 1 and the processors allowed)")
	cli.Twin(fs, "workers")
	s.placementFlags()
	s.sampling.SampleTime = overheadSampleTime
	s.sampleFlags()
	s.runFlags(aptness{unscheduled: whyNotTimed, unchecked: "it measures what the runtime costs, which check mode hides"})
	fs.Lookup("sample-time").Usage = "shortest timed part of a sample, on one of its workers [OCRBENCH_SAMPLE_TIME]"
	fs.BoolVar(&f.sabotage, "sabotage", false, "count an EDT too many, for tests of the verification")
	if err := fs.MarkHidden("sabotage"); err != nil {
		panic(err) // the flag was defined a line above
	}
	s.outputFlags()
	s.notObserved("use ocrbench taskbench for one graph")
}

func (f *overheadFlags) run(ctx context.Context, s *commonFlags, bed *harness.Testbed, out *harness.Output) error {
	rows, err := f.chosen(s.cmd, s.args)
	if err != nil {
		return err
	}
	r, err := f.resolve(s, bed, out, rows)
	if err != nil {
		return err
	}
	if f.list {
		return r.listRows()
	}
	return r.measure(ctx)
}

// patterns returns what --rows and the positional arguments ask for.
func (f *overheadFlags) patterns(names []string) []string {
	if f.rows == "" {
		return names
	}
	return append(strings.Split(f.rows, ","), names...)
}

// chosen returns the rows of a command line.
func (f *overheadFlags) chosen(cmd *cobra.Command, names []string) ([]*overheadapp.Row, error) {
	if f.rows == "" && cmd.Flags().Changed("rows") {
		return nil, cli.Usagef(`--rows "": must be a comma-separated list of rows, see ocrbench overhead --list`)
	}
	rows, err := overheadapp.Select(overheadapp.Rows(), f.patterns(names), f.full)
	var bad *overheadapp.SelectError
	if !errors.As(err, &bad) {
		if err == nil && len(rows) == 0 {
			return nil, cli.Usagef("row %s: needs --full, or its whole name", report.Plain(strings.Join(f.patterns(names), ",")))
		}
		return rows, err
	}
	if errors.Is(err, path.ErrBadPattern) {
		return nil, cli.Usagef("row %s: is not a pattern: see ocrbench overhead --list", report.Plain(bad.Pattern))
	}
	return nil, cli.Usagef("unknown row %s: must be one of %s, or a pattern of names that --list shows", report.Plain(bad.Pattern), strings.Join(overheadOperations(), ", "))
}

// overheadOperations returns the operations of all rows, each once.
func overheadOperations() []string {
	var names []string
	for _, r := range overheadapp.Rows() {
		if name, _, _ := strings.Cut(r.Name, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func completeRows(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := overheadOperations()
	for _, r := range overheadapp.Rows() {
		names = append(names, r.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(given, name) }), cobra.ShellCompDirectiveNoFileComp
}

// listRows lists the rows that were chosen.
func (r *overheadRun) listRows() error {
	t := tabwriter.NewWriter(r.stdio.out, 0, 0, 3, ' ', 0)
	for _, row := range r.rows {
		var peers []string
		for _, p := range row.Peers {
			peers = append(peers, p.Name)
		}
		beside := ""
		if len(peers) > 0 {
			beside = "; beside " + strings.Join(peers, ", ")
		}
		fmt.Fprintf(t, "%s\t%s%s\n", row.Name, row.What, beside)
	}
	return t.Flush()
}

// countList is a flag value: whole numbers within a range, each once.
type countList struct {
	p      *[]int
	lo, hi int
}

func (c *countList) Set(text string) error {
	var list []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < c.lo || n > c.hi {
			return fmt.Errorf("must be a comma-separated list of whole numbers in %d..%d", c.lo, c.hi)
		}
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	*c.p = list
	return nil
}

func (c *countList) Type() string { return "LIST" }

func (c *countList) String() string {
	if c.p == nil {
		return ""
	}
	return joined(*c.p)
}

// joined writes numbers as countList reads them.
func joined(list []int) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
