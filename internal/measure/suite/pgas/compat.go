package pgas

import (
	"fmt"
	"strings"

	app "ocr/apps/pgas"
	"ocr/internal/show/report"
)

// compat returns the results as the original suite prints them: a title, and for a latency one line. A bandwidth or a
// reduction has a line of column heads, then a line for each size, or stride.
func (r *run) compat() *report.Text {
	heads := map[class]string{
		bandwidth: fmt.Sprintf("%20s %20s %17s\n", "blksize", "nrep", "bandwidth (MB/s)"),
		strided:   fmt.Sprintf("%20s %20s %20s %17s\n", "count", "stride", "nrep", "bandwidth (MB/s)"),
		reduction: fmt.Sprintf("%20s %20s %17s\n", "blksize", "nrep", "latency (us)"),
	}
	var titles []string
	tables := map[string]string{}
	for c := latency; c <= reduction; c++ {
		for _, x := range r.ordered(c) {
			title := r.compatTitle(x)
			if tables[title] == "" {
				titles = append(titles, title)
				tables[title] = "\n" + title + "\n" + heads[c]
			}
			tables[title] += x.compatLine(c)
		}
	}
	var b strings.Builder
	for _, title := range titles {
		b.WriteString(tables[title])
	}
	return &report.Text{NoTitle: true, Sections: []report.Section{{Body: b.String()}}}
}

func (x *row) compatLine(c class) string {
	elements, us, rate := x.bytes/app.ElementBytes, x.mean("ns/op")/1e3, x.mean("MB/s")
	switch c {
	case latency:
		return fmt.Sprintf("%20.8f us\n", us)
	case bandwidth:
		return fmt.Sprintf("%20d %20d %17.3f\n", elements, x.repetitions, rate)
	case strided:
		return fmt.Sprintf("%20d %20d %20d %17.3f\n", elements, x.stride, x.repetitions, rate)
	}
	return fmt.Sprintf("%20d %20d %17.3f\n", elements, x.repetitions, us)
}

// mean returns the mean of a unit over samples.
func (x *row) mean(unit string) float64 { return x.series.Metrics.Summary(unit).Mean }

// compatTitle names a row but for its size and stride. In brackets stands what the name
// and the original's settings do not say.
func (r *run) compatTitle(x *row) string {
	t := x.about()
	who := fmt.Sprintf("%d pairs", r.bed.Pool.Threads()/2)
	if !t.Uses.Pairs {
		who = fmt.Sprintf("%d PEs", r.bed.Pool.Threads())
	}
	var apart []string
	if len(t.Uses.Syncs) > 0 {
		apart = append(apart, string(x.sync))
	}
	if t.Uses.Stride {
		apart = append(apart, "strided at "+string(x.strided))
	}
	if x.form != app.Direct {
		apart = append(apart, string(x.form))
	}
	for _, s := range x.settings() {
		if s.Key == "window" {
			apart = append(apart, fmt.Sprint("window=", s.Value))
		}
	}
	if t.Kind == app.Latency && x.bytes != app.ElementBytes {
		apart = append(apart, fmt.Sprintf("%d bytes", x.bytes))
	}
	title := fmt.Sprintf("%s (%s)", t.Title, who)
	if len(apart) > 0 {
		title += " [" + strings.Join(apart, ", ") + "]"
	}
	return title
}
