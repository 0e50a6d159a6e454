package workspan

import (
	"fmt"
	"strconv"

	"ocr/internal/show/report"
	"ocr/observe/stats"
)

// Sections returns a result as text, under a title.
func Sections(title string, r *stats.Result) []report.Section {
	return []report.Section{
		{Title: title, Table: totalsTable(r), Body: "T1 and Tinf include time in which the system took the processor away\n"},
		{Title: "workers, times in us", Table: workersTable(r)},
		{Title: "bodies by template, times in us", Table: templatesTable(r)},
	}
}

// totalsTable returns the table of the run's totals.
func totalsTable(r *stats.Result) report.Table {
	parallelism := "-"
	if r.Span > 0 {
		parallelism = report.Short(r.Parallelism)
	}
	return report.Table{Left: 1, Rows: [][]string{
		{"EDTs", whole(r.EDTs)},
		{"steals", whole(r.Steals)},
		{"parks", whole(r.Parks)},
		{"work T1 (bodies), us", microseconds(r.Work)},
		{"T1 and the runtime between bodies, us", microseconds(r.WithRuntime)},
		{"span Tinf (longest path), us", microseconds(r.Span)},
		{"average parallelism T1/Tinf", parallelism},
	}}
}

func workersTable(r *stats.Result) report.Table {
	t := report.Table{Head: []string{"worker", "EDTs", "steals", "parks", "body", "runtime", "spinning", "parked",
		"body %"}}
	row := func(name string, w stats.Worker) {
		t.Rows = append(t.Rows, []string{
			name, whole(w.EDTs), whole(w.Steals), whole(w.Parks),
			microseconds(w.Body), microseconds(w.Runtime), microseconds(w.Spinning), microseconds(w.Parked),
			percent(w.Body, w.Sum()),
		})
	}
	for k, w := range r.Workers {
		row(strconv.Itoa(k), w)
	}
	if len(r.Workers) > 1 {
		row("all", stats.Worker{EDTs: r.EDTs, Steals: r.Steals, Parks: r.Parks, Split: r.Total})
	}
	return t
}

func templatesTable(r *stats.Result) report.Table {
	t := report.Table{Left: 1, Head: []string{"template", "EDTs", "total", "mean", "min", "max", "% of T1"}}
	for _, x := range r.Templates {
		t.Rows = append(t.Rows, []string{
			report.Plain(x.Name), whole(x.Count), microseconds(x.Total),
			report.Short(x.Mean / 1e3), microseconds(x.Min), microseconds(x.Max), percent(x.Total, r.Work),
		})
	}
	return t
}

func whole(n uint64) string { return strconv.FormatUint(n, 10) }

func microseconds(ns int64) string { return report.Short(float64(ns) / 1e3) }

func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}
