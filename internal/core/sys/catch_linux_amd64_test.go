package sys

import (
	"os"
	"os/exec"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
)

// guardedPages reserves pages and guards them. They stay so: no other test may get the range.
func guardedPages(t *testing.T, n int) []byte {
	t.Helper()
	p := Reserve(n * Page)
	if p == nil || !Guard(p, n*Page, false) {
		t.Fatal("no guarded memory")
	}
	return unsafe.Slice((*byte)(p), n*Page)
}

//go:noinline
func useByte(b []byte) { b[0] = 1 }

//go:noinline
func copyText(b []byte) { copy(b, "some text that is longer than a word or two") }

// lineOf returns the first function of this package among what called.
func functionOf(f Fault) string {
	frames := goruntime.CallersFrames(f.PCs)
	for more := true; more; {
		var one goruntime.Frame
		if one, more = frames.Next(); strings.HasPrefix(one.Function, "ocr/internal/core/sys.") {
			return strings.TrimPrefix(one.Function, "ocr/internal/core/sys.")
		}
	}
	return "none"
}

// Goroutines that do not recover go on, and what they did is known.
func TestFaultsOfOtherGoroutines(t *testing.T) {
	b := guardedPages(t, 3)
	_, from := FaultsFrom(0)
	var all sync.WaitGroup
	for page, use := range []func([]byte){useByte, copyText, func(b []byte) {
		testrun.Equal(t, 0, b[7], "byte of a page that was never used")
	}} {
		all.Go(func() { use(b[page*Page+100:]) })
	}
	all.Wait()
	got, _ := FaultsFrom(from)
	if len(got) != 3 || b[100] != 1 || b[Page+100] != 's' {
		t.Fatalf("%d faults, want 3", len(got))
	}
	for _, f := range got {
		off := int(f.Addr - uintptr(unsafe.Pointer(&b[0])))
		page := off / Page
		want := []string{"useByte", "copyText", "TestFaultsOfOtherGoroutines.func1"}[page]
		if functionOf(f) != want || f.Write != (page < 2) || f.Panic {
			t.Errorf("%s faulted at byte %d, write %v, panic %v; want %s", functionOf(f), off, f.Write, f.Panic, want)
		}
	}
}

// One that recovers panics each time, and the panic names the address.
func TestFaultsThatAreRecovered(t *testing.T) {
	b := guardedPages(t, 1)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	forget := RecoverFaults()
	_, from := FaultsFrom(0)
	fault := func() (addr uintptr) {
		defer func() {
			if v, ok := recover().(interface{ Addr() uintptr }); ok {
				addr = v.Addr()
			}
		}()
		useByte(b[9:])
		return 0
	}
	for range 2 {
		if addr := fault(); addr != uintptr(unsafe.Pointer(&b[9])) {
			t.Fatalf("the panic is for address %#x", addr)
		}
	}
	got, next := FaultsFrom(from)
	if len(got) != 2 || !got[0].Panic || functionOf(got[0]) != "useByte" {
		t.Errorf("faults: %+v", got)
	}
	forget()
	useByte(b[9:])
	if got, _ := FaultsFrom(next); len(got) != 1 || got[0].Panic {
		t.Errorf("faults of a goroutine that does not recover any more: %+v", got)
	}
}

//go:noinline
func deeper(n int, pcs []uintptr) []uintptr {
	if n == 0 {
		return pcs[:Stack(pcs)]
	}
	return deeper(n-1, pcs)
}

// TestStack compares with the frames that Go finds.
func TestStack(t *testing.T) {
	for _, depth := range []int{0, 1, 5, 300} {
		got := deeper(depth, make([]uintptr, 64))
		if depth < 50 && len(got) < depth+3 || len(got) > 64 {
			t.Fatalf("%d frames below %d calls", len(got), depth)
		}
		for n := range min(depth+1, len(got)) {
			if f := goruntime.FuncForPC(got[n] - 1); f == nil || f.Name() != "ocr/internal/core/sys.deeper" &&
				n < min(depth, len(got)) {
				t.Fatalf("frame %d of %d calls is in %v", n, depth, f.Name())
			}
		}
		if again := deeper(depth, make([]uintptr, 64)); len(got) < 64 && slices.Equal(got, again) {
			t.Errorf("two calls below %d others have one stack", depth)
		}
	}
	testrun.Equal(t, 3, len(deeper(9, make([]uintptr, 3))), "frames")
}

// Faults elsewhere are Go's, with our handler before it.
func TestOtherFaultsAreGos(t *testing.T) {
	guardedPages(t, 1)
	defer func() {
		if recover() == nil {
			t.Error("a nil pointer is no panic")
		}
	}()
	useByte(*(*[]byte)(unsafe.Pointer(&struct {
		p    unsafe.Pointer
		n, m int
	}{nil, 1, 1})))
}

// Faults come to no harm while the stack grows and other goroutines fault.
func TestManyFaultsAtOnce(t *testing.T) {
	const goroutines, pages = 8, 200
	b := guardedPages(t, goroutines*pages)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for p := range pages {
				useByte(b[(g*pages+p)*Page:])
				if p%16 == 0 {
					goruntime.GC()
				}
			}
		})
	}
	all.Wait()
	got, next := FaultsFrom(0)
	if next < goroutines*pages || len(got) != maxFaults {
		t.Errorf("%d faults in all, %d known", next, len(got))
	}
}

// The first use of memory whose checker has ended is reported, by the handler itself.
func TestAlert(t *testing.T) {
	if os.Getenv("OCR_ALERT") != "" {
		p := Reserve(2 * Page)
		Guard(p, 2*Page, false)
		Guard(p, 2*Page, true)
		useByte(unsafe.Slice((*byte)(p), Page))
		useByte(unsafe.Slice((*byte)(unsafe.Add(p, Page)), Page))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAlert$")
	cmd.Env = append(os.Environ(), "OCR_ALERT=1")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), alertText) != 1 {
		t.Errorf("error %v, output %q", err, out)
	}
}
