package edt

import (
	"fmt"
	"sync/atomic"
	"time"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/rank"
)

// This file is all that the code for one process knows of ranks: internal/proof/archtest checks that no other file
// names anything of the files that begin with away_. The high word of a GUID says on which rank the object lives. A
// call that finds a high word other than its own asks isAway, and leaves objects of other ranks to one of the functions
// here.

// Ranks is for hosts: it makes a graph one rank of several. The workers of all ranks are numbered
// together, those of rank 0 first; each rank has as many.
type Ranks struct {
	Engine rank.Engine
	// Run is the random bits of the run's GUIDs, the same on all ranks.
	Run uint32
	// Beside is another rank in the same process, whose templates of the run itself are known here too; nil
	// for none. It must not have begun.
	Beside *Graph
	// Window is what [Ctx.Window] returns.
	Window Window
	// Spread chooses the rank of an EDT that is placed nowhere; nil is the rank of its creator.
	Spread func() int
	// Patience is how long rank 0 waits between the first two waves while an EDT waits there; see [Graph.Postponed].
	Patience time.Duration
	// Wait is called again and again while an EDT waits for an answer of another rank; nil polls.
	Wait func()
	// Report returns what the host of this rank reports to rank 0 when the run has ended, see [Graph.RankReports]; nil is
	// nothing.
	Report func() []byte
}

// me is the number of this rank.
func (r *Ranks) me() int { return r.Engine.Rank() }

// An awayState is what a [Ctx] has for calls to and from other ranks.
type awayState struct {
	creation rank.Message  // of an EDT on another rank, or a satisfaction there
	tail     []byte        // memory for its tail,
	words    []uint64      // for what is in one that has come,
	sources  []Source      // and for the sources in it
	message  *rank.Message // of another rank, that is being carried out
	from     int           // that rank
	refused  *refusal      // the query that is answered is a misuse
	proxies  *[knownProxies]knownProxy
}

// An away is what a graph has to do with the other ranks of its run. In one process a graph has none.
//
// Concurrency: the courier is a [Ctx] of the graph with no EDT, which carries out messages; the goroutine that holds
// the courier lock of the mailbox uses it. The rest has its own locks.
type away struct {
	*rank.Order
	config   *Ranks
	engine   rank.Engine
	me, size int
	workers  uint32 // of each rank
	worker   *Worker
	courier  *Ctx                                 // of worker
	handler  func(from int, m *rank.Message) bool // handle of the courier
	received uint64                               // messages that were handled; any goroutine loads it
	handled  uint64                               // those but control messages; both under the courier lock
	names    stocks
	proxies  scopeProxies
	shared   sharedBlocks
	answers  []atomic.Pointer[rank.Message] // by worker: the answer to the query of its EDT, nil until it has come
	shutdown shutdown
}

// joinAway makes the graph one of several.
func (g *Graph) joinAway() { g.joinRanks() }

// joinAway prepares the Ctx of a worker.
func (c *Ctx) joinAway() { c.joinRanks() }

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

// receiveAway handles messages that have arrived, at most budget of them; the EDTs that they make ready go to h.
func (g *Graph) receiveAway(h Host, budget int) { g.poll(h, budget) }

// What follows finds out whether something is away.

// isAway reports whether g names an object of this run that lives on another rank.
func (c *Ctx) isAway(g guid.GUID, kind guid.Kind) bool {
	hi, _ := g.Words()
	r := c.g.away
	home := ids.Home(hi)
	return r != nil && hi == c.g.space.Of(home).High(uint8(kind)) && home != r.me && home < r.size
}

// placedAway returns the rank of a worker if that is another rank.
func (c *Ctx) placedAway(a Affinity) (to int, ok bool) {
	r := c.g.away
	if r == nil || a == 0 {
		return 0, false
	}
	to = a.Worker() / c.g.config.Workers
	return to, to != r.me
}

// awaitCreation returns the record of an EDT whose name was reserved for another rank, as soon as it creates it; nil if
// this is no such name. An EDT here may have learnt the name before the creation comes.
func (c *Ctx) awaitCreation(edt guid.GUID) *edtRecord {
	hi, lo := edt.Words()
	if c.g.away == nil || hi != c.highEDT {
		return nil
	}
	for n := 0; c != c.g.away.courier && c.g.edts.Reserved(lo); n++ {
		c.awaitMessage(n)
	}
	return c.g.edts.Lookup(lo)
}

// The creation of EDTs and blocks.

