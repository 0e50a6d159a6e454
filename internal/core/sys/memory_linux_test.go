package sys

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
)

func TestProtectedPages(t *testing.T) {
	const pages = 3
	p := Reserve(pages * Page)
	if p == nil {
		t.Fatal("no address space")
	}
	b := unsafe.Slice((*byte)(p), pages*Page)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	faults := func(f func()) (fault bool) {
		defer func() { fault = recover() != nil }()
		f()
		return false
	}
	var sink byte
	read, write := func() { sink += b[Page] }, func() { b[Page] = 7 }
	for _, s := range []struct {
		to          Protection
		read, write bool // which accesses fault
	}{{NoAccess, true, true}, {ReadOnly, false, true}, {ReadWrite, false, false}, {NoAccess, true, true}} {
		for _, change := range []func(unsafe.Pointer, int, Protection) error{Clear, Protect} {
			testrun.OK(t, change(p, pages*Page, s.to))
			if faults(read) != s.read || faults(write) != s.write {
				t.Errorf("protection %v: a read or a write did what it should not", s.to)
			}
		}
	}
	testrun.OK(t, Clear(p, pages*Page, ReadWrite))
	testrun.Equal(t, 0, b[Page], "a byte that was cleared")
}

func TestTotalMemory(t *testing.T) {
	if got := TotalMemory(); got < 16<<20 || got > 1<<52 {
		t.Errorf("TotalMemory() = %d bytes, want what a machine has", got)
	}
}
