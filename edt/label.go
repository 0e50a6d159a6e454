package edt

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/ids"
)

// Labels let EDTs that do not know each other use one object: a program makes a range of
// labels once, and EDTs that compute the same index get the same GUID (OCR 1.2, B.2).
// Dependences and satisfactions on a label are deferred until an object is created under
// it, and then take effect in the order of the calls.

// labels are the labels of a run that are in use, and the objects that were created under
// them. docs/memory.md argues the order of the steps.
//
// Concurrency: a label is changed only under the lock of its shard in byName. While the
// creator of an object carries out the deferred calls, unlocked, busy is set, and further
// calls on the label queue up behind them, so that calls on one label keep their order.
// busy is also set while the creator makes a data block, which may take long. Then creating
// is set as well, and other creators under the label wait, because an EDT that gets ErrExists
// may use the object next. A worker may lock a shard of byObject while it holds one of byName,
// never the other way round.
type labels struct {
	ranges ranges
	tables atomic.Pointer[labelTables] // nil before the first range is made
	calls  atomic.Uint64               // that were deferred, in all
	// slow is the data blocks in byObject, and the slots of this rank that wait for events of others. If it is not 0
	// DestroyBlock takes its slow way.
	slow atomic.Int64
}

type labelTables struct {
	byName   guidTable[label]
	byObject guidTable[guid.GUID] // the labels of EDTs and blocks; events know theirs
}

// use readies the tables for the first label.
func (ls *labels) use() {
	if ls.tables.Load() == nil {
		ls.tables.CompareAndSwap(nil, new(labelTables))
	}
}

// named returns the shard of a label.
func (ls *labels) named(g guid.GUID) *guidShard[label] {
	_, lo := g.Words()
	return ls.tables.Load().byName.shard(ids.LabelNumber(lo))
}

// labelled returns the shard of an EDT or a block that was created under a label.
func (ls *labels) labelled(object guid.GUID) *guidShard[guid.GUID] {
	_, lo := object.Words()
	return ls.tables.Load().byObject.shard(uint64(uint32(lo)))
}

type label struct {
	object   guid.GUID // the object, Null while there is none
	busy     bool
	creating bool
	created  chan struct{} // closed when creating ends; nil while no call waits for that
	deferred []deferredCall
}

// A deferredCall waits for a label's object. A dependence has the slot that it is for.
type deferredCall struct {
	op   string
	call func(c *Ctx, object guid.GUID)
	dst  guid.GUID
	slot int
	from *origin
	tag  uint64 // its number, for observers
}

// NewLabelledEvent creates an event of type [Once], [Idempotent] or [Sticky]
// under a label. Of all creations under a label one succeeds; the others return [ErrExists].
func (c *Ctx) NewLabelledEvent(g guid.GUID, t EventType) error {
	return c.create(g, guid.KindEvent, func() guid.GUID { return c.NewEvent(t) })
}

// NewLabelledLatch is [Ctx.NewLabelledEvent] for a latch.
func (c *Ctx) NewLabelledLatch(g guid.GUID, counter int64) error {
	return c.create(g, guid.KindEvent, func() guid.GUID { return c.NewLatch(counter) })
}

// NewLabelledCounted is [Ctx.NewLabelledEvent] for a counted event.
func (c *Ctx) NewLabelledCounted(g guid.GUID, deps int) error {
	return c.create(g, guid.KindEvent, func() guid.GUID { return c.NewCounted(deps) })
}

// NewLabelledChannel is [Ctx.NewLabelledEvent] for a channel event.
func (c *Ctx) NewLabelledChannel(g guid.GUID, maxGen int) error {
	return c.create(g, guid.KindEvent, func() guid.GUID { return c.NewChannel(maxGen) })
}

// NewLabelledBlock creates a data block under a label; its bytes are nil if
// there is an object already.
func (c *Ctx) NewLabelledBlock(g guid.GUID, size int) (b []byte, err error) {
	err = c.create(g, guid.KindBlock, func() (object guid.GUID) {
		object, b = c.NewBlock(size)
		return object
	})
	if err != nil { // another rank makes the block before it asks
		return nil, err
	}
	return b, nil
}

// NewLabelledEDT creates an EDT under a label, with all its slots open: a labelled
// EDT has neither a dependence list nor an output event.
func (c *Ctx) NewLabelledEDT(g guid.GUID, t *Template, params []uint64) error {
	c.checkTemplate("create labelled EDT", t)
	if t.depc == 0 {
		c.misuse("create labelled EDT", ErrCount, g, "template %s has no slots: the EDT could run before it is found", t.name)
	}
	return c.create(g, guid.KindEDT, func() guid.GUID { return c.newLabelledEDT(t, params) })
}

