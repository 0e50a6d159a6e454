package overhead

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/internal/measure/peers"
	"ocr/internal/proof/testrun"
)

// withOthers returns the notes and results of rows that have a stand-in for a peer in another runtime.
func withOthers(t *testing.T, asks bool, patterns []string, standIn measure) (notes, results string, err error) {
	t.Helper()
	bed, cfg := newBed(t, 1), configOf(t, patterns...)
	cfg.Others = asks
	for _, r := range cfg.Rows {
		r.Peers = slices.DeleteFunc(r.Peers, func(p Peer) bool { return p.Library != nil })
		r.Peers = append(r.Peers, Peer{Name: "stand-in", Library: peers.TBB, measure: standIn})
	}
	d, err := Run(t.Context(), bed, cfg)
	for _, r := range d.Results {
		results += r.Name + " "
	}
	return strings.Join(d.Notes(), "\n"), results, err
}

// TestOthersThatAreNotThere: a program that cannot be compiled or does not run is noted, and left out.
func TestOthersThatAreNotThere(t *testing.T) {
	for want, failed := range map[string]error{
		"left out: oneTBB: no g++ on PATH (needs Debian's packages g++, libtbb-dev)": &peers.Missing{
			Library: peers.TBB, Err: errors.New("no g++ on PATH")},
		"left out: stand-in beside chain/event: unexpected EOF": io.ErrUnexpectedEOF,
	} {
		fails := func(context.Context, *Bench, int) (Sample, error) { return Sample{}, failed }
		notes, results, err := withOthers(t, true, []string{"chain/plain", "chain/event"}, fails)
		if err != nil || strings.Count(notes, want) != 1 ||
			strings.Count(results, " ") != 5 || strings.Contains(results, "stand-in") {
			t.Errorf("%v: error %v, results %v, notes:\n%s", failed, err, results, notes)
		}
	}
}

// TestOthersThatAreWrong: a wrong answer ends the run as a wrong result of ours does, at any time.
func TestOthersThatAreWrong(t *testing.T) {
	for _, good := range []int{0, 2} {
		asked := 0
		_, results, err := withOthers(t, true, []string{"chain/plain"}, func(context.Context, *Bench, int) (Sample, error) {
			if asked++; asked > good {
				return Sample{}, trial.Wrong("stand-in", "checksum", 1, 2)
			}
			return Sample{Ops: 1, Unaccounted: true, Busy: 1, Rate: 1}, nil
		})
		if wrong := new(trial.VerifyError); !errors.As(err, &wrong) || wrong.Where != "checksum" || results != "" {
			t.Errorf("after %d good samples: error %v, results %v", good, err, results)
		}
	}
}

// TestOthersOnlyIfAsked: without --peers no program is started.
func TestOthersOnlyIfAsked(t *testing.T) {
	_, _, err := withOthers(t, false, []string{"chain/plain"}, func(context.Context, *Bench, int) (Sample, error) {
		t.Error("it was asked")
		return Sample{}, nil
	})
	testrun.OK(t, err)
}
