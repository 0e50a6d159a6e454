package trace

import (
	"strconv"
	"testing"
	"unsafe"
)

// TestRecordSize: a record has the size that texts for users name, on machines with words of 64 bits.
func TestRecordSize(t *testing.T) {
	if strconv.IntSize == 64 && unsafe.Sizeof(record{}) != 56 {
		t.Errorf("a record has %d bytes", unsafe.Sizeof(record{}))
	}
}
