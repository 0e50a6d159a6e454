package overhead

import (
	"context"
	"slices"
	"strings"
	"time"

	"ocr/internal/peers"
)

// An Other is a program for another runtime beside a row.
type Other struct {
	Peer
	Library *peers.Library
}

// other is a bench of a library's program. request returns what is asked for, and the number of parts of a round.
func other(name string, l *peers.Library, request func(b *Bench) (peers.Request, int)) Other {
	return Other{Library: l, Peer: Peer{Name: name, measure: func(ctx context.Context, b *Bench, _ int) (Sample, error) {
		r, parts := request(b)
		return b.ask(ctx, l, r, parts)
	}}}
}

// otherChain is a bench that runs a chain of tasks on each worker; each task adds the number of those that follow. As
// of a chain of EDTs, the times of all workers count.
func otherChain(name string, l *peers.Library, bench string, steps int) Other {
	return Other{Library: l, Peer: Peer{Name: name, measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(steps, 4)
		s, err := b.ask(ctx, l, peers.Request{Bench: bench, Sizes: []int{n}, Want: uint64(workers) * sumTo(n)}, workers*n)
		s.Busy *= time.Duration(workers)
		return s, err
	}}}
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

// ask has the program of a library take a sample.
func (b *Bench) ask(ctx context.Context, l *peers.Library, r peers.Request, parts int) (Sample, error) {
	p, err := b.others(ctx, l)
	if err != nil {
		return Sample{}, err
	}
	r.Target = b.Target
	rounds, err := p.Run(ctx, r)
	if err != nil {
		return Sample{}, err
	}
	ops, elapsed := uint64(parts)*uint64(len(rounds)), peers.Sum(rounds)
	rate := float64(ops) / elapsed.Seconds()
	return Sample{Ops: ops, All: ops, Rounds: ops, Unaccounted: true, Busy: elapsed, Rate: rate}, nil
}

// othersOf returns those of a row whose programs can be had here, and do what the row needs: each
// is tried once. What is left out is noted.
func (r *run) othersOf(ctx context.Context, b Bench, g group) ([]Peer, error) {
	b.Target = time.Nanosecond
	var there []Peer
	for _, o := range g.row.Others {
		_, err := o.Measure(ctx, &b, g.pool.Workers)
		switch note, fatal := peers.LeftOut(ctx, o.Name+" beside "+g.row.Name, err); {
		case fatal != nil:
			return nil, fatal
		case note != "":
			r.Note(note)
		default:
			there = append(there, o.Peer)
		}
	}
	return there, nil
}

// WithOthers returns the rows that other runtimes stand beside.
func WithOthers(rows []*Row) []*Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool { return len(r.Others) == 0 })
}

// Names returns the names of rows as a list in a line.
func Names(rows []*Row) string {
	var names []string
	for _, r := range rows {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
