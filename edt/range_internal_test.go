package edt

import (
	"testing"

	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// The place of a range is used again, with another name, until its generations are used up.
func TestGenerationsOfARange(t *testing.T) {
	rs := new(ranges)
	first := rs.make(3, guid.KindEvent)
	if rs.destroy(first+rangeGeneration) || rs.find(first+rangeGeneration) != nil {
		t.Fatal("a GUID of another generation names the range")
	}
	if !rs.destroy(first) || rs.destroy(first) || rs.find(first) != nil {
		t.Fatal("a range is not destroyed once")
	}
	rs.free[0] = 1<<63 | (lastRangeGeneration-1)<<32 | uint64(uint32(first))
	before := rs.make(3, guid.KindEvent)
	rs.destroy(before)
	last := rs.make(3, guid.KindEvent)
	if last != before+rangeGeneration || rs.used != 1 || rs.find(last) == nil || rs.find(before) != nil {
		t.Fatalf("range %#x after %#x, %d places", last, before, rs.used)
	}
	if !rs.destroy(last) || len(rs.free) != 0 {
		t.Fatalf("the place is free after its last generation: %v", rs.free)
	}
	if next := rs.make(3, guid.KindEvent); next == last || rs.find(last) != nil || rs.find(next) == nil || rs.used != 2 {
		t.Fatalf("range %#x after %#x, %d places", next, last, rs.used)
	}
}

// A reader of what others write bears a fault, and no other panic.
func TestOnlyFaultsAreIgnored(t *testing.T) {
	defer func() {
		testrun.Equal(t, "other", recover(), "the panic")
	}()
	ignoreFault(func() { panic("other") })
	t.Error("a panic was ignored")
}
