package check

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// A worker is the observer of one worker.
type worker struct {
	edt.NopObserver
	k  *Checker
	of *edt.Worker

	current   *node
	resumed   *deferred            // the deferred call that the EDT carries out
	latest    map[guid.GUID]*event // satisfied or destroyed since the body began: calls that name them follow
	counted   *event               // the latch that the previous call has counted
	views     *views
	ran       map[*edt.Template]int
	closely   bool // the copies of the EDT that runs are unmapped at once, see atOnce
	returned  bool // its body has returned
	sites     sites
	dead      []*block // their memory is freed when the lock is released
	thread    thread
	recover   func()         // ends the recovery from faults
	goroutine atomic.Uintptr // the worker's, once it has run an EDT; 0 if that is not known
	began     time.Time
	seen      time.Time       // when this body was first seen to take long, 0 before
	used      sys.ThreadTimes // of the thread at that time
	blocked   bool            // reported: this body takes long
	aside     atomic.Int64    // when the checker's own work began, 0 if none is on
	excused   atomic.Int64    // nanoseconds of such work since the body began
}

// enter takes the lock, leave releases it.
func (w *worker) enter() (leave func()) {
	w.refuseStrays()
	return w.enterAnyhow()
}

// enterAnyhow is enter for calls that are reported under a lock of the graph.
func (w *worker) enterAnyhow() (leave func()) {
	back := w.goAside()
	w.k.lock()
	w.counted = nil
	return func() {
		dead := w.dead
		w.dead = nil
		w.k.mu.Unlock()
		for _, b := range dead {
			b.drop(&w.k.memory)
		}
		back()
	}
}

// goAside begins, and back ends, the checker's own work on this worker. Its time does not count as the EDT's.
func (w *worker) goAside() (back func()) {
	since := sys.Nanotime()
	w.aside.Store(max(1, since))
	return func() {
		w.excused.Add(sys.Nanotime() - since)
		w.aside.Store(0)
	}
}

// self returns the EDT that runs, nil between EDTs.
func (w *worker) self() *node {
	if w.of.Ctx().Self().IsNull() {
		return nil
	}
	return w.current
}

// here is this moment of the EDT that runs.
func (w *worker) here() (cause, bool) {
	at := w.k.tick()
	if n := w.self(); n != nil {
		return cause{from: n, at: at}, true
	}
	return cause{}, false
}

// because adds causes. One of the EDT of the last cause, or of the last but one, of the same kind is merged into that.
func (n *node) because(all ...cause) {
next:
	for _, c := range all {
		for last := len(n.causes) - 1; last >= max(0, len(n.causes)-2) && c.from != nil; last-- {
			if old := &n.causes[last]; old.from == c.from && old.turn == c.turn {
				old.at = max(old.at, c.at)
				continue next
			}
		}
		n.causes = append(n.causes, c)
	}
}

func (w *worker) EDTCreated(id guid.GUID, t *edt.Template, _ int) {
	defer w.enter()()
	n := w.k.nodeOf(id)
	n.template, n.site = t.Name(), w.sites.here()
	n.because(w.why()...)
	if by := w.self(); by != nil {
		n.scope = by.scope
	}
}

// nodeOf returns the record of an EDT, a new one if there is none.
func (k *Checker) nodeOf(id guid.GUID) *node {
	n := k.nodes[id]
	if n == nil {
		n = &node{edt: id}
		k.nodes[id] = n
	}
	return n
}

func (w *worker) ScopeOpened(id, finish guid.GUID) {
	defer w.enter()()
	n := w.k.nodes[finish]
	if n == nil {
		return
	}
	s := &scope{parent: n.scope}
	if n.scope != nil {
		keep(n.scope, &n.scope.inner, s)
	}
	w.k.scopes[id], n.scope = s, s
}

func (w *worker) ScopeClosed(id, output guid.GUID) {
	defer w.enter()()
	s := w.k.scopes[id]
	delete(w.k.scopes, id)
	if s == nil {
		return
	}
	s.closed = w.k.tick()
	switch e, c := w.eventOf(output), (cause{at: s.closed, scope: s}); {
	case e == nil:
	case e.is(edt.Latch):
		e.scopes = append(e.scopes, c) // the satisfaction comes next
	default:
		e.got.causes = append(e.got.causes, c)
	}
}

// EDTReady orders an EDT that waited for a block after the one that released it.
func (w *worker) EDTReady(id guid.GUID) {
	defer w.enter()()
	n := w.k.nodes[id]
	if n != nil && w.self() != n {
		n.because(turns(w.why())...)
	}
}

func (w *worker) EDTBegin(id guid.GUID, t *edt.Template, in edt.Args) {
	w.note()
	w.closely = w.watchesClosely(t)
	about := t.About(in.Params(), in.Deps())
	leave := w.enter()
	n := w.begins(id, t.Name(), about, in.Deps())
	leave()
	w.openAll(n, t, in.Deps())
}

