package edt

import (
	"fmt"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// What calls of this rank do with objects of other ranks. The high word of a GUID says on which rank the object lives.
// A call that finds a high word other than its own asks isAway, and leaves objects of other ranks to a function here.

// An awayState is what a [Ctx] has for calls to and from other ranks.
type awayState struct {
	signed  *RemoteCaller // on the courier: on whose behalf the message comes that is handled, nil for none
	closes  bool          // and it satisfies the output event of a finish scope
	trying  bool          // the call is one of [Home.Try]
	refused *refusal      // which was a misuse

	creation RemoteEDT // memory for an EDT that is created on another rank, or for another rank
	listed   []RemoteSource
	sources  []Source
}

// An away is what a graph has to do with the other ranks of its run. In one process a graph has none.
//
// Concurrency: the courier is a [Ctx] of the graph with no EDT, which carries out messages; the goroutine that holds
// the courier lock of the mailbox uses it. The rest does not change before the run has ended.
type away struct {
	Ranks
	worker  *Worker
	courier *Ctx           // of worker
	others  []RemoteReport // of other ranks
}

// joinAway makes the graph one of several.
func (g *Graph) joinAway() {
	r := &away{Ranks: *g.config.Ranks, worker: new(Worker)}
	g.away = r
	if r.Beside != nil {
		g.local = r.Beside.local
		g.local.share(g)
	}
	g.workersInAll, g.placesInAll = r.Size*g.config.Workers, r.Size*g.config.Workers
	r.courier = r.worker.Ctx()
	g.setUp(r.courier, 0, noHost{})
	if g.sites != nil {
		r.courier.obs, r.courier.watched = siteObserver{c: r.courier}, true
	}
	r.courier.joinAway()
	r.Remote.Start(Home{r.courier})
}

// joinAway prepares the Ctx of a worker.
func (c *Ctx) joinAway() {
	r := c.g.away
	c.nullLink = ^uint64(0)
	switch {
	case r.Spread != nil && c != r.courier:
		c.nearby, c.spread = -1, MaxWorkers
	case r.Rank != 0:
		c.nearby = 0
	}
	c.self = BindTo(c.worker)
	c.worker += c.g.firstWorker()
}

// observeAway makes the observer of the courier, after those of all workers.
func (g *Graph) observeAway() {
	if observe := g.config.Observe; observe != nil && g.away != nil {
		c := g.away.courier
		c.obs = observe(g.away.worker)
		if g.sites != nil {
			c.obs = join(siteObserver{c: c}, c.obs)
		}
		c.watched, c.atReady = true, c.atReady|readyReports
	}
}

// isAway reports whether g names an object of this run that lives on another rank.
func (c *Ctx) isAway(g guid.GUID, kind guid.Kind) bool {
	hi, _ := g.Words()
	r := c.g.away
	home := ids.Home(hi)
	return r != nil && hi == c.g.space.Of(home).High(uint8(kind)) && home != r.Rank && home < r.Size
}

// placedAway returns the rank of a worker if that is another rank.
func (c *Ctx) placedAway(a Affinity) (to int, ok bool) {
	r := c.g.away
	if r == nil || a == 0 {
		return 0, false
	}
	to = a.Worker() / c.g.config.Workers
	return to, to != r.Rank
}

// awaitCreation returns the record of an EDT whose name was reserved for another rank, as soon as it creates it; nil if
// this is no such name. An EDT here may have learnt the name before the creation comes.
func (c *Ctx) awaitCreation(edt guid.GUID) *edtRecord {
	hi, lo := edt.Words()
	if c.g.away == nil || hi != c.highEDT {
		return nil
	}
	for n := 0; c != c.g.away.courier && c.g.edts.Reserved(lo); n++ {
		c.g.away.Remote.Wait(c, n)
	}
	return c.g.edts.Lookup(lo)
}

// The creation of EDTs.

// spawnAway is [Ctx.spawnAt] over ranks: on another one, or here.
func (c *Ctx) spawnAway(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	r, n := c.g.away, c.g.config.Workers
	to, local := r.Rank, Affinity(0)
	if w := at.Worker(); w >= 0 {
		to, local = w/n, Affinity(w%n+1)|at&strictBit
	} else if r.Spread != nil {
		to = r.Spread()
	}
	if to == r.Rank {
		return c.spawnHere(local, prio, t, s)
	}
	return c.spawnElsewhere(to, local, prio, t, s)
}

// spawnElsewhere creates an EDT on another rank. Dependences on events follow: they go to the homes of the events.
func (c *Ctx) spawnElsewhere(to int, place Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	e := &c.creation
	*e = RemoteEDT{ // Params is a copy, so that the caller's need not be on the heap
		Place: place, Priority: prio, Params: append(e.Params[:0], s.Params...), Finish: s.Finish, Own: s.Output,
	}
	e.Slots = c.checkSpec(t, s)
	if !t.registered {
		if len(c.local.graphs) == 1 {
			c.misuse("create EDT", ErrTemplate, guid.Null, "template %s, on rank %d", t.name, to)
		}
		c.useTemplate(t)
	}
	e.Template = t.index
	e.Sources = c.listSources(t, s.Deps)
	switch output = s.OutputEvent; {
	case !output.IsNull():
		if !c.isAway(output, guid.KindEvent) {
			c.event("create EDT", output, ErrStale)
		}
	case s.Output && s.Finish:
		output = c.NewLatch(1)
	case s.Output:
		output = c.NewEvent(Once)
	}
	scope := uint32(0)
	e.Output = output
	if s.Finish {
		if scope = c.rootScope(output); scope != 0 {
			e.Output, e.Finish = guid.Null, false // it is the scope's
		}
	}
	if scope == 0 && c.scope != 0 {
		scope = c.scope
		c.takeToken()
	}
	if scope != 0 {
		e.Scope, e.Memory = c.events.At(scope).Low(scope), c.memoryAround(scope)
	}
	c.n.EDTCreated++
	edt = c.g.away.Remote.Create(c, to, e)
	for n, d := range s.Deps {
		if c.isEvent(d.id) {
			c.dependOther(d.id, edt, n, d.mode)
		}
	}
	return edt, output
}

// listSources ends the run if an EDT cannot have these sources, as start does, and lists those that go with its
// creation: blocks and Nulls.
func (c *Ctx) listSources(t *Template, deps []Source) []RemoteSource {
	listed := c.listed[:0]
	for n, d := range deps {
		hi, lo := d.id.Words()
		switch {
		case !d.mode.Valid():
			c.misuse("create EDT", ErrMode, guid.Null, "%v on slot %d", d.mode, n)
		case d.id == noSource:
			name := inBrackets(t.SlotName(n))
			c.misuse("create EDT", ErrNoSource, guid.Null, "slot %d%s got the zero Source, Event or Block", n, name)
		case hi == c.highEvent && c.g.events.Lookup(lo) == nil:
			c.staleSource("create EDT", d.id, n)
		case c.isEvent(d.id), d.id.IsUninitialized():
			continue
		case d.id.IsNull(), c.isAway(d.id, guid.KindBlock):
		default:
			c.payload("create EDT", d.id)
		}
		listed = append(listed, RemoteSource{n, d.mode, d.id})
	}
	c.listed = listed
	return listed
}

// makeForward makes an event that stands for an output event of another rank, that of the EDT's creator: a once event
// for which the real one waits. It returns its low GUID word. own says that the runtime has made the output event: it
// goes with an EDT that is destroyed.
func (c *Ctx) makeForward(out guid.GUID, own bool) uint64 {
	i, e := c.allocEvent(Once)
	c.n.EventCreated--
	e.flags |= eventForward
	s := slotForward
	if own {
		s |= slotOwn
	}
	k, _ := c.nodeElsewhere(out, s)
	e.head.Begin(record.NodeRef(k))
	return e.Low(i)
}

// nodeElsewhere makes the node of a waiter on another rank.
func (c *Ctx) nodeElsewhere(dst guid.GUID, s RemoteSlot) (uint32, *node) {
	k, n := c.newNode(0, 0)
	n.high, n.dst = dst.Words()
	n.slot = uint32(s)
	return k, n
}

// forwardedAway returns the event to which such an event forwards, g itself if it does not.
func (c *Ctx) forwardedAway(g guid.GUID) guid.GUID {
	_, lo := g.Words()
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventForward == 0 || !e.head.Look().Waiters().IsNode() {
		return g
	}
	n := c.nodes.At(e.head.Look().Waiters().Index())
	return guid.FromWords(n.high, n.dst)
}

// Dependences, satisfactions, destructions.

// awaitAway makes a slot of an EDT wait for an event of another rank.
func (c *Ctx) awaitAway(source guid.GUID, i uint32, t *edtRecord, s *slot, n int, mode datablock.Mode) {
	_, lo := source.Words()
	s.word = lo
	word.Publish(&s.link, uint64(mode)<<linkModeAt|slotWaiting|linkRemote|uint64(source.Home()))
	c.g.away.Remote.Depend(c, source.Home(), source, c.g.edtGUID(i, t), remoteSlot(n, mode))
}

// awaitEventAway makes an event of this rank wait for one of another rank.
func (c *Ctx) awaitEventAway(source, dst guid.GUID, e *event, slot int) {
	c.checkFed(source, dst, e.typ, slot)
	c.g.away.Remote.Depend(c, source.Home(), source, dst, remoteSlot(slot, 0))
}

// checkFed ends the run if an event of another rank must not feed an event of this type: what an event passes on to
// another rank is not ordered before the satisfier's next call.
func (c *Ctx) checkFed(source, dst guid.GUID, typ EventType, slot int) {
	switch {
	case typ == Latch || typ == Channel:
		const allowed = "; over ranks an event may feed a once, idempotent, sticky or counted event"
		c.misuse("add dependence", ErrKind, dst, "%v event of rank %d, and its source is event %v of rank %d"+allowed, typ,
			dst.Home(), source, source.Home())
	case slot != 0:
		c.badEventSlot("add dependence", dst, typ, slot)
	}
}

// dependAway is [Ctx.AddDependence] if the destination lives on another rank. It reports false if it does not.
func (c *Ctx) dependAway(source, dst guid.GUID, slot int, mode datablock.Mode) bool {
	const op = "add dependence"
	isEvent, to := c.isAway(dst, guid.KindEvent), dst.Home()
	switch {
	case !isEvent && !c.isAway(dst, guid.KindEDT):
		return false
	case isEvent:
		mode = 0
	case !mode.Valid():
		c.misuse(op, ErrMode, dst, "%v on slot %d", mode, slot)
	}
	if slot < 0 || slot > MaxDeps {
		c.misuse(op, ErrSlotRange, dst, "slot %d", slot)
	}
	if isEvent && c.signed == nil && c.isEvent(source) && source.Home() != to {
		c.checkFed(source, dst, c.g.away.Remote.EventType(c, op, dst), slot)
	}
	switch hi, lo := source.Words(); {
	case hi == c.highEvent:
		src := c.g.events.Lookup(lo)
		if src == nil {
			c.misuse(op, ErrStale, source, "as source of an object on another rank")
		}
		if c.obs != nil {
			c.obs.DependenceAdded(source, dst, slot, mode)
		}
		k, n := c.nodeElsewhere(dst, remoteSlot(slot, mode))
		c.awaitEvent(source, src, k, n)
		c.passOn()
		return true
	case c.isAway(source, guid.KindEvent):
		to = source.Home()
	case source == noSource:
		c.misuse(op, ErrNoSource, dst, "slot %d got the zero Source, Event or Block", slot)
	case !source.IsNull() && !c.isAway(source, guid.KindBlock):
		c.payload(op, source)
	}
	c.g.away.Remote.Depend(c, to, source, dst, remoteSlot(slot, mode))
	return true
}

// satisfyAway is [Ctx.SatisfySlot] for an event of another rank.
func (c *Ctx) satisfyAway(event, block guid.GUID, slot int) {
	if !c.isAway(block, guid.KindBlock) {
		c.payload("satisfy", block)
	}
	if slot != Decr && slot != Incr {
		c.misuse("satisfy", ErrSlotRange, event, "slot %d; events have 0, a latch has 1 too", slot)
	}
	c.g.away.Remote.Satisfy(c, event, block, RemoteSlot(slot))
}

// passAway satisfies what waited on another rank for an event here.
func (c *Ctx) passAway(p *pass) {
	dst, block, s := guid.FromWords(p.high, p.event), c.g.blockGUID(p.block), RemoteSlot(p.slot)|slotPassed
	if c.closing.low != 0 {
		s |= slotOfFinish
	}
	if dst.Kind() == guid.KindEDT {
		c.g.away.Remote.Fill(c, dst, block, s)
	} else {
		c.g.away.Remote.Satisfy(c, dst, block, s)
	}
}

// abandonAway lets go of what waited on another rank for an event that is gone without having triggered. An output
// event that the runtime has made goes too, and an EDT is sent the news.
func (c *Ctx) abandonAway(n *node, event guid.GUID) {
	dst, s := guid.FromWords(n.high, n.dst), RemoteSlot(n.slot)
	switch {
	case s&slotOwn != 0:
		c.g.away.Remote.Destroy(c, dst)
	case dst.Kind() == guid.KindEDT:
		c.g.away.Remote.Fill(c, dst, event, s|slotIsLost)
	}
}

// payloadAway is payload for what is no block of this rank: it returns the word of a proxy.
func (c *Ctx) payloadAway(op string, block guid.GUID) uint64 {
	if !c.isAway(block, guid.KindBlock) {
		c.wrongKind(op, block, guid.KindBlock)
	}
	return c.g.away.Remote.Word(c, block)
}

// destroyAway destroys an object of another rank. It reports false if g is none.
func (c *Ctx) destroyAway(g guid.GUID, kind guid.Kind) bool {
	if !c.isAway(g, kind) {
		return false
	}
	if kind == guid.KindBlock && c.hold(g) != nil {
		c.releaseAny(g)
	}
	c.g.away.Remote.Destroy(c, g)
	return true
}

// existsAway is [Ctx.Exists] for an object of another rank.
func (c *Ctx) existsAway(g guid.GUID) bool {
	return (c.isAway(g, guid.KindEDT) || c.isAway(g, guid.KindEvent) || c.isAway(g, guid.KindBlock)) &&
		c.g.away.Remote.Exists(c, g)
}

// Blocks of other ranks, and blocks of this rank that others know.

// describeBlocksAway puts into the description of an EDT's blocks what is known of those of other ranks.
func (c *Ctx) describeBlocksAway(slots []slot) {
	for k := range slots {
		if word := slots[k].word; word != 0 && c.blocks.At(uint32(word)).Proxy() {
			d := &c.deps[k]
			d.ID = c.g.blockGUID(word)
			if d.Access != noAccess {
				d.Access = d.Access.OfProxy(uint32(word))
			}
		}
	}
}

// acquiredFirst is what errors say of a block that was destroyed too early, over ranks.
const acquiredFirst = "; over ranks a block may be destroyed when its users have acquired it, not before"

// compareAway compares two blocks that an EDT has in slots by their GUIDs, the order in which all ranks acquire them.
func (c *Ctx) compareAway(a, b uint64) int { return c.blockInOrder(a).Compare(c.blockInOrder(b)) }

// blockInOrder is blockGUID for a block that the EDT has in a slot. It does not look at the generation: a worker that
// destroys a block which the EDT keeps may be changing that.
func (c *Ctx) blockInOrder(word uint64) guid.GUID {
	if c.blocks.At(uint32(word)).Proxy() {
		return c.g.away.Remote.Name(word)
	}
	return guid.FromWords(c.highBlock, word)
}

// destroySharedAway destroys a block of this rank if EDTs of other ranks may have it; d is what the caller holds of it.
func (c *Ctx) destroySharedAway(id guid.GUID, d *dep.State) bool {
	if !c.g.away.Remote.DestroyShared(c, id) {
		return false
	}
	if d != nil {
		word, mode := c.wordOf(d), heldMode(d)
		c.drop(d, id)
		c.letGo(word, mode)
	}
	return true
}

// destroyedAway reports whether a block, by the low GUID word of its record, is destroyed, as far as this rank knows,
// though the record is still in use.
func (g *Graph) destroyedAway(word uint64) bool {
	return g.away != nil && g.away.Remote.Destroyed(word)
}

// Errors.

// rankText names the rank of an EDT, or this one, "" if there is only one.
func (g *Graph) rankText(edt guid.GUID) string {
	switch {
	case g.away == nil:
		return ""
	case !edt.IsNull():
		return rankName(edt.Home())
	}
	return rankName(g.away.Rank)
}

func rankName(rank int) string { return fmt.Sprintf("rank %d", rank) }

// firstWorker is the number of this rank's first worker among those of all ranks.
func (g *Graph) firstWorker() int {
	if g.away == nil {
		return 0
	}
	return g.away.Rank * g.config.Workers
}

// arrivedAway reports whether there are messages to handle, or what heldAway says.
//
//go:noinline
func (g *Graph) arrivedAway() bool { return g.away.Remote.Arrived() || g.heldAway() }

// heldAway reports whether messages to other ranks are held back, or EDTs until messages of other ranks are handled.
func (g *Graph) heldAway() bool { return g.away.Remote.Held() }