// labelledOps name the creations of labelled objects in errors.
var labelledOps = map[guid.Kind]string{
	guid.KindEDT:   "create labelled " + guid.KindEDT.String(),
	guid.KindEvent: "create labelled " + guid.KindEvent.String(),
	guid.KindBlock: "create labelled " + guid.KindBlock.String(),
}

// create makes the object of a label unless it exists, and carries out the calls
// that were deferred until then.
func (c *Ctx) create(g guid.GUID, kind guid.Kind, newObject func() guid.GUID) error {
	c.checkLabel(labelledOps[kind], g, kind)
	if c.labelsAway() {
		return c.createLabelAway(g, kind, newObject)
	}
	s := c.g.labels.named(g)
	object, kept := c.createUnder(s, g, newObject)
	if object == guid.Null {
		if c.obs != nil {
			c.obs.LabelTaken(g)
		}
		return ErrExists
	}
	if kept != nil {
		c.carryOut(s, g, kept, object)
	}
	return nil
}

// createUnder makes the object of a label; it returns Null if there is one. Others can
// find the object when the lock is released. If calls were deferred for it, createUnder
// returns the label too, which is then busy.
func (c *Ctx) createUnder(s *guidShard[label], g guid.GUID, newObject func() guid.GUID) (object guid.GUID,
	kept *label) {
	s.Lock()
	defer s.Unlock()
	l := of(s, g)
	for l.creating {
		await(s, l)
		l = of(s, g)
	}
	if l.object != guid.Null || l.busy {
		return guid.Null, nil
	}
	l.busy = true
	if g.Kind() == guid.KindBlock {
		object = unlocked(s, l, newObject)
	} else {
		object = newObject()
	}
	if !c.isAway(object, g.Kind()) {
		c.tie(g, object)
	}
	l.object = object
	if l.busy = len(l.deferred) > 0; !l.busy {
		return object, nil
	}
	return object, l
}

// carryOut carries out the calls that were deferred for an object.
func (c *Ctx) carryOut(s *guidShard[label], g guid.GUID, l *label, object guid.GUID) {
	s.Lock()
	// A kept call may destroy the object: the rest then waits for the next one. (One
	// that came while busy is the last, see destroyLabel.)
	for len(l.deferred) > 0 && l.object == object {
		call := l.deferred[0]
		l.deferred = l.deferred[1:]
		s.Unlock()
		c.resume(call.from, call.tag)
		call.call(c, object)
		c.resume(nil, 0)
		s.Lock()
	}
	l.busy = false
	prune(s, g, l)
	s.Unlock()
}

// unlocked calls newObject without the lock, and locks again afterwards: zeroing a large
// block takes long.
func unlocked(s *guidShard[label], l *label, newObject func() guid.GUID) guid.GUID {
	l.creating = true
	s.Unlock()
	defer func() { // a block that does not fit ends the run
		s.Lock()
		l.creating = false
		if l.created != nil {
			close(l.created)
			l.created = nil
		}
	}()
	return newObject()
}

// await waits until another worker has made the object of a label, or until the run has
// ended.
func await(s *guidShard[label], l *label) {
	if l.created == nil {
		l.created = make(chan struct{})
	}
	created := l.created
	s.Unlock()
	<-created
	s.Lock()
}

// tie notes the label of an object that no other worker knows yet.
func (c *Ctx) tie(g, object guid.GUID) {
	ls := &c.g.labels
	_, lo := object.Words()
	switch object.Kind() {
	case guid.KindEvent:
		e := c.events.At(uint32(lo))
		_, e.label = g.Words()
		e.flags |= eventLabelled
		return
	case guid.KindEDT:
		c.edts.At(uint32(lo)).code |= flagLabel
	case guid.KindBlock:
		ls.slow.Add(1)
	}
	s := ls.labelled(object)
	s.Lock()
	*s.add(object) = g
	s.Unlock()
}

// checkLabel ends the run if g is not a label of this run for such objects.
func (c *Ctx) checkLabel(op string, g guid.GUID, kind guid.Kind) {
	if hi, _ := g.Words(); hi != c.g.space.Of(labelRank).HighLabel(uint8(kind)) || kind == guid.KindNone {
		c.wrongKind(op, g, kind)
	}
	if !c.labelsAway() && !c.g.labels.ranges.gave(g) {
		c.misuse(op, ErrForeign, g, "no range has this label")
	}
}

// of returns the entry of a label, and adds it if there is none.
func of(s *guidShard[label], g guid.GUID) *label {
	if l := s.find(g); l != nil {
		return l
	}
	return s.add(g)
}

// find returns the object of a label, Null if there is none.
func (ls *labels) find(g guid.GUID) guid.GUID {
	object, _ := ls.look(g)
	return object
}

