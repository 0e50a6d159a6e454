package pgas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	app "ocr/apps/pgas"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// tables makes the tables of a document for its text.
type tables struct {
	d    *report.Document
	pool *testbed.Pool
	keys []key
}

func (t *tables) summary(k key, unit string) bench.Summary {
	return t.d.Metric(k.resultName(t.pool), unit)
}

func (t *tables) ns(k key) float64 { return t.summary(k, "ns/op").Median }

// ratios describes the ratio of a key's time to another's, over the rounds in which both have a sample.
func (t *tables) ratios(k, base key) bench.Summary {
	samples := func(k key) []float64 {
		for _, r := range t.d.Results {
			if r.Name == k.resultName(t.pool) {
				return r.Metrics.Samples("ns/op")
			}
		}
		return nil
	}
	if k == base {
		return bench.Summary{}
	}
	return bench.Ratios(samples(k), samples(base))
}

// text has a table for each kind of test. Rows that are compared with each other follow one another.
func (t *tables) text() *report.Text {
	text := &report.Text{}
	columns := []report.Column[key]{
		report.Words("test", func(k key) string { return k.test }),
		report.Words("form", func(k key) string { return string(k.form) }),
		report.Words("settings", key.settings),
		report.Words("size", func(k key) string { return sizes.Format(k.bytes) }),
	}
	timesDirect := report.Figure("times direct", func(k key) float64 { return t.ratios(k, k.in(app.Direct)).Median })
	figure := func(head, unit string) report.Column[key] {
		return report.Figure(head, func(k key) float64 { return t.summary(k, unit).Median })
	}
	time := []report.Column[key]{figure("median", "ns/op"), figure("mean", "mean-ns/op").Detail()}
	half := report.Figure("half", func(k key) float64 { // time of one way; 0 for tests in which one PE works alone
		if len(app.Lookup(k.test).Syncs) == 0 {
			return 0
		}
		return t.ns(k) / 2
	}).Detail()
	rates := []report.Column[key]{figure("MB/s", "pe-MB/s"), figure("all", "sum-MB/s")}
	add := func(kind app.Kind, title string, own ...report.Column[key]) {
		rows := slices.DeleteFunc(slices.Clone(t.keys), func(k key) bool {
			return app.Lookup(k.test).Kind != kind || t.summary(k, "ns/op").N == 0
		})
		slices.SortStableFunc(rows, func(a, b key) int {
			return cmp.Or(t.place(a)-t.place(b), cmp.Compare(a.sync, b.sync), a.bytes-b.bytes, a.stride-b.stride)
		})
		if len(rows) > 0 {
			table := report.Tabulate(rows, slices.Concat(columns, own, []report.Column[key]{timesDirect}))
			text.Sections = append(text.Sections, report.Section{Title: title, Table: table})
		}
	}
	add(app.Latency,
		"latency: ns an iteration, there and back, median over slices of the loop", append(slices.Clip(time), half)...)
	add(app.Bandwidth,
		"bandwidth: MB/s (10^6 bytes) of payload, of a PE in the median over slices, and of all in the mean", rates...)
	add(app.Reduction, "reduction: ns a sum to all, median over slices of the loop", time...)
	return text
}

func (t *tables) place(k key) int { return slices.Index(app.TestNames(), k.test) }

// settings lists the settings of a row.
func (k key) settings() string { return strings.TrimPrefix(strings.Join(k.assigned(), " "), "sync=") }

// meaning compares the first row that has a row of form direct beside it with that row.
func (t *tables) meaning() string {
	for _, k := range t.keys {
		direct := k.in(app.Direct)
		times := t.ratios(k, direct)
		if times.N == 0 || times.BelowConfidence {
			continue
		}
		what := strings.Join(strings.Fields(k.test+" "+k.settings()+" "+sizes.Format(k.bytes)), " ")
		return fmt.Sprintf("%s takes %s ns on blocks that an EDT holds; form %s takes %s that.", what,
			report.Short(t.ns(direct)), k.form, report.TimesAsLong(times))
	}
	return ""
}
