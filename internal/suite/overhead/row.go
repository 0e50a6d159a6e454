package overhead

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"ocr/apps/trial"
)

// A Section groups rows: what their titles tell.
type Section string

// The sections, in the order in which they are shown.
const (
	Loop      Section = "measuring"
	EDTs      Section = "EDTs and templates"
	Events    Section = "events"
	Depend    Section = "dependences"
	Blocks    Section = "data blocks"
	Acquire   Section = "acquire and release"
	Chains    Section = "chains"
	Fans      Section = "fan-out and fan-in"
	ForkJoin  Section = "trees, fork and join, finish scopes"
	Schedule  Section = "between workers"
	Latency   Section = "latency of ready EDTs"
	Labels    Section = "labels"
	Footprint Section = "memory"
)

// A Row is one operation to measure.
type Row struct {
	Section Section
	// Name tells rows apart: an operation and, after slashes, its parameters.
	Name string
	// What says in a line what an operation is.
	What string
	// Full rows take long: they are measured where they are named.
	Full bool
	// MinWorkers is how many workers the row needs, at least 1.
	MinWorkers int
	// Wakes rows wake a worker with each operation: how often one had parked tells how
	// many really did.
	Wakes bool
	// Peers do a like thing in plain Go.
	Peers []Peer

	measure   measure
	footprint *footprint // rows of memory have this in place of measure
}

// A Peer is plain Go beside a row.
type Peer struct {
	// Name says what of Go is used, without blanks.
	Name string

	measure   measure
	footprint *footprint
}

// measure takes a sample.
type measure func(ctx context.Context, b *Bench, workers int) (Sample, error)

// IsFootprint reports whether the row is about memory: then it has [Row.Footprint] in
// place of Measure, on one worker.
func (r *Row) IsFootprint() bool { return r.footprint != nil }

// Measure takes a sample of the row on so many workers, at least MinWorkers. An error is
// a [*trial.VerifyError], or the run's.
func (r *Row) Measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	s, err := r.measure(ctx, b, workers)
	return s, named(r.Name, err)
}

// Measure takes a sample of the peer on so many processors of Go.
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

// Rows returns all rows, by section.
func Rows() []*Row {
	var all []*Row
	for _, section := range []func() []*Row{
		loopRows, edtRows, eventRows, dependRows, blockRows, acquireRows, chainRows,
		fanRows, forkJoinRows, scheduleRows, latencyRows, labelRows, footprintRows,
	} {
		all = append(all, section()...)
	}
	for _, r := range all {
		r.MinWorkers = max(r.MinWorkers, 1)
	}
	return all
}

// ErrUnknown says that a pattern fits no row.
var ErrUnknown = errors.New("no such row")

// A SelectError names the pattern that is wrong: it wraps [ErrUnknown] or
// [path.ErrBadPattern].
type SelectError struct {
	Pattern string
	Err     error
}

func (e *SelectError) Error() string { return e.Pattern + ": " + e.Err.Error() }

// Unwrap returns what is wrong with the pattern.
func (e *SelectError) Unwrap() error { return e.Err }

// Select returns the rows that some pattern fits, in their own order: all where there
// is no pattern, but Full ones only with full. A pattern is a name or the operation
// before its first slash, with *, ? and [ranges] as the shell has them, but that * also
// fits slashes. An error is a [*SelectError].
func Select(rows []*Row, patterns []string, full bool) ([]*Row, error) {
	if len(patterns) == 0 {
		return slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool { return r.Full && !full }), nil
	}
	chosen := make(map[*Row]bool)
	for _, p := range patterns {
		found := false
		for _, r := range rows {
			fits, named, err := r.fits(p)
			if err != nil {
				return nil, &SelectError{p, err}
			}
			found = found || fits
			chosen[r] = chosen[r] || fits && (named || full || !r.Full)
		}
		if !found {
			return nil, &SelectError{p, ErrUnknown}
		}
	}
	var list []*Row
	for _, r := range rows {
		if chosen[r] {
			list = append(list, r)
		}
	}
	return list, nil
}

// fits reports whether a pattern fits the row, and whether it is the row's full name.
func (r *Row) fits(pattern string) (fits, named bool, err error) {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x01") }
	whole, err := path.Match(flat(pattern), flat(r.Name))
	if err != nil {
		return false, false, err
	}
	operation, _, _ := strings.Cut(r.Name, "/")
	first, err := path.Match(flat(pattern), operation)
	return whole || first, pattern == r.Name, err
}
