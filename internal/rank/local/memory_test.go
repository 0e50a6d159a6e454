package local

import (
	"os"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
)

func made(t *testing.T, area int) (*Memory, *os.File) {
	t.Helper()
	m, f, err := Plan{Ranks: 2, Lines: 4, Area: area}.Make()
	testrun.OK(t, err)
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		_ = f.Close()
	})
	return m, f
}

// mapped maps a memory once more, as another rank does.
func mapped(t *testing.T, m *Memory, f *os.File) *Memory {
	t.Helper()
	plan, err := ParsePlan(m.Plan.String())
	if err != nil || plan != m.Plan {
		t.Fatalf("%v, %v: want %v", plan, err, m.Plan)
	}
	other, err := plan.Map(f)
	testrun.OK(t, err)
	t.Cleanup(func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	})
	return other
}

// TestArea: an area has one address in all processes. A process that has something else there gets an error and no
// area. A second memory of a process has another address.
func TestArea(t *testing.T) {
	const bytes = 4 << 20
	m, f := made(t, bytes)
	if m.Err != nil || len(m.Area) != bytes {
		t.Fatalf("%d bytes: %v", len(m.Area), m.Err)
	}
	if other, _ := made(t, bytes); other.Err != nil || &other.Area[0] == &m.Area[0] {
		t.Errorf("a second memory: %v", other.Err)
	}
	if other := mapped(t, m, f); other.Area != nil || other.Err == nil {
		t.Errorf("an address is taken: %d bytes: %v", len(other.Area), other.Err)
	}
	at := unsafe.Pointer(&m.Area[0])
	m.Area[bytes-1] = 7
	if err := m.DropArea(); err != nil || m.Area != nil {
		t.Error(err)
	}
	if other := mapped(t, m, f); other.Err != nil || unsafe.Pointer(&other.Area[0]) != at || other.Area[bytes-1] != 7 {
		t.Errorf("what was written is not there: %v", other.Err)
	}
}

func TestNoArea(t *testing.T) {
	m, f := made(t, 0)
	other := mapped(t, m, f)
	for _, m := range []*Memory{m, other} {
		if m.Area != nil || m.Err != nil {
			t.Errorf("%d bytes that were not wanted, %v", len(m.Area), m.Err)
		}
	}
}

func TestPlanOfAnother(t *testing.T) {
	if p, err := ParsePlan("2 ranks"); err == nil {
		t.Errorf("%v", p)
	}
}
