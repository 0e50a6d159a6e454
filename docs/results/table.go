package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

const begin, end = "<!-- results -->\n", "<!-- /results -->\n"

// write replaces what is between the markers of a README.
func write(readme, table string) error {
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	text, err := between(string(old), table)
	if err != nil {
		return fmt.Errorf("%s: %w", readme, err)
	}
	return os.WriteFile(readme, []byte(text), 0o644)
}

func between(text, table string) (string, error) {
	head, rest, ok1 := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("must have lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return head + begin + table + end + tail, nil
}

// quoted are the rows of overhead that the table has.
var quoted = []struct{ name, title string }{
	{"edt-create-run/n=100000", "EDT of 100 000"},
	{"chain/event", "EDT after an event"},
	{"fork-join-fib/values=control", "call of fib(20)"},
	{"wavefront/n=100", "wavefront, a cell"},
	{"wavefront/recorded/n=100", "recorded"},
	{"sweep/form=edt/grid=25x50/tile=3x5", "synch_p2p, edt"},
	{"sweep/recorded/grid=25x50/tile=3x5", "recorded"},
	{"stencil_1d/width=8", "Task Bench, no work"},
}

var workers = []string{"1", "2"}

// A figure is what a runtime took for an operation.
type figure struct {
	peer, does string // peer: "" for this runtime; does: "" for plain Go
	ns         bench.Summary
}

// legend is the text between the origin of the results and the table's rows.
const legend = `Best: the fastest; bold: faster than ours, 95 % intervals apart; ~: an interval of over 30 %. On one
thread omp, and gomp with 64 tasks open, call a task where it is made. Another kind: loops, graphs
built once, counters by hand, calls inline. Recorded: the graph above. Figures: ns by tasks, after
an event by a worker's; last row: ratios. Ours has a [profile](docs/results.md) of such rows.

| ns, 1 / 2 workers | ours | best of the same kind | best of another |
|---|---|---|---|
`

// table returns where the results are from, and the table: for each quoted row this runtime, the fastest peer of the
// same kind, and the fastest of another kind; last the range of the gallery's ratios to goroutines.
func table(files []*report.Document) string {
	var b strings.Builder
	b.WriteString(origin(files) + legend)
	for _, q := range quoted {
		var ours, same, other []string
		for _, n := range workers {
			all := figures(files, q.name, n)
			at := slices.IndexFunc(all, func(f figure) bool { return f.peer == "" })
			if at < 0 {
				continue
			}
			own := all[at]
			alike := func(f figure) bool { return f.does == own.does }
			ours = append(ours, short(own.ns))
			same = append(same, best(all, own, alike, true))
			other = append(other, best(all, own, func(f figure) bool { return !alike(f) }, false))
		}
		if len(ours) == len(workers) {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", q.title, pair(ours), pair(same), pair(other))
		}
	}
	fmt.Fprintf(&b, "| gallery, by goroutines | %s / %s | | |\n", ratios(files, workers[0]), ratios(files, workers[1]))
	return b.String()
}

func origin(files []*report.Document) string {
	d := files[0]
	text := fmt.Sprintf("%s, %s, %d cores, %s, %s, commit %s.\n", d.Date, d.Machine.CPU, d.Machine.Cores,
		d.Machine.Kernel, d.Build.Go, d.Build.Commit[:min(8, len(d.Build.Commit))])
	for _, d := range files {
		if why := d.Conditions.Busy(); why != "" {
			return text + "**The machine was not quiet**: " + why + ".\n"
		}
	}
	return text
}

// figures returns what the runtimes took for a row on so many workers, the fastest first.
func figures(files []*report.Document, row, workers string) (list []figure) {
	for _, d := range files {
		for _, r := range d.Results {
			if r.Labels.Text("row") == row && r.Labels.Text("row-workers") == workers {
				list = append(list, figure{r.Labels.Text("peer"), r.Labels.Text("does"), r.Metrics.Summary("ns/op")})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b figure) int { return cmp.Compare(a.ns.Median, b.ns.Median) })
	return list
}

// best returns the cell of the fastest peer that is accepted, with the peer's name if named is set. The cell is bold if
// the peer is faster than ours and the intervals do not overlap.
func best(all []figure, ours figure, is func(figure) bool, named bool) string {
	for _, f := range all {
		if f.peer == "" || f.does == "" || !is(f) {
			continue
		}
		cell := short(f.ns)
		if f.ns.Hi < ours.ns.Lo {
			cell = "**" + cell + "**"
		}
		if named {
			cell = f.peer + " " + cell
		}
		return cell
	}
	return "-"
}

// pair joins the cells for the numbers of workers. It leaves out the second name if both cells have the same.
func pair(cells []string) string {
	if name, _, named := strings.Cut(cells[0], " "); named {
		cells[1] = strings.TrimPrefix(cells[1], name+" ")
	}
	return cells[0] + " / " + cells[1]
}

// ratios returns the range of the ratios of the gallery's EDTs to its goroutines, on so many workers.
func ratios(files []*report.Document, workers string) string {
	var all []bench.Summary
	for _, d := range files {
		for _, r := range d.Results {
			if s := r.Metrics.Summary("ratio/pool"); s.N > 0 && d.Config.Text("workers") == workers {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return "-"
	}
	slices.SortFunc(all, func(a, b bench.Summary) int { return cmp.Compare(a.Median, b.Median) })
	return short(all[0]) + " to " + short(all[len(all)-1])
}

// wide is the width of a 95 % interval, as a part of the median, above which a median is marked with "~".
const wide = 0.3

// short writes a median with three significant digits, and all digits before the point.
func short(s bench.Summary) string {
	text := strconv.FormatFloat(s.Median, 'f', max(0, 2-int(math.Floor(math.Log10(s.Median)))), 64)
	if s.Hi-s.Lo > wide*s.Median {
		return "~" + text
	}
	return text
}
