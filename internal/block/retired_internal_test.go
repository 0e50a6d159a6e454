package block

import (
	"testing"
	"unsafe"

	"ocr/datablock"
)

// The place of a block that had the last generation is not used again if its holder
// destroys it: the GUID is made stale before the block is freed.
func TestRecordOfAHeldBlockIsKeptBack(t *testing.T) {
	s := openStore(0)
	defer s.Close()
	var l Local
	l.Init(s)
	i, r, err := l.Create(8, true)
	if err != nil {
		t.Fatal(err)
	}
	*(*uint32)(unsafe.Pointer(&r.Header)) = 1<<31 | 1<<30 - 1 // the last generation
	lo := r.Low(i)
	l.DestroyHeld(i, r, datablock.RW, nil)
	if s.Lookup(lo) != nil {
		t.Error("the block is still found")
	}
	if again, _, err := l.Create(8, false); err != nil || again == i {
		t.Errorf("record %d is used again as %d, %v", i, again, err)
	}
}
