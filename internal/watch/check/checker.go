package check

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// A Checker is the check mode of one run.
//
// Concurrency: mu guards all records of the graph and is held for short times. What EDTs see of blocks is not under it:
// see memory, views and contents. The lock of a block's contents is taken before mu.
type Checker struct {
	blocking time.Duration
	blocked  func(finding.Finding)
	atOnce   int // see copies

	clock atomic.Uint64 // the latest moment

	mu        sync.Mutex
	nodes     map[guid.GUID]*node
	events    map[guid.GUID]*event
	blocks    map[guid.GUID]*block
	deferred  map[uint64]*deferred // calls
	scopes    map[guid.GUID]*scope
	memory    memory
	nextFault atomic.Uintptr // the number of the next fault to report
	history   [historyLength]*node
	oldest    int
	searches  uint64
	todo      []*node // of the latest search, for reuse of its memory
	past      past    // of the latest EDT that has destroyed a block
	undecided int
	findings  []finding.Finding
	seen      map[findingKey]int
	pending   map[*node][]pendingExposure
	writers   map[users]bool
	doubts    []doubt
	workers   []*worker
	watching  chan struct{}
	watched   sync.WaitGroup
}

// DefaultBlocking is how long an EDT may keep its worker before it is reported.
const DefaultBlocking = time.Second

// A Config says what is checked.
type Config struct {
	// Blocking is how long an EDT may keep its worker; 0 for [DefaultBlocking].
	Blocking time.Duration
	// Blocked is called, if it is not nil, as soon as an EDT is found that seems to wait: it may wait for ever.
	Blocked func(finding.Finding)
	// Unwritten makes reads of bytes that were never written faults.
	Unwritten bool
}

// New makes the checker of a run.
func New(cfg Config) *Checker {
	if cfg.Blocking <= 0 {
		cfg.Blocking = DefaultBlocking
	}
	k := newChecker()
	k.blocking, k.blocked = cfg.Blocking, cfg.Blocked
	k.memory.tellsUnwritten = cfg.Unwritten
	k.memory.open(addressSpace, leastSpace)
	k.nextFault.Store(sys.FaultsSoFar())
	return k
}

// newChecker makes a checker without memory for views.
func newChecker() *Checker {
	return &Checker{
		atOnce: atOnce,
		nodes:  make(map[guid.GUID]*node), events: make(map[guid.GUID]*event),
		blocks: make(map[guid.GUID]*block), scopes: make(map[guid.GUID]*scope),
		deferred: make(map[uint64]*deferred), seen: make(map[findingKey]int),
		pending: make(map[*node][]pendingExposure), writers: make(map[users]bool),
	}
}

// Observe makes the observer of a worker, as [edt.Config.Observe] wants it.
func (k *Checker) Observe(of *edt.Worker) edt.Observer {
	w := &worker{k: k, of: of, views: k.memory.split(of.Number(), of.Ctx().Workers()), recover: func() {}}
	k.workers = append(k.workers, w)
	return w
}

// Finish ends the checking, after the last EDT, and returns the findings: faults first, then notes, each in the order
// in which they were seen. leaks are the objects that the run left behind. The views of blocks are unmapped.
func (k *Checker) Finish(leaks []edt.Leak) []finding.Finding {
	k.stopWatching()
	for _, w := range k.workers {
		w.takeLeft()
	}
	k.lock()
	defer k.mu.Unlock()
	k.reportLeaks(leaks)
	k.takeFaults()
	k.settleDoubts()
	k.close()
	return k.all()
}

// reportLeaks reports what was never destroyed. The caller holds the lock.
func (k *Checker) reportLeaks(leaks []edt.Leak) {
	for _, l := range leaks {
		k.report(finding.Finding{Kind: finding.Undestroyed, Site: l.Site, Detail: l.String()})
	}
}

// close ends the views. The caller holds the lock.
func (k *Checker) close() {
	for _, w := range k.workers {
		w.recover()
		w.goroutine.Store(0)
	}
	k.memory.close()
}

// all returns the findings, faults first.
func (k *Checker) all() []finding.Finding {
	notes := slices.DeleteFunc(slices.Clone(k.findings), func(f finding.Finding) bool { return !f.Note })
	return append(Faults(k.findings), notes...)
}

// Faults returns the findings that are no notes.
func Faults(found []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool { return f.Note })
}

// Lacks says what cannot be checked in the run that begins, "" if nothing.
func (k *Checker) Lacks() string {
	if k.memory.start != nil {
		return ""
	}
	return "check mode: accesses to blocks are not checked, " +
		"as the system does not give the address space or the memory for it (ulimit -v, ulimit -f, memfd_create)"
}

// Undecided returns how often two EDTs counted as ordered because the kept history did not reach back far enough.
func (k *Checker) Undecided() int {
	k.lock()
	defer k.mu.Unlock()
	return k.undecided
}

// tick returns the next moment.
func (k *Checker) tick() moment { return moment(k.clock.Add(1)) }

// now returns the latest moment.
func (k *Checker) now() moment { return moment(k.clock.Load()) }

// lock takes mu. It spins first: mu is held for less time than a futex sleep and wake-up take.
func (k *Checker) lock() {
	for range 300 {
		if k.mu.TryLock() {
			return
		}
		sys.Pause(10)
	}
	k.mu.Lock()
}
