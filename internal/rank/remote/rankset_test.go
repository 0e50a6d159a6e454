package remote

import (
	"slices"
	"testing"
)

// TestRankSet: ranks with a bit, and those beyond.
func TestRankSet(t *testing.T) {
	var s rankSet
	for _, r := range []int{0, 63, 64, 1000} {
		s.add(r)
	}
	s.remove(63)
	s.remove(64)
	s.remove(65)
	if got := slices.Collect(s.all); !slices.Equal(got, []int{0, 1000}) || s.has(64) || !s.has(1000) || s.empty() {
		t.Errorf("the set has %v", got)
	}
	for r := range s.all {
		s.remove(r)
	}
	if !s.empty() {
		t.Errorf("the set keeps %v", slices.Collect(s.all))
	}
}
