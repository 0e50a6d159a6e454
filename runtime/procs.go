package runtime

import (
	goruntime "runtime"
	"sync"
)

// procs has the value of GOMAXPROCS before the runs that are on, and the value during them. The first of several
// concurrent runs records the value, the last restores it.
var procs struct {
	mu        sync.Mutex
	workers   int // of the runs that are on
	before    int
	automatic bool // the value was Go's default, which follows the limits of the process
	during    int
}

// holdProcs keeps GOMAXPROCS above the number of workers of all holds until release is called. holdProcs and release
// must be called on a thread with the affinity mask of the process, on which Go's default depends.
//
// It sets GOMAXPROCS even if the value is high enough: if the limits of the process change, Go changes its own default,
// but not a value that was set.
func holdProcs(workers int) (release func()) {
	p := &procs
	p.mu.Lock()
	defer p.mu.Unlock()
	now := goruntime.GOMAXPROCS(0)
	if p.workers == 0 || now != p.during { // the first run, or the program has changed it during a run
		p.before, p.automatic = now, p.workers == 0 && isDefault(now)
	}
	p.workers += workers
	p.during = max(now, p.workers+1)
	goruntime.GOMAXPROCS(p.during)
	return func() { releaseProcs(workers) }
}

// isDefault reports whether now is Go's default, even if the program itself has set this value. GOMAXPROCS is the
// default afterwards: the caller sets it again.
func isDefault(now int) bool {
	goruntime.SetDefaultGOMAXPROCS()
	return goruntime.GOMAXPROCS(0) == now
}

// releaseProcs ends a hold. The last one restores GOMAXPROCS, unless the program has changed it.
func releaseProcs(workers int) {
	p := &procs
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers -= workers
	switch {
	case p.workers > 0 || goruntime.GOMAXPROCS(0) != p.during:
	case p.automatic:
		goruntime.SetDefaultGOMAXPROCS()
	default:
		goruntime.GOMAXPROCS(p.before)
	}
}
