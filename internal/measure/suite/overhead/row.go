package overhead

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"ocr/apps/trial"
	"ocr/internal/command/cli"
	"ocr/internal/measure/peers"
	"ocr/internal/show/report"
)

// A Row is one operation to measure.
type Row struct {
	Section    string // title of its table
	Name       string // an operation and, after slashes, its parameters; no two rows have the same
	What       string // an operation, in a line
	Does       string // in three words, if peers in other runtimes differ in that
	MinWorkers int    // that the row needs, at least 1
	// Wakes rows wake a worker with each operation. How often one had parked says how
	// many really did.
	Wakes bool
	// Peers do a like thing in plain Go or another runtime, or are what a row should be compared with.
	Peers []Peer

	measure measure
}

// A Peer stands beside a row.
type Peer struct {
	Name    string         // what is used, without blanks
	Library *peers.Library // that its program is written for; nil if there is none
	Does    string         // as of a row

	measure measure
}

// measure takes a sample.
type measure func(ctx context.Context, b *Bench, workers int) (Sample, error)

// String returns the row's name.
func (r *Row) String() string { return r.Name }

// Measure takes a sample of the row on a number of workers, at least MinWorkers. An error is
// a [*trial.VerifyError], or the run's.
func (r *Row) Measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	s, err := r.measure(ctx, b, workers)
	return s, named(r.Name, err)
}

// Measure takes a sample of the peer on a number of processors.
func (p *Peer) Measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	s, err := p.measure(ctx, b, workers)
	return s, named(p.Name, err)
}

// named adds to a verification error what it is about.
func named(name string, err error) error {
	var wrong *trial.VerifyError
	if errors.As(err, &wrong) {
		wrong.App = name
		return wrong
	}
	return err
}

// latencyTitle is the section of rows about single EDTs, which have percentiles.
const latencyTitle = "latency of ready EDTs"

// Rows returns all rows, by section.
func Rows() []*Row {
	var all []*Row
	for _, section := range []struct {
		title string
		rows  []*Row
	}{
		{"measuring", loopRows()},
		{"EDTs and templates", edtRows()},
		{"events", eventRows()},
		{"dependences", dependRows()},
		{"data blocks", blockRows()},
		{"acquire and release", acquireRows()},
		{"chains", chainRows()},
		{"fan-out and fan-in", fanRows()},
		{"trees, fork and join, finish scopes", forkJoinRows()},
		{"parallel loops", parRows()},
		{"whole programs", programRows()},
		{"independent EDTs", independentRows()},
		{"between workers", scheduleRows()},
		{latencyTitle, latencyRows()},
	} {
		for _, r := range section.rows {
			r.Section, r.MinWorkers = section.title, max(r.MinWorkers, 1)
			r.likeFirst()
			all = append(all, r)
		}
	}
	return all
}

// Operations returns the operations of all rows, each once.
func Operations() []string {
	var names []string
	for _, r := range Rows() {
		names = append(names, r.operation())
	}
	return slices.Compact(names)
}

func (r *Row) operation() string {
	name, _, _ := strings.Cut(r.Name, "/")
	return name
}

// List lists rows, each with its peers.
func List(w io.Writer, rows []*Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%s", row.Name, row.What)
		for k, p := range row.Peers {
			fmt.Fprint(t, []string{"; beside ", ", "}[min(k, 1)], p.Name)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Select returns the rows that some pattern fits, in their own order: all if there is no
// pattern. A pattern is a name or the operation before its first slash, with *, ? and
// [ranges] as the shell has them, but * also fits slashes. An error is one line.
func Select(patterns []string) ([]*Row, error) {
	rows := Rows()
	if len(patterns) == 0 {
		return rows, nil
	}
	chosen := make(map[*Row]bool)
	for _, p := range patterns {
		found := false
		for _, r := range rows {
			fits, err := r.fits(p)
			if err != nil {
				return nil, fmt.Errorf("row %s: is not a pattern: see ocrbench overhead --list", report.Plain(p))
			}
			found, chosen[r] = found || fits, chosen[r] || fits
		}
		if !found {
			return nil, cli.Unknown("row", p, Operations(), ", or a pattern of names that --list shows")
		}
	}
	return slices.DeleteFunc(rows, func(r *Row) bool { return !chosen[r] }), nil
}

func (r *Row) fits(pattern string) (bool, error) {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
	whole, err := path.Match(flat(pattern), flat(r.Name))
	if whole || err != nil {
		return whole, err
	}
	return path.Match(flat(pattern), r.operation())
}
