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

type tables struct {
	d    *report.Document
	pool *testbed.Pool
	keys []key
}

func (t *tables) metrics(k key) bench.Metrics { return t.d.Metrics(k.resultName(t.pool)) }

func (t *tables) ns(k key) float64 { return t.metrics(k).Summary("ns/op").Median }

// timesDirect describes the ratio of a key's time to that of the direct form, over the rounds in which both have a
// sample.
func (t *tables) timesDirect(k key) bench.Summary {
	if k.form == app.Direct {
		return bench.Summary{}
	}
	return bench.Ratios(t.metrics(k).Samples("ns/op"), t.metrics(k.in(app.Direct)).Samples("ns/op"))
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
	timesDirect := report.Figure("times direct", func(k key) float64 { return t.timesDirect(k).Median })
	figure := func(head, unit string) report.Column[key] {
		return report.Figure(head, func(k key) float64 { return t.metrics(k).Summary(unit).Median })
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
			return app.Lookup(k.test).Kind != kind || t.metrics(k) == nil
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

// meaning compares a row with the row of form direct beside it: the first row for which both have enough samples.
func (t *tables) meaning() string {
	for _, k := range t.keys {
		times := t.timesDirect(k)
		if times.N == 0 || times.BelowConfidence {
			continue
		}
		what := strings.Join(strings.Fields(k.test+" "+k.settings()+" "+sizes.Format(k.bytes)), " ")
		return fmt.Sprintf("%s takes %s ns on blocks that an EDT holds; form %s takes %s that.", what,
			report.Short(t.ns(k.in(app.Direct))), k.form, report.TimesAsLong(times))
	}
	return ""
}