// openAll gives an EDT its views of the blocks on its slots.
func (w *worker) openAll(n *node, t *edt.Template, deps []datablock.Dep) {
	defer w.goAside()()
	for d := range deps {
		dep := &deps[d]
		if dep.IsNull() || dep.Mode() == datablock.Null {
			continue
		}
		h := n.holds[dep.GUID()]
		if h == nil {
			w.of.Relocate(d, w.open(n, dep.GUID(), dep.Mode(), d, dep.Bytes()))
			h = n.holds[dep.GUID()]
		} else { // it came on an earlier slot
			w.of.Relocate(d, h.view)
		}
		if h != nil {
			h.comesOn(t, d)
		}
	}
}

// comesOn records the name and the element type of a hold's slot. If the block is on several slots the first one
// counts, and the type is unknown if they differ.
func (h *hold) comesOn(t *edt.Template, slot int) {
	as := layoutOf(t.SlotType(slot))
	switch {
	case h.came == "" && t.SlotName(slot) != "":
		h.came, h.as = fmt.Sprintf(" on slot %d (%s)", slot, t.SlotName(slot)), as
	case h.as != as:
		h.as = nil
	}
}

// takesUp makes n the EDT that runs.
func (w *worker) takesUp(n *node) {
	w.current, w.latest, w.returned = n, nil, false
	w.began, w.blocked, w.seen = time.Now(), false, time.Time{}
	w.excused.Store(0)
}

// begins records the begin of an EDT with blocks on its slots. The caller holds the lock.
func (w *worker) begins(id guid.GUID, template, about string, deps []datablock.Dep) *node {
	n := w.k.nodeOf(id)
	n.template, n.about = template, about
	w.takesUp(n)
	for k := range deps {
		w.comesAfterLocks(n, deps[k].GUID(), deps[k].Mode())
	}
	n.begin = w.k.tick()
	w.k.settleExposures(n)
	if n.scope != nil {
		keep(n.scope, &n.scope.members, n)
	}
	seen := make(map[guid.GUID]bool)
	for k := range deps {
		if d := &deps[k]; !d.GUID().IsNull() && d.Mode() != datablock.Null && !seen[d.GUID()] {
			seen[d.GUID()] = true
			w.k.blockOf(d.GUID()).has(n, d.Mode())
		}
	}
	return n
}

// comesAfterLocks orders an EDT after those that held a block and kept it out.
func (w *worker) comesAfterLocks(n *node, id guid.GUID, mode datablock.Mode) {
	if mode == datablock.RO || mode == datablock.Null {
		return
	}
	if b := w.k.blocks[id]; b != nil && (mode != datablock.RW || b.exclusive) {
		b.locked = w.k.condense(b.locked, 1)
		n.because(turns(b.locked)...)
	}
}

// has records that an EDT has a block.
func (b *block) has(n *node, mode datablock.Mode) {
	b.exclusive = b.exclusive || mode == datablock.EW
	b.used = append(b.used[max(0, len(b.used)+1-usedKept):], n)
}

func (w *worker) EDTReturned(guid.GUID) { w.bodyReturned() }

// bodyReturned ends the use of the copies that the EDT still has.
func (w *worker) bodyReturned() {
	if w.returned = true; w.views != nil {
		defer w.goAside()()
		w.k.takeNewFaults()
		w.views.bodyReturned(w.closely)
	}
}

func (w *worker) WorkerIdle() { w.takeLeft() }

func (w *worker) EDTEnded(id guid.GUID) {
	leave := w.enter()
	n := w.current
	n.end = w.k.tick()
	left := n.holds
	n.holds = nil
	w.dropBlocks(n)
	w.k.takeFaults()
	w.k.remember(n)
	delete(w.k.nodes, id)
	w.current, w.latest = nil, nil
	leave()
	w.hideAll(left)
	w.endCopies()
}

// endCopies unmaps the copies that EDTs have left, if the EDT that ends completes a batch.
func (w *worker) endCopies() {
	if v := w.views; v != nil && len(v.left) > 0 {
		if v.ended++; v.ended >= batch || w.closely {
			w.takeLeft()
		}
	}
}

// hideAll unmaps the views that an EDT still has at its end.
func (w *worker) hideAll(left map[guid.GUID]*hold) {
	for _, h := range left {
		switch {
		case h.small != nil:
			w.views.leave(h)
		case h.view != nil:
			w.views.hide(h)
		}
	}
}

func (w *worker) EDTDestroyed(id guid.GUID) {
	defer w.enter()()
	if n := w.k.nodes[id]; n != nil {
		w.dropBlocks(n)
		delete(w.k.pending, n)
		delete(w.k.nodes, id)
	}
}

func (w *worker) EventCreated(id guid.GUID, t edt.EventType) {
	defer w.enter()()
	w.k.events[id] = &event{typ: t, site: w.sites.here()}
}

// eventOf returns the record of an event, even of one that was destroyed during this body.
func (w *worker) eventOf(id guid.GUID) *event {
	if e := w.k.events[id]; e != nil {
		return e
	}
	return w.latest[id]
}

// latestKept bounds worker.latest.
const latestKept = 1 << 12

