package edt

import (
	"testing"

	"ocr/guid"
)

// The place of a range is used again, with another name, until its generations are used up.
func TestGenerationsOfARange(t *testing.T) {
	rs := new(ranges)
	first := rs.make(3, guid.KindEvent)
	rs.all[0].generation = lastRangeGeneration - 1
	if rs.destroy(first) {
		t.Fatal("a GUID of another generation destroys the range")
	}
	before := rs.all[0].low(0)
	if !rs.destroy(before) || rs.destroy(before) {
		t.Fatal("a range is not destroyed once")
	}
	last := rs.make(3, guid.KindEvent)
	if last == before || len(rs.all) != 1 {
		t.Fatalf("range %#x after %#x, %d places", last, before, len(rs.all))
	}
	if !rs.destroy(last) || len(rs.free) != 0 {
		t.Fatalf("the place is free after its last generation: %v", rs.free)
	}
	if next := rs.make(3, guid.KindEvent); next == last || rs.of(last) != nil || len(rs.all) != 2 {
		t.Fatalf("range %#x after %#x, %d places", next, last, len(rs.all))
	}
}

// A reader of what others write bears a fault, and no other panic.
func TestOnlyFaultsAreIgnored(t *testing.T) {
	defer func() {
		if v := recover(); v != "other" {
			t.Errorf("the panic is %v", v)
		}
	}()
	ignoreFault(func() { panic("other") })
	t.Error("a panic was ignored")
}
