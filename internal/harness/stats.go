package harness

import (
	"fmt"
	"strconv"

	"ocr/internal/report"
	"ocr/internal/workspan"
)

// observedStats is the member stats of a document in JSON.
type observedStats struct {
	Run    string `json:"run"`
	Ending string `json:"ending,omitempty"` // why the run was interrupted
	workspan.Result
}

// Report returns what --stats reports; nil if it was not asked for or nothing ran.
func (w *Watch) Report() *report.Stats {
	if w == nil || w.meter == nil {
		return nil
	}
	r := w.meter.Result()
	value := observedStats{Run: w.run, Result: r}
	title := "one run of " + w.run + ", observed"
	if w.ending != nil {
		value.Ending = w.ending.Error()
		title += " until it was interrupted"
	}
	return &report.Stats{Value: value, Sections: []report.Section{
		{Title: title, Table: totalsTable(&r), Body: "T1 and Tinf include time in which the system took the processor away\n"},
		{Title: "workers, times in us", Table: workersTable(&r)},
		{Title: "bodies by template, times in us", Table: templatesTable(&r)},
	}}
}

// totalsTable tells the run as a whole.
func totalsTable(r *workspan.Result) report.Table {
	whole := func(n uint64) string { return strconv.FormatUint(n, 10) }
	parallelism := "-"
	if r.Span > 0 {
		parallelism = report.Short(r.Parallelism)
	}
	return report.Table{Left: 1, Rows: [][]string{
		{"EDTs", whole(r.EDTs)},
		{"steals", whole(r.Steals)},
		{"parks", whole(r.Parks)},
		{"longest queue (EDTs ready at a time)", strconv.FormatInt(r.LongestQueue, 10)},
		{"work T1 (bodies), us", microseconds(r.Work)},
		{"T1 and the runtime between bodies, us", microseconds(r.WithRuntime)},
		{"span Tinf (longest path), us", microseconds(r.Span)},
		{"average parallelism T1/Tinf", parallelism},
	}}
}

func workersTable(r *workspan.Result) report.Table {
	t := report.Table{Head: []string{"worker", "EDTs", "steals", "parks", "body", "runtime", "spinning", "parked", "body %"}}
	row := func(name string, edts, steals, parks uint64, s workspan.Split) {
		t.Rows = append(t.Rows, []string{
			name, strconv.FormatUint(edts, 10), strconv.FormatUint(steals, 10), strconv.FormatUint(parks, 10),
			microseconds(s.Body), microseconds(s.Runtime), microseconds(s.Spinning), microseconds(s.Parked), percent(s.Body, s.Sum()),
		})
	}
	for k, w := range r.Workers {
		row(strconv.Itoa(k), w.EDTs, w.Steals, w.Parks, w.Split)
	}
	if len(r.Workers) > 1 {
		row("all", r.EDTs, r.Steals, r.Parks, r.Total)
	}
	return t
}

func templatesTable(r *workspan.Result) report.Table {
	t := report.Table{Left: 1, Head: []string{"template", "EDTs", "total", "mean", "min", "max", "% of T1"}}
	for _, x := range r.Templates {
		t.Rows = append(t.Rows, []string{
			report.Plain(x.Name), strconv.FormatUint(x.Count, 10), microseconds(x.Total),
			report.Short(x.Mean / 1e3), microseconds(x.Min), microseconds(x.Max), percent(x.Total, r.Work),
		})
	}
	return t
}

func microseconds(ns int64) string { return report.Short(float64(ns) / 1e3) }

func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}
