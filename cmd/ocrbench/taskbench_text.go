package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/internal/bench"
	"ocr/internal/report"
)

// text writes Task Bench's text. Its scripts look for eight lines by expressions that
// are anchored at the start of a line; what Task Bench does not have stands in lines
// that begin with "# ", which none of them matches.
func (r *taskbenchRun) text(b *bytes.Buffer, d *report.Document) {
	textGraphs(b, r.cfg.Graphs)
	r.textRun(b, d)
	if run, ok := medianRun(r.runs); ok {
		r.textTotals(b, run)
		r.textAside(b, run)
	} else {
		remark(b, "no run was completed")
	}
	for _, warning := range d.Warnings {
		remark(b, "note: %s", warning)
	}
	if r.flags.verbose {
		remark(b, "%s", counterLine(d.Counters))
	}
	textStats(b, d.Stats)
}

// textStats writes what --stats tells, as remarks.
func textStats(b *bytes.Buffer, stats *report.Stats) {
	if stats == nil {
		return
	}
	var text strings.Builder
	_ = stats.WriteText(&text) // to memory, which takes it
	for line := range strings.Lines(text.String()) {
		remark(b, "%s", strings.TrimRight(line, "\n"))
	}
}

func remark(b *bytes.Buffer, format string, args ...any) {
	fmt.Fprintf(b, "# "+format+"\n", args...)
}

// textGraphs writes the configuration, as Task Bench does.
func textGraphs(b *bytes.Buffer, graphs []taskbenchapp.Graph) {
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
func (r *taskbenchRun) textRun(b *bytes.Buffer, d *report.Document) {
	checked := "tasks check their inputs"
	if r.noVerify {
		checked = "tasks do not check their inputs"
	}
	remark(b, "%s", versionLine(d.Build))
	remark(b, "cpu: %s; %d workers on %s (read back), bind %s, of mask %s", d.Machine.CPU, r.bed.Pool.Workers, placedOn(d.Machine.Placement), r.bind, d.Machine.Mask)
	remark(b, "policy: window %d, place %s, %s, one run is a sample", r.cfg.Window, r.cfg.Place, checked)
	remark(b, "policy: %s", sharingPolicy(r.cfg.Place)+r.crossing())
	if d.Partial {
		remark(b, "partial: %s after %d of %d runs", r.ending, len(r.runs), r.sampling.Samples)
	}
}

// sharingPolicy says which columns share a data block, and what that means for edges.
func sharingPolicy(p taskbenchapp.Placement) string {
	if p == taskbenchapp.PlaceBound {
		return "place bound: the columns of a worker share one data block, edges inside it are passed without access"
	}
	return fmt.Sprintf("place %s: a data block for each column, every edge between columns is passed with access", p)
}

// crossing says how many edges leave a worker where that is fixed.
func (r *taskbenchRun) crossing() string {
	if r.cfg.Place != taskbenchapp.PlaceBound || len(r.runs) == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of %d edges cross workers", r.cfg.Crossing(r.bed.Pool.Cores()), r.totals.Dependencies)
}

func placedOn(cpus []int) string {
	if len(cpus) == 0 {
		return "no processors"
	}
	var list []string
	for _, cpu := range cpus {
		list = append(list, strconv.Itoa(cpu))
	}
	return strings.Join(list, ",")
}

// medianRun returns the run with the median time, the quicker of two.
func medianRun(runs []taskbenchapp.Result) (taskbenchapp.Result, bool) {
	if len(runs) == 0 {
		return taskbenchapp.Result{}, false
	}
	sorted := slices.SortedFunc(slices.Values(runs), func(a, b taskbenchapp.Result) int { return cmp.Compare(a.Elapsed, b.Elapsed) })
	return sorted[(len(sorted)-1)/2], true
}

// textTotals writes the totals, as Task Bench does.
func (r *taskbenchRun) textTotals(b *bytes.Buffer, run taskbenchapp.Result) {
	t, seconds := r.totals, run.Elapsed.Seconds()
	fmt.Fprintf(b, "Total Tasks %d\nTotal Dependencies %d\n", t.Tasks, t.Dependencies)
	if r.flags.nodes {
		fmt.Fprintf(b, "  Local Dependencies %d (estimated)\n  Nonlocal Dependencies 0 (estimated)\n  Number of Nodes (used for estimate) 1\n", t.Dependencies)
	} else {
		b.WriteString("  Unable to estimate local/nonlocal dependencies\n")
	}
	fmt.Fprintf(b, "Total FLOPs %d\nTotal Bytes %d\nElapsed Time %e seconds\n", t.Flops, t.Bytes, seconds)
	fmt.Fprintf(b, "FLOP/s %e\nB/s %e\nTransfer (estimated):\n", float64(t.Flops)/seconds, float64(t.Bytes)/seconds)
	if !r.flags.nodes {
		b.WriteString("  Unable to estimate local/nonlocal transfer\n")
		return
	}
	local := t.Inputs
	fmt.Fprintf(b, "  Local Bytes %d\n  Nonlocal Bytes 0\n  Local Bandwidth %e B/s\n  Nonlocal Bandwidth %e B/s\n", local, float64(local)/seconds, 0.0)
}

// textAside writes what Task Bench does not have.
func (r *taskbenchRun) textAside(b *bytes.Buffer, run taskbenchapp.Result) {
	granularity := taskFigures(r.totals, r.bed.Pool, run.Elapsed, 1)[0].Value
	remark(b, "granularity: %s ns a task, wall time x %d cores / tasks", report.Short(granularity), r.bed.Pool.Cores())
	remark(b, "set-up before: %s s; outputs of a column in flight: at most %d", report.Short(run.Build.Seconds()), run.InFlight)
	if r.floor != nil {
		floor := bench.Summarize(r.floor.Metrics[0].Samples)
		remark(b, "floor: %s ns a task (median of %d), no runtime, %d plain loops; this run takes x%s",
			report.Short(floor.Median), floor.N, r.bed.Pool.Cores(), report.Short(granularity/floor.Median))
	}
	if r.peak != nil {
		r.textPeak(b, run)
	}
	if n := len(r.runs); n > 1 {
		var seconds []float64
		for _, each := range r.runs {
			seconds = append(seconds, each.Elapsed.Seconds())
		}
		s := bench.Summarize(seconds)
		remark(b, "spread: %d runs, median %e s, 95 %% interval %e .. %e, from %e to %e", n, s.Median, s.Lo, s.Hi, s.Min, s.Max)
	}
	if steps := 100 * r.bed.Machine.Clock; run.Elapsed < steps {
		remark(b, "note: the run took %v, under 100 steps of the clock (%v each): more -steps are needed", run.Elapsed, r.bed.Machine.Clock.Round(time.Nanosecond))
	}
}

func (r *taskbenchRun) textPeak(b *bytes.Buffer, run taskbenchapp.Result) {
	peak := bench.Summarize(r.peak.Metrics[0].Samples)
	efficiency := ""
	if r.totals.Flops > 0 {
		share := float64(r.totals.Flops) / run.Elapsed.Seconds() / peak.Max
		efficiency = fmt.Sprintf("; efficiency %.1f %%", 100*share)
	}
	remark(b, "peak: %e FLOP/s (best of %d, median %e), compute_bound alone on %d cores%s",
		peak.Max, peak.N, peak.Median, r.bed.Pool.Cores(), efficiency)
}

func counterLine(counters map[string]uint64) string {
	told := []string{"counters:"}
	for _, key := range slices.Sorted(maps.Keys(counters)) {
		told = append(told, key+"="+strconv.FormatUint(counters[key], 10))
	}
	return strings.Join(told, " ")
}
