package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// write writes results.json and results.md to the folder out, and the table into the README.
func (p *page) write(out, readme string) error {
	data, err := json.MarshalIndent(p, "", " ")
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
	return cmp.Or(os.WriteFile(filepath.Join(out, "results.json"), append(data, '\n'), 0o644),
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

// markdown is docs/results.md: a table of medians for each section. A row's name stands once, before its peers.
func (p *page) markdown() string {
	var b strings.Builder
	b.WriteString("# Results\n\nBy `bash docs/results.sh`: medians; [results.json](results.json) has intervals. " +
		"`ocrbench overhead --help`\nsays what is timed, and what the other runtimes do.\n\n" + p.origin() + "\n")
	for _, v := range p.Versions {
		fmt.Fprintf(&b, "- %s\n", v)
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		for _, command := range s.Commands {
			fmt.Fprintf(&b, "- `%s`\n", strings.TrimSpace(command))
		}
		by := map[int]figure{}
		for _, r := range s.Rows {
			maps.Copy(by, r.By)
		}
		workers := slices.Sorted(maps.Keys(by))
		fmt.Fprintf(&b, "\n| row | beside | does | unit |%s\n|---|---|---|---|%s\n",
			cells(workers, func(w int) string { return fmt.Sprint(w) }), strings.Repeat("---|", len(workers)))
		last := ""
		for _, r := range s.Rows {
			name := r.Name
			if name == last {
				name = ""
			}
			last = r.Name
			fmt.Fprintf(&b, "| %s | %s | %s | %s |%s\n", name, r.Peer, r.Does, r.Unit, cells(workers, r.short))
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

// origin says where the results are from.
func (p *page) origin() string {
	text := fmt.Sprintf("%s, %s, commit %s.\n", p.Date, p.Machine, p.Commit)
	if p.Busy != "" {
		text += "**The machine was not quiet**: " + p.Busy + ".\n"
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

// table returns the README's table: this runtime, its fastest peer that works alike, and the fastest other peer; last
// the gallery's ratios.
func (p *page) table() string {
	var b strings.Builder
	b.WriteString(p.origin() + "\n| ns, 1 / 2 workers | ours | best of the same kind | best of another kind |\n" +
		"|---|---|---|---|\n")
	for _, q := range quoted {
		rows := p.rows("peers", q.name)
		at := slices.IndexFunc(rows, func(r *row) bool { return r.Peer == "" })
		if at >= 0 {
			ours := rows[at]
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", q.title, ours.pair(ours), best(rows, ours, true), best(rows, ours, false))
		}
	}
	if ratios := p.rows("gallery", ""); len(ratios) > 0 {
		spread := func(w int) string {
			by := func(a, b *row) int { return cmp.Compare(a.By[w].Median, b.By[w].Median) }
			return slices.MinFunc(ratios, by).short(w) + " to " + slices.MaxFunc(ratios, by).short(w)
		}
		fmt.Fprintf(&b, "| gallery, by goroutines | %s / %s | | 1 |\n", spread(1), spread(2))
	}
	return b.String()
}

// rows returns the rows with this name in the section with this stem; all of its rows if name is "".
func (p *page) rows(stem, name string) (found []*row) {
	for _, s := range p.Sections {
		for _, r := range s.Rows {
			if s.stem == stem && (name == "" || r.Name == name) {
				found = append(found, r)
			}
		}
	}
	return found
}

// best returns the cell of the fastest peer on two workers: of those that work as ours if same is set, else of others.
func best(rows []*row, ours *row, same bool) string {
	peers := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool {
		return r.Peer == "" || r.Does == "" || (r.Does == ours.Does) != same
	})
	if len(peers) == 0 {
		return ""
	}
	found := slices.MinFunc(peers, func(a, b *row) int { return cmp.Compare(a.By[2].Median, b.By[2].Median) })
	return found.Peer + " " + found.pair(ours)
}

// pair returns a row's figures for 1 / 2 workers; those faster than ours are bold.
func (r *row) pair(ours *row) string {
	cell := func(w int) string {
		if r.By[w].Median < ours.By[w].Median {
			return "**" + r.short(w) + "**"
		}
		return r.short(w)
	}
	return cell(1) + " / " + cell(2)
}

// short writes the median for a number of workers: three significant digits, and all digits before the point.
func (r *row) short(workers int) string {
	v := r.By[workers].Median
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(v)))), 64)
}
