package pgas

import (
	"context"
	"errors"
	"slices"
	"time"

	app "ocr/apps/pgas"
	"ocr/apps/shmem"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
)

// mpiBytes bounds the messages of the MPI program.
const mpiBytes = 8 << 20

// request returns the MPI program's request for a key of the direct form: the bench, the number of iterations, sizes,
// and the checksum. The bench is "" if the program has none for the key.
func (r *run) request(k key, iterations int) peers.Request {
	ranks := uint64(r.bed.Pool.Threads())
	q := peers.Request{Sizes: []int{iterations, k.bytes}, Target: 1}
	switch {
	case k.form != app.Direct || k.bytes > mpiBytes:
	case k.test == "reduce":
		// Element e of rank i is (i+1)(e mod 1000 + 1).
		for e := range k.bytes / shmem.ElementBytes {
			q.Want += uint64(e%1000 + 1)
		}
		q.Bench, q.Want = "allreduce", q.Want*ranks*ranks*(ranks+1)/2
	case k.test == "putput" && k.bytes%8 == 0:
		// Word w of a message is w, and the last word is the number of the iteration.
		last := k.bytes/8 - 1
		q.Bench = "putput-" + string(k.sync)
		q.Want = ranks * uint64(last*(last-1)/2+iterations)
	}
	return q
}

// A peer is a measurement of a key in form MPI.
type peer struct {
	key
	testbed.Form
}

// mpiForms returns measurements of the keys that MPI's program can run here: it tries each key once. A note names the
// keys that fail, or says that the program has none of them.
func (r *run) mpiForms(ctx context.Context, keys []key) (all []peer, err error) {
	keys = slices.DeleteFunc(slices.Clone(keys), func(k key) bool { return r.request(k, 1).Bench == "" })
	if len(keys) == 0 {
		r.bed.Note("left out: Open MPI: its program has putput and reduce, beside form direct, up to 8 MiB")
	}
	for _, k := range keys {
		p, err := r.programs.Program(ctx, peers.MPI, r.bed.Pool.Pins())
		if err == nil {
			_, err = p.Run(ctx, r.request(k, 1))
		}
		name := k.in(MPI).resultName(r.bed.Pool)
		switch err := peers.LeftOut(ctx, r.bed.Note, name, err); {
		case err == nil:
			all = append(all, peer{k.in(MPI), r.mpiForm(name, k, p)})
		case !errors.Is(err, bench.ErrOver):
			return nil, err
		}
	}
	return all, nil
}

// mpiForm measures a key by rounds of the MPI program: enough for the sample time, or one round of the given
// iterations.
func (r *run) mpiForm(name string, k key, p *peers.Program) testbed.Form {
	cfg := r.config(k)
	var last app.Result
	return testbed.Form{Side: bench.Side{
		Name: name,
		Once: func(ctx context.Context) (time.Duration, error) {
			n, target := r.cfg.Iterations, time.Duration(1)
			if n == 0 {
				n, target = max(1, min(100, 1<<20/k.bytes)), r.bed.SampleTime
			}
			q := r.request(k, n)
			q.Target = target
			rounds, err := p.Run(ctx, q)
			cfg.Iterations = n * len(rounds)
			last = app.Result{Config: cfg, Elapsed: []time.Duration{peers.Sum(rounds)}}
			for _, round := range rounds {
				last.Slices = append(last.Slices, float64(round.Nanoseconds())/float64(n))
			}
			return last.Mean(), err
		},
		Figures: func(time.Duration, int) []bench.Value { return figures(last) },
	}}
}
