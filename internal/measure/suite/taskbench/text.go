package taskbench

import (
	"bytes"
	"cmp"
	"fmt"

	"ocr/apps/taskbench"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// text returns Task Bench's text. Task Bench's scripts look for eight lines, by expressions anchored at the start of a
// line, which match no line of the usual text.
func (r *run) text(d *report.Document) *report.Text {
	var b bytes.Buffer
	textGraphs(&b, r.cfg.App.Graphs)
	granularity := d.Metric(r.resultName("edt"), "ns/task")
	r.textRun(&b, d, granularity.N)
	if granularity.N > 0 {
		r.textTotals(&b, d, granularity)
	}
	for _, note := range d.Asides {
		remark(&b, "note: %s", note)
	}
	return &report.Text{Sections: []report.Section{{Body: b.String()}}}
}

func remark(b *bytes.Buffer, format string, args ...any) {
	fmt.Fprintf(b, "# "+format+"\n", args...)
}

func textGraphs(b *bytes.Buffer, graphs []taskbench.Graph) {
	b.WriteString("Running Task Benchmark\n  Configuration:\n")
	for i, g := range graphs {
		fmt.Fprintf(b, `    Task Graph %d:
      Time Steps: %d
      Max Width: %d
      Dependence Type: %v
      Radix: %d
      Period: %d
      Fraction Connected: %f
      Kernel:
        Type: %v
        Iterations: %d
        Samples: %d
        Imbalance: %f
      Output Bytes: %d
      Scratch Bytes: %d
`, i+1, g.Steps, g.Width, g.Type, g.Radix, g.Period, g.Fraction,
			g.Kernel.Kind, g.Kernel.Iterations, g.Kernel.Samples, g.Kernel.Imbalance, g.Output, g.Scratch)
	}
}

// textRun writes the build and the machine, and, if the document is partial, how many runs it has.
func (r *run) textRun(b *bytes.Buffer, d *report.Document, runs int) {
	remark(b, "%s", d.Build.Line(d.Program()))
	remark(b, "cpu: %s; %s on %s (read back), bind %v, place %s", d.Machine.CPU, r.bed.Pool,
		cmp.Or(sizes.Join(d.Machine.Placement), "no processors"), r.bed.Pool.Bind, r.cfg.App.Place)
	if d.Partial {
		remark(b, "partial: %d of %d %s", runs, r.bed.Samples, r.samples())
	}
}

// textTotals writes the totals and the median of the runs, as Task Bench does, and then lines that Task Bench does not
// write.
func (r *run) textTotals(b *bytes.Buffer, d *report.Document, granularity bench.Summary) {
	t, cores := r.totals, r.bed.Pool.Cores()
	seconds := func(nsPerTask float64) float64 { return nsPerTask * float64(t.Tasks) / float64(cores) / 1e9 }
	elapsed := seconds(granularity.Median)
	fmt.Fprintf(b, `Total Tasks %d
Total Dependencies %d
  Unable to estimate local/nonlocal dependencies
Total FLOPs %d
Total Bytes %d
Elapsed Time %e seconds
FLOP/s %e
B/s %e
Transfer (estimated):
  Unable to estimate local/nonlocal transfer
`, t.Tasks, t.Dependencies, t.Flops, t.Bytes, elapsed, float64(t.Flops)/elapsed, float64(t.Bytes)/elapsed)
	remark(b, "granularity: %s ns a task, wall time x %d cores / tasks; set-up before: %s s",
		report.Short(granularity.Median), cores, report.Short(r.last.Build.Seconds()))
	if floor := d.Metrics(r.resultName("floor")); floor != nil {
		times := bench.Ratio(d.Metrics(r.resultName("edt")).Samples("ns/task"), floor.Samples("ns/task"))
		remark(b, "floor: %s ns a task, no runtime, %d plain loops; this run takes x%s",
			report.Short(floor.Summary("ns/task").Median), cores, report.Short(times))
	}
	if peak := d.Metric(taskgraph.Peak(Name, r.bed.Pool).Name, "flop/s"); peak.N > 0 {
		remark(b, "peak: %e FLOP/s by compute_bound alone on %d cores; efficiency %.1f %%",
			peak.Max, cores, 100*float64(t.Flops)/elapsed/peak.Max)
	}
	if s := granularity; s.N > 1 {
		remark(b, "spread: %d %s, median %e s, 95 %% interval %e .. %e, from %e to %e", s.N, r.samples(), elapsed,
			seconds(s.Lo), seconds(s.Hi), seconds(s.Min), seconds(s.Max))
	}
}

// samples is what samples are called: those of the format text are single runs.
func (r *run) samples() string {
	if r.cfg.Text {
		return "runs"
	}
	return "samples"
}
