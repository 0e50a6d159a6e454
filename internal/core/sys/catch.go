package sys

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Guarded memory is address space in which forbidden accesses are recorded. On a goroutine that has called
// [RecoverFaults] such an access is a panic. On any other goroutine Go would end the process, which no package can
// change; so the signal handler makes the page accessible, and the goroutine goes on.

// A Fault is a use of guarded memory that was not allowed.
type Fault struct {
	Addr  uintptr
	Write bool
	Panic bool      // the goroutine is one that panics
	PCs   []uintptr // of the goroutine, innermost first, as runtime.Callers has them
}

const (
	faultFrames   = 9   // of a stack are recorded
	maxFaults     = 256 // are kept, a power of two
	maxGuarded    = 32
	maxRecovering = 4096
)

// A faultRecord is what the signal handler writes. number is 0 while it does, and one more
// than the fault's place in the order of all when it has.
type faultRecord struct {
	addr, code, panics, number uintptr
	pcs                        [faultFrames]uintptr
}

// A guardedRange is one that the signal handler looks at.
type guardedRange struct {
	lo, hi uintptr
	alert  uintptr // 1: the next fault is reported on standard error; 2: it was
}

// What the signal handler reads and writes. The tables change by whole words, and a
// range's bounds while no address in it is in use.
var (
	guarded    [maxGuarded]guardedRange
	recovering [maxRecovering]uintptr // goroutines
	faults     [maxFaults]faultRecord
	faultCount uintptr
	alertText  = "ocr: check mode: bytes of a data block are used after the end of their run: they read as zero, and " +
		"what is written is lost\n"
)

// catchMu guards the tables of the signal handler against other writers.
var catchMu sync.Mutex

// CatchesFaults reports whether this system lets faults be caught. It installs the handler
// of the signal.
var CatchesFaults = sync.OnceValue(catchFaults)

// Guard begins to catch faults in n bytes from p on, for as long as the process lives. It
// returns false if that is not possible. alert says that the first one is reported on
// standard error; a later call for the same memory changes it.
func Guard(p unsafe.Pointer, n int, alert bool) bool {
	if !CatchesFaults() {
		return false
	}
	catchMu.Lock()
	defer catchMu.Unlock()
	for k := range guarded {
		if r := &guarded[k]; r.hi == 0 || r.lo == uintptr(p) {
			r.alert = 0
			if alert {
				r.alert = 1
			}
			r.lo = uintptr(p)
			atomic.StoreUintptr(&r.hi, uintptr(p)+uintptr(n))
			return true
		}
	}
	return false
}

// RecoverFaults has faults in guarded memory be panics on the calling goroutine, as
// debug.SetPanicOnFault has them be, until forget is called, on any goroutine.
func RecoverFaults() (forget func()) {
	if !CatchesFaults() {
		return func() {}
	}
	catchMu.Lock()
	defer catchMu.Unlock()
	for k := range recovering {
		if g := &recovering[k]; *g == 0 {
			atomic.StoreUintptr(g, Goroutine())
			return func() { atomic.StoreUintptr(g, 0) }
		}
	}
	return func() {}
}

// FaultsSoFar returns the number that the next fault will have.
func FaultsSoFar() uintptr { return atomic.LoadUintptr(&faultCount) }

// FaultsFrom returns the faults from the one with this number on, and the number of the next.
// Numbers begin at 0. Those that are long ago are lost.
func FaultsFrom(number uintptr) (all []Fault, next uintptr) {
	next = atomic.LoadUintptr(&faultCount)
	for n := max(number, max(next, maxFaults)-maxFaults); n < next; n++ {
		r := &faults[n%maxFaults]
		if atomic.LoadUintptr(&r.number) != n+1 {
			continue
		}
		f := Fault{Addr: r.addr, Write: r.code&2 != 0, Panic: r.panics != 0}
		for k, pc := range r.pcs {
			if pc != 0 {
				// Callers wants return addresses. The first is that of the
				// instruction itself.
				if k == 0 {
					pc++
				}
				f.PCs = append(f.PCs, pc)
			}
		}
		if atomic.LoadUintptr(&r.number) == n+1 {
			all = append(all, f)
		}
	}
	return all, next
}
