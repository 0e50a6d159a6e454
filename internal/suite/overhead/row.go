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
	"ocr/internal/cli"
	"ocr/internal/report"
)

// A Row is one operation to measure.
type Row struct {
	// Section is what the title of its table says.
	Section string
	// Name identifies the row: an operation and, after slashes, its parameters.
	Name string
	// What says in a line what an operation is.
	What string
	// MinWorkers is how many workers the row needs, at least 1.
	MinWorkers int
	// Wakes rows wake a worker with each operation: how often one had parked says how many really did.
	Wakes bool
	// Peers do the same in plain Go, or are something else to compare the row with.
	Peers []Peer
	// Others do it in another runtime.
	Others []Other

	measure measure
}

// A Peer is what stands beside a row, mostly plain Go.
type Peer struct {
	// Name says what of Go is used, without blanks.
	Name string

	measure measure
}

// measure takes a sample.
type measure func(ctx context.Context, b *Bench, workers int) (Sample, error)

// sleeps reports whether workers sleep and wake in the row.
func (r *Row) sleeps() bool { return r.Wakes || r.Section == latencyTitle }

// Measure takes a sample of the row on workers, at least MinWorkers. An error is a [*trial.VerifyError], or the run's.
func (r *Row) Measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	s, err := r.measure(ctx, b, workers)
	return s, named(r.Name, err)
}

// Measure takes a sample of the peer, with GOMAXPROCS as workers.
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
		{"labels", labelRows()},
	} {
		for _, r := range section.rows {
			r.Section, r.MinWorkers = section.title, max(r.MinWorkers, 1)
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
		beside := row.Peers
		for _, o := range row.Others {
			beside = append(beside[:len(beside):len(beside)], o.Peer)
		}
		for k, p := range beside {
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
	chosen := make([]bool, len(rows))
	for _, p := range patterns {
		found := false
		for k, r := range rows {
			fits, err := r.fits(p)
			if err != nil {
				return nil, fmt.Errorf("row %s: is not a pattern: see ocrbench overhead --list", report.Plain(p))
			}
			found, chosen[k] = found || fits, chosen[k] || fits
		}
		if !found {
			return nil, cli.Unknown("row", p, Operations(), ", or a pattern of names that --list shows")
		}
	}
	var list []*Row
	for k, r := range rows {
		if chosen[k] {
			list = append(list, r)
		}
	}
	return list, nil
}

// fits reports whether a pattern fits the row.
func (r *Row) fits(pattern string) (bool, error) {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
	whole, err := path.Match(flat(pattern), flat(r.Name))
	if whole || err != nil {
		return whole, err
	}
	return path.Match(flat(pattern), r.operation())
}
