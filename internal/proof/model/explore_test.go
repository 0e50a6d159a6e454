package model_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"ocr/internal/proof/model"
	"ocr/internal/proof/testrun"
)

// A variant is a protocol with one step weakened. If breaks is "", it holds
// nevertheless, and the test shows that the step may be as weak as that.
type variant struct {
	weak   string
	breaks string // a part of what is reported
}

// explore checks that a protocol holds, and that its weakened variants break as
// they should. build is given what to weaken, "" for nothing.
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

// storeBuffering is Dekker's handshake: each of two raises its flag and then looks at the other's.
func storeBuffering(weak string) *model.System {
	s := model.New("store buffering")
	flags := s.Words("flag", 2)
	inside := s.Word("inside", 0)
	for k := range 2 {
		s.Go(fmt.Sprintf("P%d", k), func(p *model.Process) {
			if weak == "stores are plain" {
				p.StoreLater(flags[k], 1)
			} else {
				p.Store(flags[k], 1)
			}
			if p.Load(flags[1-k]) == 0 {
				p.Note(inside, 1)
			}
		})
	}
	s.Always(model.If("both went ahead", func(m model.Memory) bool { return m[inside] > 1 }))
	return s
}

func TestStoreBuffering(t *testing.T) {
	explore(t, storeBuffering, variant{"stores are plain", "both went ahead"})
}

// Plain stores become visible in their order: data before flag.
func messagePassing(weak string) *model.System {
	s := model.New("message passing")
	data, flag := s.Word("data", 0), s.Word("flag", 0)
	s.Go("writer", func(p *model.Process) {
		if weak == "flag first" {
			p.StoreLater(flag, 1)
		}
		p.StoreLater(data, 7)
		p.StoreLater(flag, 1)
		if p.Load(data) != 7 {
			p.Fail("does not see its own store")
		}
	})
	s.Go("reader", func(p *model.Process) {
		p.Await(flag, 1)
		if v := p.Load(data); v != 7 {
			p.Fail("read %d", v)
		}
	})
	return s
}

func TestMessagePassing(t *testing.T) {
	explore(t, messagePassing, variant{"flag first", "reader: read 0"})
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
		if p.Choose(2) == 0 || weak != "may go" {
			p.Store(flag, 1)
		}
	})
	s.Finally(model.If("ended without the flag", func(m model.Memory) bool { return m[flag] != 1 }))
	return s
}

func TestSpinner(t *testing.T) { explore(t, spinner, variant{"may go", "livelock"}) }

// A trace names processes, words, values and the end.
func TestTrace(t *testing.T) {
	got := philosophers("no order").Explore().String()
	want := `philosophers: deadlock: P0 waits at fork[1] lock, P1 waits at fork[0] lock
   1  P0         fork[0] lock 1
   2  P1         fork[1] lock 1
  then  fork[0]=1 fork[1]=1`
	testrun.Equal(t, want, got)
}
