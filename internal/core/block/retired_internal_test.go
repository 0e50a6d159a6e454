package block

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// A GUID must be stale before its block is marked as destroyed: from then on the last holder may free the block, and
// its record may be reused with the next GUID. The record here spans two pages. The page with the GUID is write
// protected, so a write to it faults: the test checks that the state was not written before. (The race detector's own
// code would fault first, and Go makes no panic of that.)
func TestStaleBeforeDestroyed(t *testing.T) {
	if testrun.Race() {
		t.Skip("the race detector writes the GUID itself")
	}
	pages := sys.Reserve(2 * sys.Page)
	if pages == nil || sys.Clear(pages, 2*sys.Page, sys.ReadWrite) != nil ||
		sys.Clear(pages, sys.Page, sys.ReadOnly) != nil {
		t.Skip("the system protects no pages")
	}
	r := (*Record)(unsafe.Add(pages, sys.Page-int(unsafe.Offsetof(Record{}.state))))
	s := openStore(0)
	defer s.Close()
	var l Local
	l.Init(s, nil)
	_, _, err := l.Create(8, true) // DestroyQuick needs a magazine with room for the size
	testrun.OK(t, err)
	for name, destroy := range map[string]func(){
		"Destroy":      func() { l.Destroy(1, r) },
		"DestroyHeld":  func() { l.DestroyHeld(1, r, datablock.RW, nil) },
		"DestroyQuick": func() { l.DestroyQuick(1, r) },
	} {
		r.state.Init(classOne)
		if !faults(destroy) {
			t.Errorf("%s does not write the GUID", name)
		}
		testrun.Equal(t, classOne, r.state.Load(), "state after %s, before the GUID is stale", name)
	}
}

// faults reports whether f writes to protected memory.
func faults(f func()) (so bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { so = recover() != nil }()
	f()
	return false
}
