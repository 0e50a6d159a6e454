package model_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"ocr/internal/proof/model"
	"ocr/internal/proof/testrun"
)

// A variant is a protocol with one step weakened. If breaks is "" it still holds, and the test shows that the step may
// be that weak.
type variant struct {
	weak   string
	breaks string // a part of the violation
}

// explore checks that a protocol holds, and that its weakened variants break as they should. weak, the argument of
// build, names the step to weaken, "" for none.
func explore(t *testing.T, build func(weak string) *model.System, variants ...variant) {
	t.Helper()
	if testrun.Race() {
		t.Skip("an exploration is one goroutine: the race detector only makes it slow")
	}
	for _, v := range append([]variant{{}}, variants...) {
		t.Run(cmp.Or(v.weak, "as it is"), func(t *testing.T) {
			r := build(v.weak).Explore()
			if v.breaks == "" && r.Violation != "" || v.breaks != "" && r.Violation == "" ||
				!strings.Contains(r.Violation, v.breaks) {
				t.Fatalf("want %q, got %v", v.breaks, r)
			}
			t.Log(r)
		})
	}
}

// Philosophers find deadlocks, a spinning lock livelocks and loops without one.
func philosophers(weak string) *model.System {
	s := model.New("philosophers")
	forks := s.Words("fork", 2)
	for k := range 2 {
		first, second := forks[0], forks[1]
		if k == 1 && weak == "no order" {
			first, second = second, first
		}
		s.Go(fmt.Sprintf("P%d", k), func(p *model.Process) {
			p.Lock(first)
			p.Lock(second)
			p.Unlock(second)
			if weak != "keeps a fork" {
				p.Unlock(first)
			}
		})
	}
	return s
}

func TestPhilosophers(t *testing.T) {
	explore(t, philosophers,
		variant{"no order", "deadlock: P0 waits at fork[1] lock, P1 waits at fork[0] lock"},
		variant{"keeps a fork", "deadlock: P"})
}

// A spinner ends only if another process raises the flag.
func spinner(weak string) *model.System {
	s := model.New("spinner")
	flag := s.Word("flag", 0)
	var spin func(p *model.Process)
	spin = func(p *model.Process) {
		if p.Load(flag) == 0 {
			p.Again("spin", spin)
		}
	}
	s.Go("spinner", spin)
	s.Go("other", func(p *model.Process) {
		if weak != "goes" {
			p.Store(flag, 1)
		}
	})
	s.Finally(func(m model.Memory) string {
		if m[flag] != 1 {
			return "ended without the flag"
		}
		return ""
	})
	return s
}

func TestSpinner(t *testing.T) { explore(t, spinner, variant{"goes", "livelock"}) }

// A trace names processes, words, values and the end.
func TestTrace(t *testing.T) {
	got := philosophers("no order").Explore().String()
	want := `philosophers: deadlock: P0 waits at fork[1] lock, P1 waits at fork[0] lock
   1  P0         fork[0] lock 1
   2  P1         fork[1] lock 1
  then  fork[0]=1 fork[1]=1`
	testrun.Equal(t, want, got)
}
