package overhead

import (
	"context"
	"slices"
	"time"

	"ocr/internal/measure/peers"
)

// A program is a bench of another runtime's program, as a peer is named.
type program struct {
	name    string
	library *peers.Library
	bench   string
}

// asked are peers that do the same in other runtimes. of returns what is asked for, and how many parts a round of that
// has.
func asked(of func(b *Bench) (peers.Request, int), programs ...program) (all []Peer) {
	for _, p := range programs {
		all = append(all, Peer{Name: p.name, Library: p.library, measure: func(
			ctx context.Context, b *Bench, _ int,
		) (Sample, error) {
			request, parts := of(b)
			return b.ask(ctx, p, request, parts)
		}})
	}
	return all
}

// chained is a peer that runs a chain of tasks on each worker, which add up how many
// are to come. As of a chain of EDTs, the times of all workers count.
func chained(name string, l *peers.Library, bench string, steps int) Peer {
	return Peer{Name: name, Library: l, measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(steps, 4)
		request := peers.Request{Sizes: []int{n}, Want: uint64(workers) * sumTo(n)}
		s, err := b.ask(ctx, program{name, l, bench}, request, workers*n)
		s.Busy *= time.Duration(workers)
		return s, err
	}}
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

// ask has a program take a sample.
func (b *Bench) ask(ctx context.Context, of program, r peers.Request, parts int) (Sample, error) {
	p, err := b.others(ctx, of.library)
	if err != nil {
		return Sample{}, err
	}
	r.Bench, r.Target = of.bench, b.Target
	rounds, err := p.Run(ctx, r)
	if err != nil {
		return Sample{}, err
	}
	ops, elapsed := uint64(parts)*uint64(len(rounds)), peers.Sum(rounds)
	return Sample{Ops: ops, Unaccounted: true, Busy: elapsed, Rate: float64(ops) / elapsed.Seconds()}, nil
}

// peersOf returns the peers of a row that are measured: plain Go, and if the configuration asks for them those of
// other runtimes whose programs can be had here and do what the row needs. Each of these is tried once; what is left
// out is noted.
func (r *run) peersOf(ctx context.Context, b Bench, g group) ([]Peer, error) {
	b.Target = time.Nanosecond
	var there []Peer
	for _, p := range g.row.Peers {
		if p.Library != nil {
			if !r.cfg.Others {
				continue
			}
			_, err := p.Measure(ctx, &b, g.pool.Workers)
			note, fatal := peers.LeftOut(ctx, p.Name+" beside "+g.row.Name, err)
			if fatal != nil {
				return nil, fatal
			}
			if note != "" {
				r.Note(note)
				continue
			}
		}
		there = append(there, p)
	}
	return there, nil
}

// WithOthers returns the rows that have peers in other runtimes.
func WithOthers(rows []*Row) []*Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool {
		return !slices.ContainsFunc(r.Peers, func(p Peer) bool { return p.Library != nil })
	})
}