// look returns the object of a label, and whether calls are deferred for it.
func (ls *labels) look(g guid.GUID) (object guid.GUID, busy bool) {
	if ls.tables.Load() == nil {
		return guid.Null, false
	}
	s := ls.named(g)
	s.Lock()
	defer s.Unlock()
	if l := s.find(g); l != nil {
		return l.object, l.busy
	}
	return guid.Null, false
}

// forgetLabel removes an EDT or a block that is destroyed from its label, if it has one.
func (c *Ctx) forgetLabel(object guid.GUID) {
	if g := c.g.labels.untie(object); g != guid.Null {
		c.leaveLabel(g, object)
	}
}

// leave removes an object that is destroyed from its label, which may then be used again.
func (ls *labels) leave(g, object guid.GUID) {
	s := ls.named(g)
	s.Lock()
	defer s.Unlock()
	if l := s.find(g); l != nil && l.object == object {
		l.object = guid.Null
		prune(s, g, l)
	}
}

// untie removes the note of an EDT's or block's label, and returns the label, Null for none.
func (ls *labels) untie(object guid.GUID) (g guid.GUID) {
	if ls.tables.Load() == nil {
		return guid.Null
	}
	s := ls.labelled(object)
	s.Lock()
	defer s.Unlock()
	name := s.find(object)
	if name == nil {
		return guid.Null
	}
	g = *name
	s.remove(object, true)
	if object.Kind() == guid.KindBlock {
		ls.slow.Add(-1)
	}
	return g
}

// prune removes the entry of a label that has neither an object nor calls.
func prune(s *guidShard[label], g guid.GUID, l *label) {
	if l.object == guid.Null && !l.busy && len(l.deferred) == 0 && s.find(g) == l {
		s.remove(g, true)
	}
}

// A slotOf names a slot of an EDT in reports.
type slotOf struct {
	edt  guid.GUID
	slot int
}

// eachDeferred calls f for every call that waits for a label's object.
func (ls *labels) eachDeferred(f func(g guid.GUID, k *deferredCall)) {
	if t := ls.tables.Load(); t != nil {
		t.byName.each(func(g guid.GUID, l *label) {
			for k := range l.deferred {
				f(g, &l.deferred[k])
			}
		})
	}
}

// awaited lists the slots that wait for a label without an object.
func (ls *labels) awaited() map[slotOf]guid.GUID {
	m := make(map[slotOf]guid.GUID)
	ls.eachDeferred(func(g guid.GUID, k *deferredCall) { m[slotOf{k.dst, k.slot}] = g })
	return m
}

// lost counts the calls that wait for a label without an object, but for those that an
// EDT waits for: they are lost if there will never be one. It names what the label
// should have been given.
func (ls *labels) lost(count map[Leak]int) {
	ls.eachDeferred(func(g guid.GUID, k *deferredCall) {
		what := "satisfied"
		switch {
		case k.dst.Kind() == guid.KindEDT:
			return
		case !k.dst.IsNull():
			what = "depended on"
		case k.op != "satisfy":
			what = "given a dependence"
		}
		at := site{&k.from.at, k.from.template}
		count[Leak{Kind: g.Kind(), Template: "never created under its label, but " + what, Site: at.String(), Lost: true}]++
	})
}

// whenFound calls f with the label's object, now or when there is one. dst and slot
// are the destination of a dependence.
func (c *Ctx) whenFound(op string, g, dst guid.GUID, slot int, f func(c *Ctx, object guid.GUID)) {
	c.checkLabel(op, g, g.Kind())
	s := c.g.labels.named(g)
	s.Lock()
	l := of(s, g)
	if l.object != guid.Null && !l.busy {
		object := l.object
		s.Unlock()
		f(c, object)
		return
	}
	c.deferCall(l, deferredCall{op: op, call: f, dst: dst, slot: slot})
	s.Unlock()
}

// deferCall defers a call of the EDT that runs until the label has an object. The caller
// holds the lock.
func (c *Ctx) deferCall(l *label, call deferredCall) {
	call.from, call.tag = c.origin(), c.g.labels.calls.Add(1)
	l.deferred = append(l.deferred, call)
	if c.obs != nil {
		c.obs.CallDeferred(call.tag)
	}
}

// resume begins to carry out a deferred call of from; with from nil it ends that.
func (c *Ctx) resume(from *origin, tag uint64) {
	c.behalf = from
	if c.obs != nil {
		c.obs.CallResumed(tag)
	}
}

// resolve returns the object of a label that a call needs now.
func (c *Ctx) resolve(op string, g guid.GUID) guid.GUID {
	c.checkLabel(op, g, g.Kind())
	object := c.under(g)
	if object == guid.Null {
		c.misuse(op, ErrNoObject, g, "")
	}
	return object
}

// under returns the object of a label, Null if there is none.
func (c *Ctx) under(g guid.GUID) guid.GUID {
	if c.labelsAway() {
		return c.findAway(g)
	}
	return c.g.labels.find(g)
}

