package metg

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// absent is in notes that say that a compiler or a library is not there. A program that is there must be right.
var absent = regexp.MustCompile(`left out: .*(on PATH|file not found|No such file|mpirun)`)

// TestPeers: programs for other runtimes run graphs of each kind of inputs and verify them, on one thread and on two;
// graphs whose columns come and go are left out.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs in C++, which takes seconds: not in short tests")
	}
	t.Setenv("KMP_USE_YIELD", "0")
	patterns := []taskbench.Pattern{taskbench.Trivial, taskbench.FFT, taskbench.Spread, taskbench.Nearest, taskbench.Dom}
	bed := newBed(t)
	bed.Pool.CPUs, bed.Pool.Bind = nil, runtime.BindNone
	d, err := Run(t.Context(), bed, Config{Types: patterns, Forms: append(Peers(), Floor), Width: 5, Steps: 12,
		Workers: []int{1, 2}, Longest: time.Microsecond})
	testrun.OK(t, err)
	notes := strings.Join(d.Warnings, "\n")
	if !strings.Contains(notes, "left out: metg/dom/omp-depend/width=5/steps=12/workers=1: its columns come and go") {
		t.Errorf("dom is not left out:\n%s", notes)
	}
	for _, form := range Peers() {
		for _, workers := range []string{"/workers=1", "/workers=2"} {
			found := 0
			for _, r := range d.Results {
				if strings.Contains(r.Name, string(form)+"/") && strings.HasSuffix(r.Name, workers) && len(r.Labels.Text("iter")) > 0 {
					found++
				}
			}
			if found < len(patterns)-1 && !absent.MatchString(notes) {
				t.Errorf("%d results of %s%s, notes:\n%s", found, form, workers, notes)
			}
		}
	}
	if got := d.Config.Text("workers"); got != "1,2" || len(d.Text.Sections[0].Table.Head) != 4 {
		t.Errorf("workers %s, table %+v", got, d.Text.Sections[0].Table)
	}
}
