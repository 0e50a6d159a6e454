package metg

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"ocr/apps/taskbench/kernel"
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

// ask returns a function that runs a point's graph in the program of a form, and returns the mean of its timed rounds.
// Two rounds before them are not timed.
func (r *run) ask(form Form, p *point) func(context.Context) (time.Duration, error) {
	g := p.app.Graphs[0]
	lists := g.Inputs()
	n := g.Kernel.Iterations
	sizes := []int{g.Width, g.Steps, int(n), int(math.Float64bits(kernel.Compute(n))), len(lists)}
	for _, sources := range slices.Concat(lists...) {
		sizes = append(append(sizes, len(sources)), sources...)
	}
	return func(ctx context.Context) (time.Duration, error) {
		right := uint64(p.totals.Tasks + p.totals.Dependencies)
		request := peers.Request{Bench: "graph", Sizes: sizes, Want: right, Target: 1, Round: r.cfg.Longest}
		program, err := r.programs.Program(ctx, libraries[form], r.pool.Pins())
		var rounds []time.Duration
		if err == nil {
			rounds, err = program.Run(ctx, request)
		}
		if err != nil {
			name, _, _ := strings.Cut(p.name, "/iter=") // one note for all sizes
			return 0, peers.LeftOut(ctx, r.bed.Note, name, err)
		}
		return peers.Sum(rounds) / time.Duration(len(rounds)), nil
	}
}
