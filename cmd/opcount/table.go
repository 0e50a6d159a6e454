package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// A figure is a row of a table: what one operation costs.
type figure struct {
	name string
	cost
}

// figure is a count as a table has it, rounded as there: a table compared with
// itself shows no difference.
func (n *count) figure() figure {
	return figure{n.entry.name, cost{rounded(n.instructions, 10), rounded(n.locked, 100), rounded(n.calls, 100)}}
}

// rounded rounds to 1/parts, and has no negative zero.
func rounded(v, parts float64) float64 { return math.Round(v*parts)/parts + 0 }

// A table is the figures of one version of Go.
type table struct {
	measured string // with what
	figures  []figure
}

const measuredWith = "# Measured with: "

// write writes the table as a file, which load reads.
func (t *table) write(w io.Writer) error {
	fmt.Fprintf(w, "# What one operation costs, counted by callgrind: instructions, locked operations, calls of Go's "+
		"functions.\n"+
		"# Written by: go run ./cmd/opcount -update\n%s%s\n", measuredWith, t.measured)
	out := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight|tabwriter.TabIndent)
	fmt.Fprintln(out, "# operation\tinstructions\tlocked\tcalls\t")
	for _, f := range t.figures {
		fmt.Fprintf(out, "%s\t%.1f\t%.2f\t%.2f\t\n", f.name, f.instructions, f.locked, f.calls)
	}
	return out.Flush()
}

// readTable reads the text of a table file.
func readTable(text string) (*table, error) {
	t := &table{}
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		n++
		if measured, ok := strings.CutPrefix(line, measuredWith); ok {
			t.measured = measured
		}
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		v, ok := numbers(rest)
		if _, twice := t.find(name); !ok || len(v) != 3 || twice {
			return nil, fmt.Errorf("line %d: %q is no row: want a name and three numbers", n, line)
		}
		t.figures = append(t.figures, figure{name, cost{v[0], v[1], v[2]}})
	}
	return t, nil
}

// find returns the row of that name.
func (t *table) find(name string) (f figure, ok bool) {
	i := slices.IndexFunc(t.figures, func(f figure) bool { return f.name == name })
	if i < 0 {
		return f, false
	}
	return t.figures[i], true
}

var minorVersion = regexp.MustCompile(`^go1\.[0-9]+`)

// tableFile is the table of a version of Go: one for 1.26, 1.26.1 and so on, as the
// compiler does not change between those but for mended faults.
func tableFile(root, goVersion string) string {
	if minor := minorVersion.FindString(goVersion); minor != "" {
		goVersion = minor
	}
	return filepath.Join(root, "cmd/opcount", filepath.Base(goVersion)+".txt")
}

// load reads a table file.
func load(name string) (*table, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := readTable(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// save writes a table file, whole or not at all.
func (t *table) save(name string) error {
	var b strings.Builder
	if err := t.write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// writeFunctions writes what each function's own code costs an operation, the dearest
// first. What comes to nothing is left out: it ran once in the larger run.
func (n *count) writeFunctions(w io.Writer) error {
	fmt.Fprintf(w, "\n%s: %s\n", n.entry.name, n.entry.what)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	names := slices.SortedFunc(maps.Keys(n.functions), func(a, b string) int {
		return cmp.Or(cmp.Compare(n.functions[b].instructions, n.functions[a].instructions), cmp.Compare(a, b))
	})
	for _, f := range names {
		c, note := n.functions[f], ""
		if c.instructions < 0.05 && c.locked < 0.005 && c.calls < 0.005 {
			continue
		}
		if !n.entry.counts(f) {
			note = "  (not in the sum)"
		}
		fmt.Fprintf(out, "%.1f\t%.2f\t%.2f\t  %s%s\n", c.instructions, c.locked, c.calls, f, note)
	}
	return out.Flush()
}
