package check

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// A Checker is the check mode of one run.
//
// Concurrency: all fields are under mu, which is held during a call of an observer, and while views are made and
// compared. EDTs use the bytes of their views without it.
type Checker struct {
	blocking time.Duration
	closely  int // see watchedClosely

	mu        sync.Mutex
	clock     moment
	nodes     map[guid.GUID]*node
	events    map[guid.GUID]*event
	blocks    map[guid.GUID]*block
	scopes    map[guid.GUID]*scope
	deferred  map[uint64]*deferred
	workers   []*worker
	memory    memory
	ended     []*node     // the oldest first
	gone      []guid.GUID // events that earlier calls have destroyed, the oldest first: later calls may name them
	idle      []*version  // versions without readers that have pages, the oldest first
	released  []*view     // released views whose bytes are on the heap, the oldest first
	copied    int         // the size of their bytes, in whole pages
	undecided int
	findings  []finding.Finding
	dropped   int // findings that were too many
	seen      map[findingKey]int
}

// DefaultBlocking is how long an EDT may keep its worker before it is reported.
const DefaultBlocking = time.Second

// New makes the checker of a run. blocking is how long an EDT may keep its worker; 0 for [DefaultBlocking].
func New(blocking time.Duration) *Checker {
	if blocking <= 0 {
		blocking = DefaultBlocking
	}
	return &Checker{
		blocking: blocking, closely: watchedClosely,
		nodes: make(map[guid.GUID]*node), events: make(map[guid.GUID]*event), blocks: make(map[guid.GUID]*block),
		scopes: make(map[guid.GUID]*scope), deferred: make(map[uint64]*deferred), seen: make(map[findingKey]int),
	}
}

// Observe makes the observer of a worker, for [edt.Config.Observe].
func (k *Checker) Observe(of *edt.Worker) edt.Observer {
	w := &worker{k: k, of: of, ran: make(map[string]int)}
	k.workers = append(k.workers, w)
	return w
}

// Finish ends the check after the last EDT. It returns the findings: faults first, then notes, each in the order in
// which they were found. leaks are the objects that the run has not destroyed.
func (k *Checker) Finish(leaks []edt.Leak) []finding.Finding {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, v := range k.released {
		k.judgeLateWrite(v)
	}
	for _, l := range leaks {
		k.report(finding.Finding{Kind: finding.Undestroyed, Site: l.Site, Detail: l.String()})
	}
	k.memory.close()
	notes := slices.DeleteFunc(slices.Clone(k.findings), func(f finding.Finding) bool { return !f.Note })
	return append(Faults(k.findings), notes...)
}

// Faults returns the findings that are not notes.
func Faults(found []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool { return f.Note })
}

// Warnings says what the findings lack.
func (k *Checker) Warnings() (all []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.undecided > 0 {
		all = append(all, fmt.Sprintf("check mode's history was too short %d times: two EDTs count as ordered, or a latch "+
			"was not judged", k.undecided))
	}
	if k.dropped > 0 {
		all = append(all, fmt.Sprintf("check mode keeps %d different findings: %d more were dropped", maxFindings, k.dropped))
	}
	return all
}

// tick returns the next moment.
func (k *Checker) tick() moment {
	k.clock++
	return k.clock
}

// keepLast appends to a list. If the list then is longer than the limit most, it drops and returns the oldest element.
func keepLast[T any](list *[]T, v T, most int) (oldest T, went bool) {
	if *list = append(*list, v); len(*list) > most {
		oldest, went = (*list)[0], true
		*list = (*list)[1:]
	}
	return oldest, went
}
