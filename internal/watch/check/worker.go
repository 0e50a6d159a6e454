package check

import (
	"fmt"
	"sync/atomic"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/runtime/finding"
)

// A worker is the observer of one worker.
type worker struct {
	edt.NopObserver
	k  *Checker
	of *edt.Worker

	current   *node
	began     time.Time
	returned  time.Time
	resumed   *deferred // the deferred call that is being carried out
	closed    cause     // the latest close of a finish scope; the event named by output is satisfied next
	output    guid.GUID
	gone      []guid.GUID    // events that were destroyed since the latest call of forget
	satisfied *event         // the event that the present report satisfies, nil for none
	before    *event         // the event that the previous report satisfied
	ran       map[string]int // number of EDTs that have run, by template
	closely   int            // small blocks that the EDT may still see on pages
	sites     sites
	owner     atomic.Pointer[ids.Owner] // the worker's goroutine, once it has run an EDT
}

// A deferred call is a satisfaction by an External, which a worker carries out later, between two EDTs.
type deferred struct {
	causes []cause // the caller first
	site   string
}

// enter refuses strays and locks the checker; leave unlocks it.
func (w *worker) enter() (leave func()) {
	w.refuseStrays()
	w.k.mu.Lock()
	w.before, w.satisfied = w.satisfied, nil
	return w.k.mu.Unlock
}

// self returns the EDT that runs, nil between two EDTs.
func (w *worker) self() *node {
	if w.of.Ctx().Self().IsNull() {
		return nil
	}
	return w.current
}

// why returns the causes of the reported call: this moment of the EDT that runs, then the causes of the deferred call
// that is being carried out.
func (w *worker) why() (all []cause) {
	if n := w.self(); n != nil {
		all = append(all, cause{from: n, at: w.k.tick()})
	}
	if w.resumed != nil {
		all = append(all, w.resumed.causes...)
	}
	return all
}

// caller returns the EDT and moment of the reported call, and its line; c is zero if no EDT has made the call.
func (w *worker) caller() (c cause, site string) {
	switch {
	case w.resumed != nil && len(w.resumed.causes) > 0:
		return w.resumed.causes[0], w.resumed.site
	case w.self() != nil:
		return cause{from: w.self(), at: w.k.tick()}, w.sites.here()
	}
	return c, ""
}

func (k *Checker) nodeOf(id guid.GUID) *node {
	n := k.nodes[id]
	if n == nil {
		n = &node{edt: id}
		k.nodes[id] = n
	}
	return n
}

func (w *worker) EDTCreated(id guid.GUID, t *edt.Template, _ int) {
	defer w.enter()()
	n := w.k.nodeOf(id)
	n.template, n.site = t.Name(), w.sites.here()
	if n.site == "" && w.current != nil { // made by Again, or for a recorded graph
		n.site = w.current.site
	}
	n.because(w.why()...)
	if by := w.self(); by != nil {
		n.scope = by.scope
	}
}

func (w *worker) ScopeOpened(id, finish guid.GUID) {
	defer w.enter()()
	if n := w.k.nodes[finish]; n != nil {
		n.scope = n.scope.open()
		w.k.scopes[id] = n.scope
	}
}

func (w *worker) ScopeClosed(id, output guid.GUID) {
	defer w.enter()()
	if s := w.k.scopes[id]; s != nil {
		delete(w.k.scopes, id)
		s.ended = true
		w.closed, w.output = cause{at: w.k.tick(), scope: s}, output
	}
}

func (w *worker) EDTBegin(id guid.GUID, t *edt.Template, in edt.Args) {
	if w.owner.Load() == nil {
		w.owner.Store(new(ids.Owning()))
	}
	about := t.About(in.Params(), in.Deps())
	defer w.enter()()
	w.forget()
	n := w.k.nodeOf(id)
	n.template, n.about, n.begin = t.Name(), about, w.k.tick()
	w.k.settleExposures(n)
	n.enterScope()
	w.current, w.closely = n, 0
	if w.ran[n.template]++; w.ran[n.template] <= w.k.closely {
		w.closely = closeViews
	}
	for d := range in.Deps() {
		if dep := in.Dep(d); !dep.IsNull() && dep.Mode() != datablock.Null {
			v := w.k.view(n, dep.GUID())
			v.comesOn(t, d)
			w.of.Relocate(d, w.open(v, dep.Mode(), dep.Bytes()))
		}
	}
	w.began, w.returned = time.Now(), time.Time{}
}

func (w *worker) EDTReturned(guid.GUID) { w.returned = time.Now() }

func (w *worker) EDTEnded(id guid.GUID) {
	defer w.enter()()
	k, n := w.k, w.current
	n.end = k.tick()
	for _, v := range n.views {
		k.hide(v)
	}
	n.views, n.modes, n.past = nil, nil, nil
	k.remember(n)
	delete(k.nodes, id)
	w.current = nil
	if took := w.returned.Sub(w.began); took > k.blocking {
		f := n.finding(finding.Blocking, "", n.edt, n.site, fmt.Sprintf("for %v", took.Round(time.Millisecond)))
		f.Note = true // a note, as an EDT's time depends on the load of the machine
		k.report(f)
	}
}

// EDTDestroyed makes the call a member of the EDT's finish scope, which closes after it.
func (w *worker) EDTDestroyed(id guid.GUID) {
	defer w.enter()()
	k := w.k
	if n := k.nodes[id]; n != nil && n.scope != nil {
		call := &node{causes: w.why(), scope: n.scope}
		call.begin, call.end = k.tick(), k.tick()
		call.enterScope()
		k.remember(call)
	}
	delete(k.nodes, id)
}

