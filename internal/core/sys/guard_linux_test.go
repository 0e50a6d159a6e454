package sys

import (
	goruntime "runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
)

// backed shows n pages at the beginning of reserved memory, and nothing on as many behind them.
func backed(t *testing.T, n int) (b *Backing, all, behind []byte) {
	t.Helper()
	p := Reserve(2 * n * Page)
	if p == nil {
		t.Fatal("no address space")
	}
	if b = NewBacking(p, n*Page); b == nil {
		t.Fatal("no memory to show")
	}
	t.Cleanup(b.Close)
	whole := unsafe.Slice((*byte)(p), 2*n*Page)
	return b, whole[:n*Page], whole[n*Page:]
}

func TestProtectedPages(t *testing.T) {
	const pages = 3
	b, _, behind := backed(t, pages)
	p := unsafe.Pointer(&behind[0])
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	faults := func(f func()) (fault bool) {
		defer func() { fault = recover() != nil }()
		f()
		return false
	}
	var sink byte
	read, write := func() { sink += behind[Page] }, func() { behind[Page] = 7 }
	steps := []struct {
		to          Protection
		read, write bool // what faults
	}{{NoAccess, true, true}, {ReadOnly, false, true}, {ReadWrite, false, false}, {NoAccess, true, true}}
	for _, s := range steps {
		for _, change := range []func() error{
			func() error { return Clear(p, pages*Page, s.to) },
			func() error { return b.Show(p, 0, pages*Page, s.to, true) },
		} {
			testrun.OK(t, change())
			if faults(read) != s.read || faults(write) != s.write {
				t.Errorf("protection %v: a read or a write did what it should not", s.to)
			}
		}
	}
}

// What is written privately is seen nowhere else, and it is known which pages that is.
func TestBacking(t *testing.T) {
	const pages = 1100 // more than is asked for at once
	b, all, behind := backed(t, pages)
	p := unsafe.Pointer(&behind[0])
	all[9*Page] = 1
	testrun.OK(t, b.Show(p, 0, pages*Page, ReadWrite, true))
	sum := behind[9*Page] + behind[1099*Page]
	behind[600*Page], behind[1098*Page] = 2, 3
	if sum != 1 || all[600*Page] != 0 || all[1098*Page] != 0 {
		t.Errorf("read %d; what is private is seen elsewhere", sum)
	}
	uses := make([]PageUse, pages)
	if !PagesInUse(p, uses) {
		t.Skip("this system does not tell which pages are in use")
	}
	for k, use := range uses {
		own, touched := k == 600 || k == 1098, k == 600 || k == 1098 || k == 9 || k == 1099
		if use&PageOwn != 0 != own || use&PageTouched == 0 && touched {
			t.Errorf("page %d: use %d", k, use)
		}
	}
	all[600*Page], all[601*Page] = 7, 8
	if behind[600*Page] != 2 || behind[601*Page] != 8 {
		t.Errorf("an own page is %d, another one %d; want 2 and 8", behind[600*Page], behind[601*Page])
	}
	testrun.OK(t, b.Show(p, 600*Page, Page, ReadWrite, false))
	if behind[0]++; all[600*Page] != 8 {
		t.Error("what is shared is not seen elsewhere")
	}
	b.Drop(600*Page, 2*Page)
	if all[600*Page] != 0 || behind[0] != 0 || all[9*Page] != 1 {
		t.Error("not the right pages were dropped")
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
