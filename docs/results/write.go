package main

import (
	"cmp"
	"fmt"
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
	return cmp.Or(os.WriteFile(filepath.Join(out, "results.json"), data, 0o644),
		os.WriteFile(filepath.Join(out, "results.md"), []byte(p.markdown()), 0o644),
		os.WriteFile(readme, []byte(text), 0o644))
}

const begin, end = "<!-- results -->\n", "<!-- /results -->\n"

// between replaces what is between the markers.
func between(text, table string) (string, error) {
	head, rest, ok1 := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("must have lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return head + begin + table + end + tail, nil
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
		workers = append(workers, r.Workers)
		same := func(l line) bool { return l.Name == r.Name && l.Peer == r.Peer && l.Unit == r.Unit }
		at := slices.IndexFunc(lines, same)
		if at < 0 {
			lines, at = append(lines, line{r, map[int]float64{}}), len(lines)
		}
		lines[at].by[r.Workers] = r.Median
	}
	slices.Sort(workers)
	return lines, slices.Compact(workers)
}

// markdown is docs/results.md: a table of medians for each section. A row's name stands once, before its peers.
func (p *page) markdown() string {
	var b strings.Builder
	b.WriteString("# Results\n\nBy `bash docs/results.sh`: medians; [results.json](results.json) has intervals. " +
		"`ocrbench overhead --help`\nsays what is timed, and what the other runtimes do.\n\n" + p.about() + "\n")
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
		fmt.Fprintf(&b, "\n| row | beside | does | unit |%s\n|---|---|---|---|%s\n",
			cells(workers, func(w int) string { return fmt.Sprint(w) }), strings.Repeat("---|", len(workers)))
		last := ""
		for _, l := range lines {
			name := l.Name
			if name == last {
				name = ""
			}
			last = l.Name
			fmt.Fprintf(&b, "| %s | %s | %s | %s |%s\n", name, l.Peer, l.Does, l.Unit,
				cells(workers, func(w int) string { return short(l.by[w]) }))
		}
	}
	return b.String()
}

// cells returns a row's cells for these numbers of workers.
func cells(workers []int, cell func(int) string) (text string) {
	for _, w := range workers {
		text += " " + cell(w) + " |"
	}
	return text
}

// about says where the results are from.
func (p *page) about() string {
	text := fmt.Sprintf("%s, %s, commit %s.\n", p.Date, p.Machine, p.Commit)
	for _, s := range p.Sources {
		if s.Busy != "" {
			return text + "**The machine was not quiet**: " + s.Busy + ".\n"
		}
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

// table returns the README's table: this runtime, its fastest peer that works alike, and the fastest other peer.
func (p *page) table() string {
	var b strings.Builder
	b.WriteString(p.about() + "\n| ns, 1 / 2 workers | ours | best of the same kind | best of another kind |\n" +
		"|---|---|---|---|\n")
	lines, _ := p.lines("peers")
	for _, q := range quoted {
		at := slices.IndexFunc(lines, func(l line) bool { return l.Name == q.name && l.Peer == "" })
		if at >= 0 {
			ours := lines[at]
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", q.title, pair(ours, ours), best(lines, ours, true),
				best(lines, ours, false))
		}
	}
	return b.String() + p.gallery()
}

// best returns the cell of the peer that is fastest on two workers; same says whether the peer works as ours does.
func best(lines []line, ours line, same bool) string {
	peers := slices.DeleteFunc(slices.Clone(lines), func(l line) bool {
		return l.Name != ours.Name || l.Peer == "" || l.Does == "" || (l.Does == ours.Does) != same
	})
	if len(peers) == 0 {
		return ""
	}
	found := slices.MinFunc(peers, func(a, b line) int { return cmp.Compare(a.by[2], b.by[2]) })
	return found.Peer + " " + pair(found, ours)
}

// pair returns a line's figures for 1 / 2 workers; those faster than ours are bold.
func pair(l, ours line) string {
	cell := func(w int) string {
		if l.by[w] < ours.by[w] {
			return "**" + short(l.by[w]) + "**"
		}
		return short(l.by[w])
	}
	return cell(1) + " / " + cell(2)
}

// gallery returns the last line of the README's table.
func (p *page) gallery() string {
	lines, _ := p.lines("gallery")
	if len(lines) == 0 {
		return ""
	}
	least := func(w int) string {
		by := func(a, b line) int { return cmp.Compare(a.by[w], b.by[w]) }
		return short(slices.MinFunc(lines, by).by[w]) + " to " + short(slices.MaxFunc(lines, by).by[w])
	}
	return fmt.Sprintf("| gallery, by goroutines | %s / %s | | 1 |\n", least(1), least(2))
}

// short writes three digits, and all before the point.
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
	return report.Short(v)
}
