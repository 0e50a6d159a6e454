package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"text/tabwriter"
)

// A table is the counts of one version of Go. The counts in a file are rounded, and lack the functions.
type table struct {
	measured string // versions of the tools
	counts   []*count
}

// tableFile returns the file of the table of a version of Go. 1.26, 1.26.1 and so on share one table, as only bug fixes
// change the compiler between these versions.
func tableFile(goVersion string) string {
	if minor := regexp.MustCompile(`^go1\.[0-9]+`).FindString(goVersion); minor != "" {
		goVersion = minor
	}
	return "cmd/opcount/" + goVersion + ".txt"
}

const measuredWith = "# Measured with: "

// String returns the text of a table's file, which load reads.
func (t *table) String() string {
	var b strings.Builder
	b.WriteString("# What one operation costs, counted by callgrind: instructions, locked operations, calls of Go's " +
		"functions.\n# Written by: go run ./cmd/opcount -update\n" + measuredWith + t.measured + "\n")
	out := tabwriter.NewWriter(&b, 0, 0, 3, ' ', tabwriter.AlignRight|tabwriter.TabIndent)
	fmt.Fprintln(out, "# operation\tinstructions\tlocked\tcalls\t")
	for _, n := range t.counts {
		fmt.Fprintf(out, "%s\t%.1f\t%.2f\t%.2f\t\n", n.name, n.instructions, max(0, n.locked), max(0, n.calls)) // not -0.00
	}
	out.Flush()
	return b.String()
}

func load(file string) (*table, error) {
	text, err := os.ReadFile(file)
	t := &table{}
	for line := range strings.Lines(string(text)) {
		n := &count{}
		measured, ok := strings.CutPrefix(line, measuredWith)
		switch {
		case ok:
			t.measured = strings.TrimSpace(measured)
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
		default:
			if _, bad := fmt.Sscanln(line, &n.name, &n.instructions, &n.locked, &n.calls); bad != nil {
				return nil, fmt.Errorf("%s: %q is no row: want a name and three numbers", file, line)
			}
			t.counts = append(t.counts, n)
		}
	}
	return t, err
}

// find returns the row with a name, or nil.
func (t *table) find(name string) *count {
	for _, n := range t.counts {
		if n.name == name {
			return n
		}
	}
	return nil
}

// The largest differences from the table that are allowed: for instructions 2 %, but at least 3; for locked operations
// and calls of Go's functions less than a fifth, so that a new one in every fifth operation is found. While the code
// does not change, a count varies by less from run to run.
const (
	freeShare        = 0.02
	freeInstructions = 3
	freeLocked       = 0.19
	freeCalls        = 0.19
)

// compare returns a line for each number that differs from the table. Numbers that shrank are among them: otherwise
// they could grow back unseen.
func compare(committed, now *table) (lines []string) {
	for _, n := range now.counts {
		old := committed.find(n.name)
		if old == nil {
			lines = append(lines, n.name+" is not in the table")
			continue
		}
		differs := func(what string, old, now, free float64) {
			verb := "grew"
			if now < old {
				verb = "shrank"
			}
			if math.Abs(now-old) > free {
				lines = append(lines, fmt.Sprintf("%s: %s %s from %.1f to %.1f (%+.1f)", n.name, what, verb, old, now, now-old))
			}
		}
		differs("instructions", old.instructions, n.instructions, max(freeInstructions, freeShare*old.instructions))
		differs("locked operations", old.locked, n.locked, freeLocked)
		differs("calls of Go's functions", old.calls, n.calls, freeCalls)
	}
	for _, old := range committed.counts {
		if now.find(old.name) == nil {
			lines = append(lines, old.name+" is in the table, but is not counted any more")
		}
	}
	return lines
}

func judge(committed, now *table) error {
	lines := compare(committed, now)
	if len(lines) == 0 {
		return nil
	}
	if committed.measured != now.measured {
		lines = append(lines, "the table was measured with "+committed.measured, "this was measured with      "+now.measured)
	}
	return errors.New("the counts are not what the committed table says\n  " + strings.Join(lines, "\n  ") +
		"\nIf the change is worth it, write the table and commit it with the change: go run ./cmd/opcount -update")
}
