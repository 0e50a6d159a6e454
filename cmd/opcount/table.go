package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// Head of a table file.
const (
	measuredWith = "# Measured with: "
	columns      = "operation\tinstructions\tlocked\tcalls\t"
)

// write writes the table as a file, which readTable reads.
func (t *table) write(w io.Writer) error {
	fmt.Fprintf(w, "# What one operation costs, counted by callgrind: instructions, locked operations, calls of Go's functions.\n"+
		"# docs/overhead.md says how. Written by: go run ./cmd/opcount -update\n%s%s\n", measuredWith, t.measured)
	out := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight|tabwriter.TabIndent)
	fmt.Fprintln(out, "# "+columns)
	for _, f := range t.figures {
		fmt.Fprintf(out, "%s\t%.1f\t%.2f\t%.2f\t\n", f.name, f.instructions, f.locked, f.calls)
	}
	return out.Flush()
}

// A TableError is a line of a table file that is not understood.
type TableError struct {
	Line int
	Text string
}

func (e *TableError) Error() string {
	return fmt.Sprintf("line %d: %q is no row: want a name and three numbers", e.Line, e.Text)
}

func readTable(r io.Reader) (*table, error) {
	t := &table{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if measured, ok := strings.CutPrefix(line, measuredWith); ok {
			t.measured = measured
		}
		if line == "" || line[0] == '#' {
			continue
		}
		f, ok := parseFigure(line)
		if _, twice := t.find(f.name); !ok || twice {
			return nil, &TableError{n, line}
		}
		t.figures = append(t.figures, f)
	}
	return t, lines.Err()
}

func parseFigure(line string) (f figure, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 4 {
		return f, false
	}
	f.name = fields[0]
	for k, to := range []*float64{&f.instructions, &f.locked, &f.calls} {
		v, err := strconv.ParseFloat(fields[k+1], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return f, false
		}
		*to = v
	}
	return f, true
}

// find returns the row of that name.
func (t *table) find(name string) (f figure, ok bool) {
	for _, f := range t.figures {
		if f.name == name {
			return f, true
		}
	}
	return figure{}, false
}

// tables is the folder of the table files in the module.
const tables = "cmd/opcount"

var minorVersion = regexp.MustCompile(`^go1\.[0-9]+`)

// tableFile is the table of a version of Go: one for 1.26, 1.26.1 and so on, as the
// compiler does not change between those but for mended faults.
func tableFile(root, goVersion string) string {
	if minor := minorVersion.FindString(goVersion); minor != "" {
		goVersion = minor
	}
	return filepath.Join(root, tables, filepath.Base(goVersion)+".txt")
}

// load reads a table file.
func load(name string) (*table, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := readTable(f)
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