// createPlainAway creates an EDT with open slots on another rank, if at is there and the creation is plain.
func (c *Ctx) createPlainAway(at Affinity, t *Template, params []uint64) (edt guid.GUID, ok bool) {
	if uint(at.Worker()) >= uint(c.g.workersInAll) || !c.isPlain(t, params) {
		return edt, false
	}
	to, local := c.g.away.placeOf(at)
	if to == c.g.away.me {
		return edt, false
	}
	return c.makePlain(to, local, t, params), true
}

// spawnAway is [Ctx.spawnAt] over ranks: on another one, or here.
func (c *Ctx) spawnAway(at Affinity, prio int8, t *Template, s *Spec) (edt, output guid.GUID) {
	return c.spawnOnRank(at, prio, t, s)
}

// newEventAway makes an event on another rank.
func (c *Ctx) newEventAway(to int, t EventType, count int64) guid.GUID {
	return c.createPlaced(to, named{t, count})
}

// newBlockAway makes a block on another rank, near to a worker there.
func (c *Ctx) newBlockAway(to int, op string, size int, near Affinity) guid.GUID {
	return c.query(op, to, queryNewBlock, number(uint64(size)), uint64(near))
}

// outputAway makes an event that forwards to an output event of another rank, and returns its low GUID word.
func (c *Ctx) outputAway(out guid.GUID) uint64 { return c.makeForward(out, false) }

// forwardedAway returns the event to which such an event forwards, g itself if it does not.
func (c *Ctx) forwardedAway(g guid.GUID) guid.GUID {
	_, lo := g.Words()
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventForward == 0 || e.head&refNode == 0 {
		return g
	}
	n := c.nodes.At(uint32(e.head))
	return guid.FromWords(n.high, n.dst)
}

// Dependences, satisfactions, destructions.

// awaitAway makes a slot of an EDT wait for an event of another rank.
func (c *Ctx) awaitAway(source guid.GUID, i uint32, t *edtRecord, s *slot, n int, mode datablock.Mode) {
	_, lo := source.Words()
	s.word = lo
	atomic.StoreUint64(&s.link, uint64(mode)<<linkModeAt|slotWaiting|linkRemote|uint64(source.Home()))
	c.sendDepend(source.Home(), source, c.g.edtGUID(i, t), n, mode)
}

// awaitEventAway makes an event of this rank wait for one of another rank.
func (c *Ctx) awaitEventAway(source, dst guid.GUID, e *event, slot int) {
	c.checkFed(source, dst, e.typ, slot)
	c.sendDepend(source.Home(), source, dst, slot, 0)
}

// dependAway is [Ctx.AddDependence] if the destination lives on another rank. It reports false if it does not.
func (c *Ctx) dependAway(source, dst guid.GUID, slot int, mode datablock.Mode) bool {
	return c.dependElsewhere(source, dst, slot, mode)
}

// satisfyAway is [Ctx.SatisfySlot] for an event of another rank.
func (c *Ctx) satisfyAway(event, block guid.GUID, slot int) { c.satisfyElsewhere(event, block, slot) }

// passAway satisfies what waited on another rank for an event here.
func (c *Ctx) passAway(p *pass) { c.sendTrigger(p) }

// payloadAway is payload for what is no block of this rank: it returns the word of a proxy.
func (c *Ctx) payloadAway(op string, block guid.GUID) uint64 {
	if c.isAway(block, guid.KindBlock) {
		return c.proxyWord(block)
	}
	c.wrongKind(op, block, guid.KindBlock)
	return 0
}

// destroyAway destroys an object of another rank. It reports false if g is none.
func (c *Ctx) destroyAway(g guid.GUID, kind guid.Kind) bool {
	if !c.isAway(g, kind) {
		return false
	}
	c.sendDestroy(g)
	return true
}

// abandonAway lets go of what waited on another rank for an event that is gone without having triggered.
func (c *Ctx) abandonAway(n *node, event guid.GUID) { c.sendLost(n, event) }

// closeScopeAway sends the tokens of a proxy of a scope back.
func (c *Ctx) closeScopeAway(i uint32, e *event) { c.closeProxy(i, e) }

// Queries.

// What is asked; see the table queries.
const (
	queryExists uint64 = iota + 1
	queryNewBlock
	queryNewPlaced // its type, and in the tail its count
	queryEventType // of the event
	queryNames     // of EDTs, or of events of a type, to be given later: no EDT waits for the answer, see away_names.go
)

// refuseAway leaves the call that another rank has asked for, as it is a misuse: the asker reports that. It returns if
// what the message leads to is the fault of something else.
func (c *Ctx) refuseAway(cause *Condition, detail string) { c.refuse(cause, detail) }