func (w *worker) EventCreated(id guid.GUID, t edt.EventType) {
	defer w.enter()()
	w.forget()
	w.k.events[id] = &event{typ: t, site: w.sites.here()}
}

// EventSatisfied records a satisfaction. If the event is a latch, the block is not reported.
func (w *worker) EventSatisfied(id, from, blk guid.GUID, slot int) {
	defer w.enter()()
	if from.IsNull() { // a call begins
		w.forget()
	}
	k, e := w.k, w.k.events[id]
	if e == nil {
		return
	}
	var causes []cause
	var offers []exposure
	if src := k.events[from]; src != nil {
		causes, offers = append(k.take(src, blk, e.typ != edt.Latch), e.fed.take(from)...), src.offers
	} else {
		causes, offers = w.why(), w.offers(blk)
	}
	if id == w.output {
		causes, w.output = append(causes, w.closed), guid.Null
	}
	if w.satisfied = e; e.typ == edt.Latch {
		by, site := w.caller()
		k.noteCount(e, count{slot, site, by.from, &node{causes: causes, begin: k.clock}})
		return
	}
	if e.typ == edt.Channel {
		k.judgeSender(w.self(), w.sites.here(), id, e, causes)
	}
	k.satisfy(e, blk, causes, offers)
}

func (w *worker) EventDestroyed(id guid.GUID) {
	defer w.enter()()
	k, e := w.k, w.k.events[id]
	if e == nil {
		return
	}
	if e == w.before { // its trigger destroys it; otherwise a call does
		k.judgeCounts(id, e)
		k.judgeAdditions(id, e, w.self())
	}
	e.causes, e.added, e.counts = k.condense(e.causes), nil, nil
	w.gone = append(w.gone, id)
}

// forget adds to Checker.gone the events that the worker's earlier calls have destroyed, and drops its oldest entries.
func (w *worker) forget() {
	for _, id := range w.gone {
		if oldest, went := keepLast(&w.k.gone, id, goneKept); went {
			delete(w.k.events, oldest)
		}
	}
	w.gone = w.gone[:0]
}

// DependenceAdded makes the call a cause of the destination: of an EDT now, of an event once the source satisfies it.
func (w *worker) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	defer w.enter()()
	src := w.k.events[source]
	if n := w.k.nodes[dst]; n != nil {
		n.because(w.why()...)
		n.setMode(slot, mode)
	} else if e := w.k.events[dst]; e != nil && src != nil {
		w.k.put(&e.fed, source, w.why())
	}
	if src == nil || !src.fragile() {
		return
	}
	if by, site := w.caller(); by.from != nil {
		src.added = append(src.added, addition{by, site})
	}
}

func (n *node) setMode(slot int, mode datablock.Mode) {
	for len(n.modes) <= slot {
		n.modes = append(n.modes, datablock.RO)
	}
	n.modes[slot] = mode
}

func (n *node) mode(slot int) datablock.Mode {
	if slot < len(n.modes) {
		return n.modes[slot]
	}
	return datablock.RO
}

func (w *worker) SlotSatisfied(id guid.GUID, slot int, from, blk guid.GUID) {
	defer w.enter()()
	k, n := w.k, w.k.nodes[id]
	if n == nil {
		return
	}
	var offers []exposure
	if e := k.events[from]; e != nil {
		n.because(k.take(e, blk, true)...)
		offers = e.offers
	} else {
		n.because(w.why()...)
		offers = w.offers(blk)
	}
	if !blk.IsNull() && n.mode(slot) != datablock.Null {
		k.view(n, blk)
		k.expose(n, slot, blk, offers)
	}
}

func (w *worker) BlockCreated(id guid.GUID, _ int, bytes []byte) []byte {
	defer w.enter()()
	w.k.blocks[id] = &block{id: id, site: w.sites.here()}
	n := w.self()
	if n == nil || bytes == nil {
		return bytes
	}
	return w.open(w.k.view(n, id), datablock.RW, bytes)
}

func (w *worker) BlockUnordered(id guid.GUID, uses edt.Unordered) {
	defer w.enter()()
	w.k.blockOf(id).allowed |= uses
}

func (w *worker) BlockReleased(id guid.GUID, _ datablock.Mode, downgraded bool) {
	defer w.enter()()
	if n := w.self(); n != nil {
		if v := n.views[id]; v != nil && v.bytes != nil {
			w.k.release(v, w.sites.here(), downgraded)
		}
	}
}

func (w *worker) BlockDestroyed(id guid.GUID) {
	defer w.enter()()
	k, b, n := w.k, w.k.blocks[id], w.self()
	if b == nil {
		return
	}
	delete(k.blocks, id)
	b.destroyed = true
	k.end(b)
	if n != nil && !b.shared() {
		k.judgeDestruction(n, w.sites.here(), id, b)
	}
}

// CallDeferred is called under a lock of the graph, so it does not refuse strays.
func (w *worker) CallDeferred(call uint64) {
	w.k.mu.Lock()
	defer w.k.mu.Unlock()
	if why := w.why(); len(why) > 0 {
		_, site := w.caller()
		w.k.deferred[call] = &deferred{why, site}
	}
}

func (w *worker) CallResumed(call uint64) {
	defer w.enter()()
	w.resumed = w.k.deferred[call]
	delete(w.k.deferred, call)
}
