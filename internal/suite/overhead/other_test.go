package overhead

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/internal/peers"
	"ocr/internal/sys"
)

// TestOthers has every program beside a row that can be had here do what it is asked for, small,
// and compares its checksum with that of the row.
func TestOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs in C++, which takes seconds: not in short tests")
	}
	// Else each thread of libomp that waits for another one gives its processor away: beside busy processes that is
	// a time slice of each of them for every EDT, and the largest sweep has 30 000.
	t.Setenv("KMP_USE_YIELD", "0")
	set := peers.NewSet()
	defer set.Close()
	for _, r := range WithOthers(Rows()) {
		for _, o := range r.Others {
			for _, workers := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/%s/workers=%d", r.Name, o.Name, workers), func(t *testing.T) {
					b := onRuntime()
					b.others = func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
						return set.Program(ctx, l, slices.Repeat([]int{-1}, workers))
					}
					s, err := o.Measure(t.Context(), b, workers)
					if missing := new(peers.Missing); errors.As(err, &missing) {
						t.Skipf("not run: %v", missing)
					}
					checkSample(t, s, err)
				})
			}
		}
	}
}

// withOthers measures rows beside an other of each in place of theirs.
func withOthers(t *testing.T, patterns []string, measure measure) (notes string, results []string, err error) {
	t.Helper()
	bed, cfg := newBed(t, 1), configOf(t, patterns...)
	cfg.Others, cfg.events = true, []counted{{"page-faults/op", sys.PageFaults}}
	for _, r := range cfg.Rows {
		r.Others = []Other{{Library: peers.TBB, Peer: Peer{Name: "stand-in", measure: measure}}}
	}
	d, err := Run(t.Context(), bed, cfg)
	for _, r := range d.Results {
		results = append(results, r.Name)
	}
	return strings.Join(d.Warnings, "\n"), results, err
}

// TestOthersThatAreNotThere: what cannot be compiled or does not run is noted, and left out.
func TestOthersThatAreNotThere(t *testing.T) {
	rows := []string{"chain/plain", "chain/event"}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&peers.Missing{Library: peers.TBB, Err: errors.New("no g++ on PATH")}, "left out: oneTBB: no g++ on PATH (needs Debian's packages g++, libtbb-dev)"},
		{io.ErrUnexpectedEOF, "left out: stand-in beside chain/event: unexpected EOF"},
	} {
		notes, results, err := withOthers(t, rows, func(context.Context, *Bench, int) (Sample, error) { return Sample{}, tt.err })
		if err != nil || strings.Count(notes, tt.want) != 1 || len(results) != 5 || strings.Contains(strings.Join(results, " "), "stand-in") {
			t.Errorf("%v: error %v, results %v, notes:\n%s", tt.err, err, results, notes)
		}
	}
}

// TestOthersThatAreWrong: a wrong answer ends the run as a wrong result of ours does, whenever it comes.
func TestOthersThatAreWrong(t *testing.T) {
	for _, good := range []int{0, 2} {
		asked := 0
		_, results, err := withOthers(t, []string{"chain/plain"}, func(context.Context, *Bench, int) (Sample, error) {
			if asked++; asked > good {
				return Sample{}, trial.Wrong("stand-in", "checksum", 1, 2)
			}
			return Sample{Ops: 1, All: 1, Rounds: 1, Unaccounted: true, Busy: 1, Rate: 1}, nil
		})
		if wrong := new(trial.VerifyError); !errors.As(err, &wrong) || wrong.Where != "checksum" || len(results) != 0 {
			t.Errorf("after %d good samples: error %v, results %v", good, err, results)
		}
	}
}

// TestOthersOnlyIfAsked: without --peers no program is started.
func TestOthersOnlyIfAsked(t *testing.T) {
	bed, cfg := newBed(t, 1), configOf(t, "chain/plain")
	cfg.Rows[0].Others = []Other{{Library: peers.TBB, Peer: Peer{Name: "stand-in", measure: func(context.Context, *Bench, int) (Sample, error) {
		t.Error("it was asked")
		return Sample{}, nil
	}}}}
	if _, err := Run(t.Context(), bed, cfg); err != nil {
		t.Error(err)
	}
}
