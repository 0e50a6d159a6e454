package sys

import (
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"
)

func TestProtectedPages(t *testing.T) {
	n := 3 * Page
	p := Reserve(n)
	if p == nil {
		t.Fatal("no address space")
	}
	defer Unreserve(p, n)
	b := unsafe.Slice((*byte)(p), n)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	faults := func(f func()) (fault bool) {
		defer func() { fault = recover() != nil }()
		f()
		return false
	}
	var sink byte
	read, write := func() { sink += b[Page] }, func() { b[Page] = 7 }
	steps := []struct {
		to          Protection
		read, write bool // what faults
	}{{NoAccess, true, true}, {ReadOnly, false, true}, {ReadWrite, false, false}, {NoAccess, true, true}}
	for _, s := range steps {
		if err := Protect(p, n, s.to); err != nil {
			t.Fatal(err)
		}
		if faults(read) != s.read || faults(write) != s.write {
			t.Errorf("protection %v: a read or a write did what it should not", s.to)
		}
	}
}

func TestTouchedPages(t *testing.T) {
	n := 4 * Page
	p := Reserve(n)
	defer Unreserve(p, n)
	if err := Protect(p, n, ReadWrite); err != nil {
		t.Fatal(err)
	}
	b := unsafe.Slice((*byte)(p), n)
	b[1*Page] = 1
	sink := b[3*Page]
	got := Touched(p, 4)
	if want := []bool{false, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("touched %v, want %v (%d)", got, want, sink)
	}
	DropPages(p, n)
	if got := Touched(p, 4); slices.Contains(got, true) {
		t.Errorf("touched %v after the pages were dropped", got)
	}
}

func TestThreadTimeGrows(t *testing.T) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	id := ThreadID()
	before, ok := ThreadTime(id)
	if !ok {
		t.Skip("this kernel does not tell the time of a thread")
	}
	for grown := false; !grown; { // for ever, if it never grows
		Pause(100)
		after, ok := ThreadTime(id)
		if !ok || after.Ran < before.Ran || after.Queued < before.Queued {
			t.Fatalf("the times of a thread went from %+v to %+v, %v", before, after, ok)
		}
		grown = after.Ran > before.Ran
	}
	if _, ok := ThreadTime(1 << 30); ok {
		t.Error("a thread that is none has a time")
	}
}
