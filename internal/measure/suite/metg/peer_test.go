package metg

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// absent matches notes about a missing compiler or library. A program that runs must give right results.
var absent = regexp.MustCompile(`left out: .*(file not found|No such file|mpirun)`)

// TestPeers: programs for other runtimes run graphs of each kind of inputs, on one thread and on two, and have the
// right number of inputs and tasks; graphs whose columns come and go are left out.
func TestPeers(t *testing.T) {
	testrun.NeedsTools(t)
	t.Setenv("KMP_USE_YIELD", "0")
	patterns := []taskbench.Pattern{taskbench.Trivial, taskbench.FFT, taskbench.Spread, taskbench.Nearest, taskbench.Dom}
	for _, workers := range []int{1, 2} {
		bed := newBed(t)
		bed.Pool.CPUs, bed.Pool.Bind, bed.Pool.Workers = nil, runtime.BindNone, workers
		r, err := begin(bed, bed.Pool, Config{Types: patterns, Forms: Peers(), Width: 5, Steps: 12})
		testrun.OK(t, err)
		r.programs = peers.NewSet(bed.Announce)
		defer r.programs.Close()
		for i, sweeps := range r.types {
			testrun.Equal(t, patterns[i] == taskbench.Dom, len(sweeps) == 0, "%v is left out", patterns[i])
			for _, w := range sweeps {
				r.checkPeer(t, w)
			}
		}
		testrun.Contains(t, strings.Join(bed.Notes, "\n"), "left out: metg/dom/mpi-ranks/width=5/steps=12/workers=")
	}
}

// checkPeer runs a graph, and once more with a wrong number of inputs expected, which must fail.
func (r *run) checkPeer(t *testing.T, w *sweep) {
	t.Helper()
	p := r.point(w, 3, 12)
	took, err := r.ask(w.form, p)(t.Context())
	if notes := strings.Join(r.bed.Notes, "\n"); errors.Is(err, bench.ErrOver) && absent.MatchString(notes) {
		return
	}
	if err != nil || took <= 0 {
		t.Errorf("%s: %v, error %v", p.name, took, err)
	}
	p.totals.Dependencies++
	_, err = r.ask(w.form, p)(t.Context())
	testrun.As[*trial.VerifyError](t, err, "%s with another number of inputs", p.name)
}
