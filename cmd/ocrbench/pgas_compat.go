package main

import (
	"bytes"
	"fmt"
	"strings"

	pgasapp "ocr/apps/pgas"
)

// compat writes the results in the original suite's columns: a title with the number of
// pairs, then for a latency one line, else one line a size with the elements of a block,
// the repetitions and MB/s (2^20) or, for reductions, us. Strided tests have the count and
// the stride of elements before the figure, which is a block of one element each.
func (r *pgasRun) compat(b *bytes.Buffer) {
	var titles []string
	lines := map[string]string{}
	for _, row := range r.compatRows() {
		t := r.compatTitle(row)
		if _, ok := lines[t]; !ok {
			titles = append(titles, t)
		}
		lines[t] += r.compatLine(row)
	}
	for _, t := range titles {
		fmt.Fprintf(b, "\n%s\n%s", t, lines[t])
	}
}

// compatRows returns the rows of all classes; those at stride 1, which are the same
// whosever elements lie apart, once for each side.
func (r *pgasRun) compatRows() []*pgasRow {
	var rows []*pgasRow
	for class := latencyClass; class <= reductionClass; class++ {
		for _, row := range r.ordered(class) {
			if class != stridedClass || row.stride > 1 {
				rows = append(rows, row)
				continue
			}
			for _, side := range chosen(r.flags.sides, pgasSides()) {
				again := *row
				again.strided = side
				rows = append(rows, &again)
			}
		}
	}
	return rows
}

// compatTitle names a row but for its size and stride. What is not as in the original
// stands in brackets.
func (r *pgasRun) compatTitle(row *pgasRow) string {
	t := row.suiteTest()
	who := fmt.Sprintf("%d pairs", r.workers.workers/2)
	if !t.Uses.Pairs {
		who = fmt.Sprintf("%d PEs", r.workers.workers)
	}
	var apart []string
	if len(t.Uses.Syncs) > 0 {
		apart = append(apart, string(row.sync))
	}
	if t.Uses.Stride {
		apart = append(apart, string(row.strided))
	}
	if row.form != pgasapp.Direct {
		apart = append(apart, string(row.form))
	}
	for _, s := range row.settings() {
		if s.Key == "window" || s.Key == "completion" || s.Key == "mode" || s.Key == "type" {
			apart = append(apart, s.Key+"="+fmt.Sprint(s.Value))
		}
	}
	if t.Kind == pgasapp.Latency && row.bytes > 0 {
		apart = append(apart, fmt.Sprintf("%d bytes", row.bytes))
	}
	title := fmt.Sprintf("%s Test (%s)", strings.TrimSpace(t.Title), who)
	if len(apart) > 0 {
		title += " [" + strings.Join(apart, ", ") + "]"
	}
	return title
}

// compatLine writes one figure, the mean over all repetitions.
func (r *pgasRun) compatLine(row *pgasRow) string {
	t := row.suiteTest()
	switch {
	case t.Kind == pgasapp.Latency:
		return fmt.Sprintf("%20.8f us\n", row.mean("ns/op")/1e3)
	case t.Uses.Stride:
		element := r.config(row.pgasKey).ElementBytes
		return fmt.Sprintf("%20d %20d %20d %20d %17.3f\n", 1, row.repetitions, row.bytes/element, row.stride, row.mean("MB/s"))
	case t.Kind == pgasapp.Reduction:
		return fmt.Sprintf("%20d %20d %17.3f\n", row.bytes/row.element.Size(), row.repetitions, row.mean("ns/op")/1e3)
	}
	return fmt.Sprintf("%20d %20d %17.3f\n", row.bytes/pgasapp.DefaultElementBytes, row.repetitions, row.mean("MB/s"))
}
