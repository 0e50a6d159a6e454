package check_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/check"
	"ocr/runtime/finding"
)

// overRanks runs a program in check mode on ranks in this process, each EDT on a rank that the seed draws.
func overRanks(seed uint64, ranks int, unwritten bool, main edt.Func) ([]finding.Finding, error) {
	checkers := make([]*check.Checker, ranks)
	h := edttest.NewRanks(seed, ranks, edt.Config{Workers: 1 + int(seed/2%2), Sites: true,
		Observe: func(w *edt.Worker) edt.Observer {
			me, _ := w.Rank()
			if checkers[me] == nil {
				checkers[me] = check.New(check.Config{Blocking: time.Hour, Unwritten: unwritten})
			}
			return checkers[me].Observe(w)
		}})
	defer h.Graph.Close()
	err := h.Run(main)
	var leaks []edt.Leak
	if err == nil {
		leaks = h.Graph.Leaks()
	}
	var found []finding.Finding
	for k, c := range checkers {
		if all := c.Finish(leaks); k == 0 {
			found = all
		}
	}
	return found, err
}

// programOf is what runChecked runs.
func programOf(main program) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		main(c)
		return guid.Null
	}
}

// across reports whether the two sides of a finding were on different ranks.
func across(f *finding.Finding) bool {
	at := map[int]bool{}
	for _, g := range []guid.GUID{f.EDT, f.Object, f.Other} {
		if !g.IsNull() {
			at[g.Home()] = true
		}
	}
	return len(at) > 1
}

// TestFaultsOverRanks: each fault is found whatever ranks its two sides are on, and nothing else is, unless the fault
// has ended the run in another way first.
func TestFaultsOverRanks(t *testing.T) {
	seeds := testrun.Sized[uint64](8, 24, 300)
	for _, f := range faulty {
		t.Run(f.name, func(t *testing.T) {
			apart, found := 0, 0
			for seed := range seeds {
				all, err := overRanks(seed, 2+int(seed%3), true, programOf(f.main))
				var misuse *edt.Error
				if errors.As(err, &misuse) {
					continue
				}
				for _, got := range check.Faults(all) {
					if got.Kind != f.kind {
						t.Fatalf("seed %d: %v", seed, got)
					}
					if found++; across(&got) {
						apart++
					}
					if got.Template != f.template && got.Kind != finding.StrayCall || !strings.Contains(got.String(), f.detail) ||
						!strings.Contains(got.Site+got.ObjectSite+got.Detail, "faulty_test.go:") {
						t.Fatalf("seed %d: found\n%v\nwant %q, with %q and a line", seed, got, f.template, f.detail)
					}
				}
				if len(check.Faults(all)) == 0 && (err == nil || f.ends) {
					t.Fatalf("seed %d: nothing found, %v", seed, err)
				}
			}
			if t.Logf("%d found, %d across", found, apart); found == 0 {
				t.Error("not found")
			}
		})
	}
}

// TestUnorderedOverRanks is the same for what is found in no order.
func TestUnorderedOverRanks(t *testing.T) {
	seeds := testrun.Sized[uint64](8, 24, 300)
	for _, p := range unordered {
		t.Run(p.name, func(t *testing.T) {
			for seed := range seeds {
				all, err := overRanks(seed, 2+int(seed%3), false, programOf(p.main(0)))
				if err != nil || len(all) != 1 || all[0].Kind != p.kind || all[0].Template != p.template ||
					all[0].OtherTemplate != p.other {
					t.Fatalf("seed %d: found %v, error %v", seed, all, err)
				}
				if p.allows == 0 {
					continue
				}
				if all, err = overRanks(seed, 2+int(seed%3), false, programOf(p.main(p.allows))); err != nil || len(all) > 0 {
					t.Fatalf("seed %d, allowed: found %v, error %v", seed, all, err)
				}
			}
		})
	}
}

// TestRandomGraphsOverRanks is TestRandomGraphsHaveNoOtherFaults over ranks.
func TestRandomGraphsOverRanks(t *testing.T) {
	for seed := range testrun.Sized[uint64](6, 20, 500) {
		x := graphtest.Generate(seed, 40).NewExecution()
		x.Ranks = 2 + int(seed%3)
		all, err := overRanks(seed, x.Ranks, false, x.Main)
		if err != nil {
			t.Errorf("graph %d: %v", seed, err)
		}
		for _, f := range check.Faults(all) {
			if !notJudged(f) {
				t.Errorf("graph %d: %v", seed, f)
			}
		}
	}
}

// TestRightProgramsOverRanks: what has no fault on one rank has none on several.
func TestRightProgramsOverRanks(t *testing.T) {
	seeds := testrun.Sized[uint64](3, 6, 300)
	for _, p := range right {
		t.Run(p.name, func(t *testing.T) {
			for seed := range seeds {
				all, err := overRanks(seed, 2+int(seed%3), false, programOf(p.main))
				if err != nil || len(all) > 0 && !p.notes {
					t.Fatalf("seed %d: found %v, error %v", seed, all, err)
				}
			}
		})
	}
}
