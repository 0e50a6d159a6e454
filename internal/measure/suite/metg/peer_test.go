package metg

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// absent is in notes that say that a compiler or a library is not there. A program that is there must be right.
var absent = regexp.MustCompile(`left out: .*(on PATH|file not found|No such file|mpirun)`)

// TestPeers: programs for other runtimes run graphs of each kind of inputs, on one thread and on two, and have the
// right number of inputs and tasks; graphs whose columns come and go are left out.
func TestPeers(t *testing.T) {
	testrun.NeedsTools(t)
	t.Setenv("KMP_USE_YIELD", "0")
	patterns := []taskbench.Pattern{taskbench.Trivial, taskbench.FFT, taskbench.Spread, taskbench.Nearest, taskbench.Dom}
	for _, workers := range []int{1, 2} {
		bed := newBed(t)
		bed.Pool.CPUs, bed.Pool.Bind, bed.Pool.Workers = nil, runtime.BindNone, workers
		r, err := begin(bed, Config{Types: patterns, Forms: Peers(), Width: 5, Steps: 12})
		testrun.OK(t, err)
		defer r.programs.Close()
		for _, sweeps := range r.types {
			kept, err := r.there(t.Context(), sweeps)
			testrun.OK(t, err)
			for _, w := range kept {
				r.checkPeer(t, w)
			}
			notes := strings.Join(bed.Notes, "\n")
			comeAndGo := strings.Contains(notes, "left out: "+r.name(sweeps[0])+": its columns come and go")
			if sweeps[0].pattern == taskbench.Dom != comeAndGo || len(kept) == 0 && !comeAndGo && !absent.MatchString(notes) {
				t.Errorf("%s: %d forms, notes:\n%s", sweeps[0].pattern, len(kept), notes)
			}
		}
	}
}

// checkPeer runs a graph, and once more with another number of inputs expected.
func (r *run) checkPeer(t *testing.T, w *sweep) {
	t.Helper()
	p, err := r.point(t.Context(), w, 3, 12)
	testrun.OK(t, err)
	if took, err := r.ask(w.form, p)(t.Context()); err != nil || took <= 0 {
		t.Errorf("%s: %v, error %v", p.name, took, err)
	}
	p.totals.Dependencies++
	var wrong *trial.VerifyError
	if _, err := r.ask(w.form, p)(t.Context()); !errors.As(err, &wrong) {
		t.Errorf("%s with another number of inputs: error %v", p.name, err)
	}
}