// remember keeps an event for later calls of this body that name it, as another worker may destroy it before.
func (w *worker) remember(id guid.GUID, e *event) {
	if w.latest == nil || len(w.latest) == latestKept {
		w.latest = make(map[guid.GUID]*event)
	}
	w.latest[id] = e
}

// EventSatisfied records a satisfaction. For a latch the block is not reported.
func (w *worker) EventSatisfied(id, from, blk guid.GUID, slot int) {
	defer w.enter()()
	e := w.eventOf(id)
	if e == nil {
		return
	}
	s := sending{block: blk, causes: w.why(), offers: w.offers(blk)}
	if src := w.eventOf(from); src != nil {
		s.add(w.k.take(src, blk, !e.is(edt.Latch)))
		s.causes = append(s.causes, e.unlink(from)...)
	}
	switch {
	case e.is(edt.Latch):
		w.noteCount(e, slot, s.causes)
		w.counted = e
	case e.is(edt.Channel):
		w.judgeSender(id, e, &s)
		fallthrough
	default:
		w.k.satisfy(e, s)
	}
	w.remember(id, e)
}

func (w *worker) EventDestroyed(id guid.GUID) {
	counted := w.counted
	defer w.enter()()
	e := w.k.events[id]
	if e == nil {
		return
	}
	if e == counted { // it triggers; else a call destroys it
		w.k.judgeCounts(id, e)
	}
	e.dropCounts()
	if e.fragile() {
		w.k.judgeAdditions(id, e, w.self())
	}
	delete(w.k.events, id)
	w.remember(id, e)
}

// DependenceAdded makes the call a cause of the destination.
func (w *worker) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	defer w.enter()()
	src := w.eventOf(source)
	n := w.k.nodes[dst]
	if n != nil {
		n.because(w.why()...)
		if mode == datablock.Null {
			*at(&n.nulls, slot) = true
		}
	} else if e := w.eventOf(dst); e != nil && src != nil {
		e.link(source, w.why())
	}
	if src == nil || !src.fragile() {
		return
	}
	if c, site, ok := w.caller(); ok {
		src.added = append(src.added, addition{c, site})
	}
}

func (w *worker) SlotSatisfied(id guid.GUID, slot int, from, blk guid.GUID) {
	defer w.enter()()
	n := w.k.nodes[id]
	if n == nil {
		return
	}
	n.because(w.why()...)
	offers := w.offers(blk)
	if e := w.eventOf(from); e != nil {
		s := w.k.take(e, blk, true)
		n.because(s.causes...)
		offers = append(s.offers, offers...)
	}
	if blk.IsNull() || slot < len(n.nulls) && n.nulls[slot] {
		return
	}
	n.uses(w.k.blockOf(blk))
	w.k.expose(n, blk, offers)
}

func (w *worker) BlockCreated(id guid.GUID, size int, bytes []byte) []byte {
	b := &block{id: id, site: w.sites.here(), size: size}
	leave := w.enter()
	w.k.blocks[id] = b
	n := w.self()
	if n == nil {
		b.filled = true
	} else {
		n.uses(b)
	}
	leave()
	if n == nil || bytes == nil {
		return bytes
	}
	defer w.goAside()()
	return w.open(n, id, datablock.RW, -1, bytes)
}

func (w *worker) BlockSynchronised(id guid.GUID) {
	leave := w.enter()
	b := w.k.blockOf(id)
	b.synced = true
	leave()
	b.share()
}

// share makes EDTs use the graph's memory of the block from now on.
func (c *contents) share() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.placed && !c.shared {
		copy(c.real, c.bytes)
	}
	c.shared = true
}

func (w *worker) BlockUnordered(id guid.GUID, uses edt.Unordered) {
	defer w.enter()()
	w.k.blockOf(id).allowed |= uses
}

func (w *worker) BlockReleased(id guid.GUID, _ datablock.Mode, downgraded bool) {
	w.refuseStrays()
	defer w.goAside()()
	if n := w.self(); n != nil {
		if h := n.holds[id]; h != nil {
			w.close(h, downgraded)
		}
	}
}

func (w *worker) BlockDestroyed(id guid.GUID) {
	defer w.enter()()
	if b := w.k.blocks[id]; b != nil {
		b.destroyed = true
		if by, ok := w.here(); ok && !b.synced {
			w.k.judgeDestruction(by, w.sites.here(), b)
		}
		w.forget(b)
	}
}

// EDTPanicked reports the access that caused the panic, if it was one.
func (w *worker) EDTPanicked(any) {
	defer w.enter()()
	w.k.takeFaults()
}

// A thread is the one that a worker runs on.
type thread struct {
	id        int
	goroutine string
}

// note records the worker's thread at its first EDT. From then on a fault in a view is a panic.
func (w *worker) note() {
	if w.thread.goroutine != "" {
		return
	}
	w.thread = thread{sys.ThreadID(), sys.GoroutineName()}
	debug.SetPanicOnFault(true)
	w.recover = sys.RecoverFaults()
	w.goroutine.Store(sys.Goroutine())
}
