package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ocr/internal/show/report"
)

// write writes both pages to a folder, and the README's table.
func (p *page) write(out, readme string) error {
	data, err := p.json()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	text, err := between(string(old), p.table())
	if err != nil {
		return fmt.Errorf("%s: %w", readme, err)
	}
	for name, text := range map[string]string{
		filepath.Join(out, "results.json"): string(data), filepath.Join(out, "results.md"): p.markdown(), readme: text,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const begin, end = "<!-- results -->\n", "<!-- /results -->\n"

// between replaces what is between the markers.
func between(text, table string) (string, error) {
	head, rest, ok1 := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("must have lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return head + begin + "\n" + table + "\n" + end + tail, nil
}

// A line is the rows that differ in the number of workers only.
type line struct {
	row
	by map[int]float64 // the medians
}

func (p *page) lines(stem string) (lines []line, workers []int) {
	for _, r := range p.Rows {
		if r.Section != stem {
			continue
		}
		if !slices.Contains(workers, r.Workers) {
			workers = append(workers, r.Workers)
		}
		at := slices.IndexFunc(lines, func(l line) bool { return l.Name == r.Name && l.Peer == r.Peer && l.Unit == r.Unit })
		if at < 0 {
			lines, at = append(lines, line{r, map[int]float64{}}), len(lines)
		}
		lines[at].by[r.Workers] = r.Median
	}
	slices.Sort(workers)
	return lines, workers
}

// markdown is docs/results.md.
func (p *page) markdown() string {
	var b strings.Builder
	b.WriteString("# Results\n\nBy `bash docs/results.sh`: medians; [results.json](results.json) has intervals. " +
		"`ocrbench overhead --help`\nsays what is timed, and what the other runtimes do.\n\n" +
		p.about() + "\n")
	for _, v := range p.Versions {
		fmt.Fprintf(&b, "- %s\n", v)
	}
	for _, s := range sections {
		lines, workers := p.lines(s.stem)
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		for _, from := range p.Sources {
			if from.Section == s.stem {
				fmt.Fprintf(&b, "- `%s`\n", strings.TrimSpace(from.Command))
			}
		}
		writeTable(&b, lines, workers)
	}
	return b.String()
}

// writeTable writes a table of medians. The unit stands in the head if all rows have the same, and a row's name once,
// before its peers.
func writeTable(b *strings.Builder, lines []line, workers []int) {
	other := func(l line) bool { return l.Unit != lines[0].Unit }
	head, unit := "\n| row | beside | does |", func(l line) string { return " " + l.Unit + " |" }
	if slices.ContainsFunc(lines, other) {
		head += " unit |"
	} else {
		head, unit = "\n| row, "+lines[0].Unit+" | beside | does |", func(line) string { return "" }
	}
	for _, w := range workers {
		head += fmt.Sprintf(" %d |", w)
	}
	b.WriteString(head + "\n" + strings.Repeat("|---", strings.Count(head, "|")-1) + "|\n")
	last := ""
	for _, l := range lines {
		name := l.Name
		if name == last {
			name = ""
		}
		last = l.Name
		fmt.Fprintf(b, "| %s | %s | %s |%s", name, l.Peer, l.Does, unit(l))
		for _, w := range workers {
			fmt.Fprintf(b, " %s |", short(l.by[w]))
		}
		b.WriteString("\n")
	}
}

func (p *page) about() string {
	text := fmt.Sprintf("%s, %s, %s, %s, commit %s.\n", p.Date, p.CPU, p.System, p.Go, p.Commit)
	for _, s := range p.Sources {
		if s.Busy != "" {
			return text + "**The machine was not quiet**: " + s.Busy + ".\n"
		}
	}
	if len(p.Sources) > 0 {
		text += "Conditions: " + p.Sources[0].Conditions + ".\n"
	}
	return text
}

// quoted are the rows of the README's table.
var quoted = []struct{ name, title string }{
	{"edt-create-run/n=100000", "EDT of 100 000"},
	{"chain/event", "EDT behind an event"},
	{"fork-join-fib/values=control", "a call of fib(20)"},
	{"wavefront/n=100", "a cell of a wavefront"},
	{"wavefront/recorded/n=100", "recorded"},
	{"sweep/form=edt-again/grid=25x50/tile=3x5", "synch_p2p, tile 3x5"},
	{"sweep/recorded/grid=25x50/tile=3x5", "recorded"},
	{"stencil_1d/width=8", "Task Bench, no work"},
}

// table is the README's: ours, the best that does the same, and the best that does something else.
func (p *page) table() string {
	var b strings.Builder
	head, rest, _ := strings.Cut(p.about(), "\n")
	if b.WriteString(head + "\n"); strings.HasPrefix(rest, "**") {
		b.WriteString(rest)
	}
	b.WriteString("\n| ns, 1 / 2 workers | ours | best of the same kind | best of another kind |\n")
	b.WriteString("|---|---|---|---|\n")
	lines, _ := p.lines("peers")
	for _, q := range quoted {
		at := slices.IndexFunc(lines, func(l line) bool { return l.Name == q.name && l.Peer == "" })
		if at < 0 {
			continue
		}
		ours := lines[at]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", q.title, pair(ours, ours),
			best(lines, ours, func(l line) bool { return l.Does == ours.Does }),
			best(lines, ours, func(l line) bool { return l.Does != ours.Does }))
	}
	return b.String() + p.gallery()
}

// best is the cell of the peer in another runtime that is the fastest on two workers.
func best(lines []line, ours line, of func(line) bool) string {
	var found *line
	for _, l := range lines {
		if l.Name == ours.Name && l.Peer != "" && l.Does != "" && of(l) && (found == nil || l.by[2] < found.by[2]) {
			found = &l
		}
	}
	if found == nil {
		return ""
	}
	return found.Peer + " " + pair(*found, ours)
}

// pair is what a line has for 1 / 2 workers; bold is faster than ours.
func pair(l, ours line) string {
	var cells []string
	for _, w := range []int{1, 2} {
		cell := short(l.by[w])
		if l.by[w] < ours.by[w] {
			cell = "**" + cell + "**"
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " / ")
}

// gallery is the last line of the README's table.
func (p *page) gallery() string {
	lines, _ := p.lines("gallery")
	if len(lines) == 0 {
		return ""
	}
	var cells []string
	for _, w := range []int{1, 2} {
		lo, hi := math.Inf(1), 0.
		for _, l := range lines {
			lo, hi = min(lo, l.by[w]), max(hi, l.by[w])
		}
		cells = append(cells, fmt.Sprintf("%.2f to %.2f", lo, hi))
	}
	return fmt.Sprintf("| gallery, by goroutines | %s | | 1 |\n", strings.Join(cells, " / "))
}

// short has three digits, and all before the point.
func short(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return report.Short(math.Round(v*1000) / 1000)
}
