package pgas

import (
	"slices"
	"strings"
	"testing"

	app "ocr/apps/pgas"
	"ocr/internal/proof/testrun"
)

// TestMPIRows runs the tests of the suite that MPI has, at small sizes, beside the direct form.
func TestMPIRows(t *testing.T) {
	testrun.NeedsTools(t)
	bed := here(t, 2)
	cfg := Defaults()
	cfg.Tests, cfg.Sizes, cfg.Forms = []string{"putput", "reduce", "putget"}, []int{8, 40, 64 << 10},
		[]app.Form{app.Direct}
	cfg.Peers, cfg.Iterations = true, 5
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	var names []string
	for _, r := range d.Results {
		if strings.HasPrefix(r.Name, "pgas/") && strings.Contains(r.Name, "/mpi/") {
			names = append(names, r.Name)
		}
	}
	notes := strings.Join(d.Notes(), "\n")
	if len(names) == 0 && strings.Contains(notes, "left out: Open MPI: ") {
		t.Skipf("not run: %s", notes)
	}
	slices.Sort(names)
	want := "pgas/putput/mpi/bytes=40/pes=2/sync=flag pgas/putput/mpi/bytes=40/pes=2/sync=p2p" +
		" pgas/putput/mpi/bytes=65536/pes=2/sync=flag pgas/putput/mpi/bytes=65536/pes=2/sync=p2p" +
		" pgas/putput/mpi/bytes=8/pes=2/sync=flag pgas/putput/mpi/bytes=8/pes=2/sync=p2p" +
		" pgas/reduce/mpi/bytes=40/pes=2 pgas/reduce/mpi/bytes=65536/pes=2 pgas/reduce/mpi/bytes=8/pes=2"
	if got := strings.Join(names, " "); got != want || !strings.Contains(notes, "peer: Open MPI") {
		t.Errorf("rows of MPI:\n%s\nwant\n%s\nnotes:\n%s", got, want, notes)
	}
}

// TestMPIThatIsNotThere: without a compiler the other rows are measured, and a note says why those of MPI are missing.
func TestMPIThatIsNotThere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	bed := here(t, 2)
	cfg := Defaults()
	cfg.Tests, cfg.Forms, cfg.Peers, cfg.Iterations = []string{"reduce"}, []app.Form{app.Direct}, true, 5
	cfg.Sizes = []int{8, 64}
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	if len(d.Results) != 2 ||
		!strings.Contains(strings.Join(d.Warnings, "\n"), `left out: Open MPI: exec: "mpicxx"`) {
		t.Errorf("results %v, notes %q", d.Results, d.Warnings)
	}
}
