package runtime

import (
	goruntime "runtime"
	"sync"
)

// procs is the state of GOMAXPROCS while runs are on. Several runs may be on at the same time: the first records the
// value, the last restores it.
var procs struct {
	mu        sync.Mutex
	runs      int
	before    int
	automatic bool // Go followed the machine's limits by itself
	during    int
}

// holdProcs keeps GOMAXPROCS at n or above until the function that it returns is called.
// Both are called on a thread with the mask of the process: Go's default depends on it.
//
// GOMAXPROCS is set even if it is high enough: Go does not lower a value that was set when the limits of the process
// change.
func holdProcs(n int) (release func()) {
	p := &procs
	p.mu.Lock()
	defer p.mu.Unlock()
	now := goruntime.GOMAXPROCS(0)
	if p.runs == 0 || now != p.during { // the first run, or the program has changed it meanwhile
		p.before, p.automatic = now, p.runs == 0 && isDefault(now)
	}
	p.runs++
	p.during = max(now, n)
	goruntime.GOMAXPROCS(p.during)
	return releaseProcs
}

// isDefault reports whether Go sets GOMAXPROCS: whether it stays the same when Go is asked to. A program that has set
// the value that is the default counts as one that has set none.
func isDefault(now int) bool {
	goruntime.SetDefaultGOMAXPROCS()
	return goruntime.GOMAXPROCS(0) == now
}

// releaseProcs ends a hold. The last one puts GOMAXPROCS back, unless the program has
// changed it meanwhile.
func releaseProcs() {
	p := &procs
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs--
	switch {
	case p.runs > 0 || goruntime.GOMAXPROCS(0) != p.during:
	case p.automatic:
		goruntime.SetDefaultGOMAXPROCS()
	default:
		goruntime.GOMAXPROCS(p.before)
	}
}
