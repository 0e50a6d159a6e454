package taskbench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
)

// text returns Task Bench's text. Its scripts look for eight lines by expressions that are anchored at the start of a
// line; what Task Bench does not have stands in lines that begin with "# ", which none of them matches.
func (r *run) text(d *report.Document, notes []string) *report.Text {
	var b bytes.Buffer
	textGraphs(&b, r.app.Graphs)
	r.textRun(&b, d)
	if run, ok := medianRun(r.runs); ok {
		r.textTotals(&b, run)
		r.textAside(&b, run)
	} else {
		remark(&b, "no run was completed")
	}
	for _, note := range notes {
		remark(&b, "note: %s", note)
	}
	if r.cfg.Counters {
		remark(&b, "counters: %s", d.FactWords("counters"))
	}
	return &report.Text{Whole: true, Sections: []report.Section{{Body: b.String()}}}
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

// textRun writes what ran, and on what.
func (r *run) textRun(b *bytes.Buffer, d *report.Document) {
	checked := "tasks check their inputs"
	if !r.app.Verify {
		checked = "tasks do not check their inputs"
	}
	if r.cfg.Text {
		checked += ", one run is a sample"
	}
	remark(b, "%s", d.Build.Line(d.Program()))
	remark(b, "cpu: %s; %s on %s (read back), bind %v, of mask %s", d.Machine.CPU, r.bed.Pool,
		cmp.Or(sizes.Join(d.Machine.Placement), "no processors"), r.bed.Pool.Bind, d.Machine.Mask)
	remark(b, "policy: window %d, place %s, %s", r.app.Window, r.app.Place, checked)
	remark(b, "policy: %s", taskgraph.Sharing(r.app.Place))
	if r.err != nil {
		ending := "failed"
		if errors.Is(r.err, testbed.ErrInterrupted) || errors.Is(r.err, context.Canceled) {
			ending = "interrupted"
		}
		remark(b, "partial: %s after %d of %d runs", ending, len(r.runs), r.bed.Samples)
	}
}

// textTotals writes the totals, as Task Bench does.
func (r *run) textTotals(b *bytes.Buffer, run taskbench.Result) {
	t, seconds := r.totals, run.Elapsed.Seconds()
	fmt.Fprintf(b, "Total Tasks %d\nTotal Dependencies %d\n", t.Tasks, t.Dependencies)
	if r.cfg.Nodes == 1 {
		fmt.Fprintf(b, "  Local Dependencies %d (estimated)\n  Nonlocal Dependencies 0 (estimated)\n  Number of Nodes "+
			"(used for estimate) 1\n", t.Dependencies)
	} else {
		b.WriteString("  Unable to estimate local/nonlocal dependencies\n")
	}
	fmt.Fprintf(b, "Total FLOPs %d\nTotal Bytes %d\nElapsed Time %e seconds\n", t.Flops, t.Bytes, seconds)
	fmt.Fprintf(b, "FLOP/s %e\nB/s %e\nTransfer (estimated):\n", float64(t.Flops)/seconds, float64(t.Bytes)/seconds)
	if r.cfg.Nodes != 1 {
		b.WriteString("  Unable to estimate local/nonlocal transfer\n")
		return
	}
	local := t.Inputs
	fmt.Fprintf(b, "  Local Bytes %d\n  Nonlocal Bytes 0\n  Local Bandwidth %e B/s\n  Nonlocal Bandwidth %e B/s\n", local,
		float64(local)/seconds, 0.0)
}

// textAside writes what Task Bench does not have.
func (r *run) textAside(b *bytes.Buffer, run taskbench.Result) {
	granularity := taskgraph.Granularity(run.Elapsed, r.bed.Pool.Cores(), r.totals.Tasks)
	remark(b, "granularity: %s ns a task, wall time x %d cores / tasks", report.Short(granularity), r.bed.Pool.Cores())
	remark(b, "set-up before: %s s; outputs of a column in flight: at most %d", report.Short(run.Build.Seconds()),
		run.InFlight)
	if floor := r.floor.Metrics.Summary("ns/task"); floor.N > 0 {
		remark(b, "floor: %s ns a task (median of %d), no runtime, %d plain loops; this run takes x%s",
			report.Short(floor.Median), floor.N, r.bed.Pool.Cores(), report.Short(granularity/floor.Median))
	}
	if peak := r.peak.Metrics.Summary("flop/s"); peak.N > 0 {
		r.textPeak(b, run, peak)
	}
	if n := len(r.runs); n > 1 {
		var seconds []float64
		for _, each := range r.runs {
			seconds = append(seconds, each.Elapsed.Seconds())
		}
		s := bench.Summarize(seconds)
		remark(b, "spread: %d runs, median %e s, 95 %% interval %e .. %e, from %e to %e", n, s.Median, s.Lo, s.Hi, s.Min,
			s.Max)
	}
	if steps := 100 * r.bed.Machine.Clock; run.Elapsed < steps {
		remark(b, "note: the run took %v, under 100 steps of the clock (%v each): more -steps are needed", run.Elapsed,
			r.bed.Machine.Clock.Round(time.Nanosecond))
	}
}

func (r *run) textPeak(b *bytes.Buffer, run taskbench.Result, peak bench.Summary) {
	efficiency := ""
	if r.totals.Flops > 0 {
		share := float64(r.totals.Flops) / run.Elapsed.Seconds() / peak.Max
		efficiency = fmt.Sprintf("; efficiency %.1f %%", 100*share)
	}
	remark(b, "peak: %e FLOP/s (best of %d, median %e), compute_bound alone on %d cores%s",
		peak.Max, peak.N, peak.Median, r.bed.Pool.Cores(), efficiency)
}