// dependLabel is AddDependence if either end is a label.
func (c *Ctx) dependLabel(source, dst guid.GUID, slot int, mode datablock.Mode) {
	if hi, _ := dst.Words(); hi == c.highEDT {
		c.aliveEDT("add dependence", dst)
	}
	if c.labelsAway() {
		c.dependLabelAway(source, dst, slot, mode)
		return
	}
	if source.IsLabel() {
		c.whenFound("add dependence", source, dst, slot, func(c *Ctx, object guid.GUID) {
			c.forward(object, dst, slot, mode)
		})
		return
	}
	if c.isEvent(source) && !c.proxiedAway(source) {
		if object, busy := c.g.labels.look(dst); object == guid.Null || busy {
			source = c.proxyEvent(source)
		}
	}
	c.whenFound("add dependence", dst, guid.Null, 0, func(c *Ctx, object guid.GUID) {
		c.forward(source, object, slot, mode)
	})
}

// proxyEvent makes an event that triggers with source, and lives until the label that it is
// for has an object: source itself may be destroyed by then.
func (c *Ctx) proxyEvent(source guid.GUID) guid.GUID {
	g := c.NewCounted(1) // for the deferred dependence
	_, lo := g.Words()
	c.events.At(uint32(lo)).flags |= eventProxy
	if c.g.away != nil {
		c.events.At(uint32(lo)).flags |= eventForward
		c.n.EventCreated--
	}
	c.dependOther(source, g, Decr, datablock.RW)
	return g
}

// forward is AddDependence without counting the call again. An EDT may have been
// destroyed while it waited for a label; then nothing is left to do.
func (c *Ctx) forward(source, dst guid.GUID, slot int, mode datablock.Mode) {
	if hi, _ := dst.Words(); hi == c.highEDT && !c.Exists(dst) {
		return
	}
	c.n.DependenceAdded--
	c.AddDependence(source, dst, slot, mode)
}

// satisfyLabel is SatisfySlot if the event or the block is a label.
func (c *Ctx) satisfyLabel(event, block guid.GUID, slot int) {
	if block.IsLabel() {
		block = c.resolve("satisfy", block)
	}
	if event.IsLabel() && c.labelsAway() {
		c.checkLabel("satisfy", event, event.Kind())
		c.satisfyLabelAway(event, block, slot)
		return
	}
	if !event.IsLabel() {
		c.n.EventSatisfied--
		c.SatisfySlot(event, block, slot)
		return
	}
	c.whenFound("satisfy", event, guid.Null, 0, func(c *Ctx, object guid.GUID) {
		c.n.EventSatisfied--
		c.SatisfySlot(object, block, slot)
	})
}

// destroyLabel destroys the object of a label.
func (c *Ctx) destroyLabel(op string, kind guid.Kind, g guid.GUID) {
	c.checkLabel(op, g, kind)
	if c.labelsAway() {
		c.destroyLabelAway(g)
		return
	}
	s := c.g.labels.named(g)
	s.Lock()
	l := s.find(g)
	if l != nil && l.busy {
		// Its creator destroys it after the deferred calls. The label is free for the
		// next object at once, and later calls apply to that one.
		c.deferCall(l, deferredCall{op: op, call: func(c *Ctx, object guid.GUID) { c.destroyObject(op, kind, g, object) }})
		s.remove(g, false)
		s.Unlock()
		return
	}
	object := guid.Null
	if l != nil {
		object = l.object
	}
	s.Unlock()
	c.destroyObject(op, kind, g, object)
}

func (c *Ctx) destroyObject(op string, kind guid.Kind, g, object guid.GUID) {
	switch {
	case object == guid.Null:
		c.misuse(op, ErrNoObject, g, "")
	case c.isAway(object, kind):
		c.g.labels.leave(g, object) // it may be used again at once
		c.destroyLabelAway(object)
	case kind == guid.KindEvent:
		c.DestroyEvent(object)
	case kind == guid.KindEDT:
		c.DestroyEDT(object)
	default:
		c.DestroyBlock(object)
	}
}

// newLabelledEDT makes the EDT of a label on this rank.
func (c *Ctx) newLabelledEDT(t *Template, params []uint64) guid.GUID {
	if c.g.away == nil {
		return c.NewEDT(t, params)
	}
	at := t.at
	if at != 0 {
		at = c.settle(at)
	}
	edt, _ := c.spawnHere(c.placeHere(at), t.hint.Priority, t, &Spec{Params: params})
	return edt
}

// leaveLabel frees the label of an object that is destroyed.
func (c *Ctx) leaveLabel(g, object guid.GUID) {
	if c.labelsAway() {
		c.leaveLabelAway(g, object)
		return
	}
	c.g.labels.leave(g, object)
}
