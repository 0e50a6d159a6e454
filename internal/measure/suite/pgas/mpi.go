package pgas

import (
	"context"
	"time"

	app "ocr/apps/pgas"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
)

// MPI is the form of rows that MPI ranks run, one in the place of each PE.
const MPI app.Form = "mpi"

// mpiBytes bounds the messages of the MPI program.
const mpiBytes = 8 << 20

// mpiBench returns what the MPI program does for a key of the direct form: the bench, its sizes
// behind the number of iterations, and the checksum. "" if it does not have that.
func (r *run) mpiBench(k key, iterations int) peers.Request {
	ranks := uint64(r.bed.Pool.Threads())
	q := peers.Request{Sizes: []int{iterations, k.bytes}}
	switch {
	case k.form != app.Direct || k.bytes > mpiBytes:
	case k.test == "reduce":
		// Element e of rank i is (i+1)(e mod 1000 + 1).
		for e := range k.bytes / app.ElementBytes {
			q.Want += uint64(e%1000 + 1)
		}
		q.Bench, q.Want = "allreduce", q.Want*ranks*ranks*(ranks+1)/2
	case k.test == "putput" && k.bytes >= 8 && k.bytes%8 == 0:
		// Word w of a message is w, and the last is the number of the iteration.
		last := uint64(k.bytes/8 - 1)
		q.Bench = "putput-" + string(k.sync)
		q.Want = ranks * (last*(last-1)/2 + uint64(iterations))
		if last == 0 {
			q.Want = ranks * uint64(iterations)
		}
	}
	return q
}

// mpiRows returns what MPI ranks do of a group, as far as that can be had here: each is tried
// once. What is left out is noted.
func (r *run) mpiRows(ctx context.Context, group []key) ([]*row, error) {
	var rows []*row
	for _, k := range group {
		if !r.cfg.Peers || r.mpiBench(k, 1).Bench == "" {
			continue
		}
		p, err := r.programs.Program(ctx, peers.MPI, r.pins)
		if err == nil {
			_, err = p.Run(ctx, r.mpiBench(k, 1))
		}
		switch note, fatal := peers.LeftOut(ctx, k.in(MPI).String(), err); {
		case fatal != nil:
			return nil, fatal
		case note != "":
			r.bed.Note(note)
		default:
			rows = append(rows, r.mpiRow(k, p))
		}
	}
	return rows, nil
}

// mpiRow returns a row of which the samples are rounds of the MPI program: as many as last the
// sample time, or, if the iterations are given, one.
func (r *run) mpiRow(k key, p *peers.Program) *row {
	x := &row{key: k.in(MPI), budget: r.budget(), cfg: r.config(k)}
	x.name = r.resultName(x.key)
	x.once = func(ctx context.Context, _ testbed.RunOptions, _ app.Config) (app.Result, error) {
		n, target := r.cfg.Iterations, time.Duration(1)
		if n == 0 {
			n, target = max(1, min(100, 1<<20/max(k.bytes, 1))), x.budget.sample
		}
		q := r.mpiBench(k, n)
		q.Target = target
		rounds, err := p.Run(ctx, q)
		first := app.Timing{Partner: r.bed.Pool.Threads() / 2}
		for i, took := range rounds { // a round is a slice
			first.End += took
			first.Marks = append(first.Marks, app.Mark{Iterations: (i + 1) * n, At: first.End})
		}
		return app.Result{Config: x.cfg, Iterations: n * len(rounds), Origins: []app.Timing{first}, Verified: true}, err
	}
	return x
}
