package metg

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ocr/internal/measure/peers"
)

// Forms that programs for other runtimes run, with one thread or rank for each worker.
const (
	MPI Form = "mpi-ranks"  // loops in ranks, with messages, as Task Bench's own program for MPI
	OMP Form = "omp-depend" // a task with depend for each task of the graph; LLVM's OpenMP
)

// Peers returns the forms of other runtimes.
func Peers() []Form { return []Form{MPI, OMP} }

var libraries = map[Form]*peers.Library{MPI: peers.MPI, OMP: peers.OpenMP}

// there returns the sweeps that can run here: it tries programs of other runtimes once on a small graph. A note names
// those that are left out.
func (r *run) there(ctx context.Context, sweeps []*sweep) (kept []*sweep, err error) {
	for _, w := range sweeps {
		if libraries[w.form] == nil {
			kept = append(kept, w)
			continue
		}
		if w.app.Graphs[0].Inputs() == nil {
			r.bed.Note(fmt.Sprintf("left out: %s: its columns come and go", r.name(w)))
			continue
		}
		p, err := r.point(ctx, w, 1, 3)
		if err == nil {
			_, err = r.ask(w.form, p)(ctx)
		}
		switch note, fatal := peers.LeftOut(ctx, r.name(w), err); {
		case fatal != nil:
			return nil, fatal
		case note != "":
			r.bed.Note(note)
		default:
			kept = append(kept, w)
		}
	}
	return kept, nil
}

// ask returns a function that runs a graph in a program. Its time is the mean of the timed rounds; two rounds before
// are not timed.
func (r *run) ask(form Form, p *point) func(context.Context) (time.Duration, error) {
	g := p.app.Graphs[0]
	lists := g.Inputs()
	sizes := []int{g.Width, g.Steps, int(g.Kernel.Iterations), len(lists)}
	for _, sources := range slices.Concat(lists...) {
		sizes = append(append(sizes, len(sources)), sources...)
	}
	return func(ctx context.Context) (time.Duration, error) {
		program, err := r.programs.Program(ctx, libraries[form], r.bed.Pool.Pins())
		if err != nil {
			return 0, err
		}
		right := uint64(p.totals.Tasks + p.totals.Dependencies)
		rounds, err := program.Run(ctx, peers.Request{Bench: "graph", Sizes: sizes, Want: right, Target: 1})
		if err != nil {
			return 0, err
		}
		return peers.Sum(rounds) / time.Duration(len(rounds)), nil
	}
}
