package sys

import "testing"

func TestTotalMemory(t *testing.T) {
	if got := TotalMemory(); got < 16<<20 || got > 1<<52 {
		t.Errorf("TotalMemory() = %d bytes, want what a machine has", got)
	}
}
