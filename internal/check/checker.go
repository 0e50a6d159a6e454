package check

import (
	"slices"
	"sync"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// A Checker is the check mode of one run.
//
// Concurrency: one lock over everything. Check mode is slow in any case, and its findings
// should not depend on races of its own.
type Checker struct {
	blocking time.Duration

	mu       sync.Mutex
	now      moment
	nodes    map[guid.GUID]*node
	events   map[guid.GUID]*event
	blocks   map[guid.GUID]*block
	deferred map[uint64]*deferred // calls, by number
	scopes   map[guid.GUID]*scope
	views    views
	history  [historyLength]*node
	oldest   int
	searches uint64
	todo     []*node  // of the latest search: its memory is used again
	asked    struct { // by orderedAgain, at last
		last    cause
		by      *node
		ordered bool
	}
	undecided int
	findings  []finding.Finding
	seen      map[findingKey]int
	pending   map[*node][]pendingExposure
	workers   []*worker
	watching  chan struct{}
	watched   sync.WaitGroup
}

// DefaultBlocking is how long an EDT may keep its worker before it is reported.
const DefaultBlocking = time.Second

// New makes the checker of a run. blocking is how long an EDT may keep its worker, 0
// for [DefaultBlocking].
func New(blocking time.Duration) *Checker {
	if blocking <= 0 {
		blocking = DefaultBlocking
	}
	k := &Checker{
		blocking: blocking,
		nodes:    make(map[guid.GUID]*node), events: make(map[guid.GUID]*event),
		blocks: make(map[guid.GUID]*block), scopes: make(map[guid.GUID]*scope),
		deferred: make(map[uint64]*deferred), seen: make(map[findingKey]int), pending: make(map[*node][]pendingExposure),
	}
	k.views.reserve(addressSpace, leastSpace)
	return k
}

// Observe makes the observer of a worker, as [edt.Config.Observe] wants it.
func (k *Checker) Observe(of *edt.Worker) edt.Observer {
	w := &worker{k: k, of: of}
	k.workers = append(k.workers, w)
	return w
}

// Finish ends the checking, after the last EDT, and returns what was found: faults
// first, then notes, in the order in which they were seen. leaks are the objects that
// the run left behind. The views of blocks are gone afterwards.
func (k *Checker) Finish(leaks []edt.Leak) []finding.Finding {
	k.stopWatching()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range leaks {
		k.report(finding.Finding{Kind: finding.Undestroyed, Site: l.Site, Detail: l.String()})
	}
	k.views.release()
	faults, notes := Faults(k.findings), slices.DeleteFunc(slices.Clone(k.findings), func(f finding.Finding) bool { return !f.Note })
	return append(faults, notes...)
}

// Faults returns the findings that are no notes.
func Faults(found []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool { return f.Note })
}

// Undecided returns how often two EDTs could not be ordered because the history that
// is kept did not reach back far enough; they counted as ordered.
func (k *Checker) Undecided() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.undecided
}

// tick returns the next moment. The caller holds the lock.
func (k *Checker) tick() moment {
	k.now++
	return k.now
}