// existsAway is [Ctx.Exists] for an object of another rank.
func (c *Ctx) existsAway(g guid.GUID) bool {
	if c.isAway(g, guid.KindEDT) || c.isAway(g, guid.KindEvent) || c.isAway(g, guid.KindBlock) {
		return !c.query("exists", g.Home(), queryExists, g, 0).IsNull()
	}
	return false
}

// Blocks of other ranks, and blocks of this rank that others know.

// fetchAway asks for a block that is lent, if an EDT waits for it.
func (c *Ctx) fetchAway(word uint64) { c.seek(word) }

// grantAway goes on for a rank that has got a block.
func (c *Ctx) grantAway(w block.Waiter) { c.grantRank(w) }

// describeBlocksAway puts into the description of an EDT's blocks what is known of those of other ranks.
func (c *Ctx) describeBlocksAway(slots []slot) { c.describeProxies(slots) }

// acquiredFirst is what errors say of a block that was destroyed too early, over ranks.
const acquiredFirst = "; over ranks a block may be destroyed when its users have acquired it, not before"

// compareAway compares two blocks that an EDT has in slots by their GUIDs, the order in which all ranks acquire them.
func (c *Ctx) compareAway(a, b uint64) int { return c.blockInOrder(a).Compare(c.blockInOrder(b)) }

// nameAway returns the name of a block by the low GUID word of its proxy, or of a record that is free.
func (g *Graph) nameAway(word uint64) guid.GUID { return g.proxied(word) }

// destroyBlockAway destroys a block of another rank.
func (c *Ctx) destroyBlockAway(id guid.GUID) { c.destroyProxied(id) }

// destroySharedAway destroys a block of this rank if EDTs of other ranks may have it; d is what the caller holds of it.
func (c *Ctx) destroySharedAway(id guid.GUID, i uint32, d *dep.State) bool {
	return c.destroyShared(id, i, d)
}

// destroyedAway reports whether a block, by the low GUID word of its record, is destroyed, as far as this rank knows,
// though the record is still in use.
func (g *Graph) destroyedAway(word uint64) bool { return g.away != nil && g.isDestroyed(word) }

// Errors and reports.

// rankText names the rank of an EDT, or this one, "" if there is only one.
func (g *Graph) rankText(edt guid.GUID) string {
	switch {
	case g.away == nil:
		return ""
	case !edt.IsNull():
		return rankName(edt.Home())
	}
	return rankName(g.away.me)
}

func rankName(rank int) string { return fmt.Sprintf("rank %d", rank) }

// firstWorker is the number of this rank's first worker among those of all ranks.
func (g *Graph) firstWorker() int {
	if g.away == nil {
		return 0
	}
	return g.away.me * g.config.Workers
}

// signerAway returns the EDT on behalf of which the message came that is handled.
func (c *Ctx) signerAway() *origin { return c.signer() }

// closesAway reports whether the message that is handled satisfies the output event of a finish scope of another rank.
func (c *Ctx) closesAway() bool {
	return c.message.Kind == msgSatisfy && c.message.Words[4]&nodeFinish != 0
}

// addCountersAway adds what the other ranks have counted.
func (g *Graph) addCountersAway(sum *Counters) {
	for k := range g.reports() {
		sum.Add(&k.Counters)
	}
}

// leaksAway returns what is left on all ranks.
func (g *Graph) leaksAway(here map[Leak]int) map[Leak]int { return g.joinLeaks(here) }

// addStuckAway adds the EDTs that wait on the other ranks, and for what on another rank EDTs wait.
func (g *Graph) addStuckAway(all *StuckError) *StuckError { return g.joinStuck(all) }

// arrivedAway reports whether there are messages to handle, or what heldAway says.
//
//go:noinline
func (g *Graph) arrivedAway() bool { return g.away.engine.Arrived() || g.heldAway() }

// heldAway reports whether messages to other ranks are held back, or EDTs until messages of other ranks are handled.
func (g *Graph) heldAway() bool { return g.away.Held() }

// What programs ask.

// A Window is memory of every rank that EDTs of other ranks put to and get from by calls.
type Window = rank.Window

// Window returns what EDTs use that exchange words with those of other ranks while they run: nil with one rank, where a
// data block serves, or if the host of the run has given no window (runtime.Window). It is valid until the run ends.
func (c *Ctx) Window() Window {
	if c.g.away == nil {
		return nil
	}
	return c.g.away.config.Window
}
