package local

import (
	"testing"

	"ocr/internal/proof/testrun"
)

// TestMap: another rank maps a memory by the text of its plan.
func TestMap(t *testing.T) {
	m, f, err := Plan{Ranks: 2, Lines: 4}.Make()
	testrun.OK(t, err)
	defer func() { _ = f.Close() }()
	plan, err := ParsePlan(m.Plan.String())
	if err != nil || plan != m.Plan {
		t.Fatalf("%v, %v: want %v", plan, err, m.Plan)
	}
	other, err := plan.Map(f)
	testrun.OK(t, err)
	m.bytes[0] = 7
	if other.bytes[0] != 7 {
		t.Error("two ranks map different memory")
	}
	for _, m := range []*Memory{m, other} {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPlanOfAnother(t *testing.T) {
	if p, err := ParsePlan("2 ranks"); err == nil {
		t.Errorf("%v", p)
	}
}
