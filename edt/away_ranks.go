package edt

import (
	"fmt"
	"sync"

	"ocr/guid"
	"ocr/internal/block"
	"ocr/internal/ids"
	"ocr/internal/rank"
	"ocr/internal/relaxed"
)

// Ranks is for hosts: it makes a graph one rank of several. The workers of all ranks are numbered
// together, those of rank 0 first; each rank has as many.
type Ranks struct {
	Engine rank.Engine
	// Run is the random bits of the run's GUIDs, the same on all ranks.
	Run uint32
	// Beside is another rank in the same process, whose templates of the run itself are known here too; nil
	// for none. It must not have begun.
	Beside *Graph
	// Shared has the blocks of all ranks if they are used in place; nil is that they are lent.
	Shared *block.Shared
	// Window is what [Ctx.Window] returns.
	Window Window
	// Spread chooses the rank of an EDT that is placed nowhere; nil is the rank of its creator.
	Spread func() int
	// Wait is called again and again while an EDT waits for an answer of another rank; nil polls.
	Wait func()
	// Look is called for a look at this rank that rank 0 has asked for: at the workers, or at all; nil is the graph's own.
	// It does not wait.
	Look func(all bool) *Snapshot
	// Report returns what the host of this rank has to tell rank 0 when the run has ended, see [Graph.RankReports]; nil is nothing.
	Report func() []byte
}

// bornBit is in the high word of the name of an EDT that its creator's rank has named.
const bornBit = ids.BornBit

// A ranks is what a graph has to do with the other ranks of the run.
//
// Concurrency: the courier is a [Ctx] of the graph with no EDT, which carries out messages; whoever holds the
// courier lock of the mailbox uses it. fills is held while a slot is marked as filled by a message, and while an EDT is
// buried. The rest has its own locks.
type ranks struct {
	*rank.Order
	config   *Ranks
	engine   rank.Engine
	me, size int
	workers  uint32 // of each rank
	worker   *Worker
	courier  *Ctx                                 // of worker
	noting   sync.Mutex                           // of observed runs: the notes of messages are in the order of the messages
	handler  func(from int, m *rank.Message) bool // handle of the courier
	received uint64                               // messages that were handled, control messages too; anybody loads it
	handled  uint64                               // the others of them; like received it is counted under the courier lock
	fills    sync.Mutex
	born     bornNames
	proxies  scopeProxies
	leases   leases
	asks     asks
	near     nearEvents
	forwards []forward // by rank: of its last message, if that was a call on a label
	parting  parting
	looks    lookRegistry
}

func newRanks(g *Graph, config *Ranks) *ranks {
	r := &ranks{Order: rank.NewOrder(config.Engine), config: config, engine: config.Engine, me: config.Engine.Rank(), size: config.Engine.Size(), workers: uint32(g.config.Workers)}
	r.leases.shared = config.Shared
	r.born.by = make([]bornBy, r.size)
	r.forwards = make([]forward, r.size)
	r.near.by = make([][nearTypes]nameStore, r.size)
	if beside := config.Beside; beside != nil {
		g.local = beside.local
		g.local.share(g)
	}
	return r
}

// joinRanks makes the graph one of several.
func (g *Graph) joinRanks() {
	r := newRanks(g, g.config.Ranks)
	g.ranks = r
	g.workersInAll, g.placesInAll = r.size*g.config.Workers, r.size*g.config.Workers
	r.worker = new(Worker)
	r.courier = r.worker.Ctx()
	g.setUp(r.courier, 0, noHost{})
	if g.sites != nil {
		r.courier.obs, r.courier.watched = siteObserver{c: r.courier}, true
	}
	r.courier.joinRanks()
	r.handler = r.courier.handle
}

// firstWorker is the number of this rank's first worker among those of all ranks.
func (g *Graph) firstWorker() int {
	if g.ranks == nil {
		return 0
	}
	return g.ranks.me * g.config.Workers
}

// joinRanks tells a Ctx where it is.
func (c *Ctx) joinRanks() {
	r := c.g.ranks
	c.nullLink = ^uint64(0)
	c.proxies = new([knownProxies]knownProxy)
	switch {
	case r.config.Spread != nil && c != r.courier:
		c.nearby, c.spread = -1, anywhere
	case r.me != 0:
		c.nearby = 0
	}
	c.self = BindTo(c.worker)
	c.worker += c.g.firstWorker()
}

// isAway reports whether g names an object of this run that lives on another rank.
func (c *Ctx) isAway(g guid.GUID, kind guid.Kind) bool {
	hi, _ := g.Words()
	r := c.g.ranks
	return r != nil && (hi^c.highEDT)>>ids.RunShift == 0 && g.Kind() == kind && !g.IsLabel() && ids.Home(hi) != r.me && ids.Home(hi) < r.size
}

// poll handles messages that have arrived, at most so many; what they make ready goes to h. It does nothing if
// another worker is at it. A message that panics is handled, and what has come behind it waits for the next call.
func (g *Graph) poll(h Host, budget int) {
	if !g.mail.courier.take() {
		return
	}
	done := false
	defer func() {
		if !done {
			g.ranks.leaveMessage()
		}
		g.mail.courier.leave()
	}()
	g.ranks.poll(h, budget)
	done = true
}

// pollHeld is poll for a caller that holds the courier lock.
func (g *Graph) pollHeld(h Host, budget int) {
	done := false
	defer func() {
		if !done {
			if g.ranks.leaveMessage(); g.ranks.parting.leaving { // the run has ended before, and no worker of the host is left to be told
				g.ranks.worker.Recovered(recover())
			}
		}
	}()
	g.ranks.poll(h, budget)
	done = true
}

func (r *ranks) poll(h Host, budget int) {
	r.courier.host = h
	if n := r.engine.Poll(budget, r.handler); n > 0 {
		relaxed.Store64(&r.received, r.received+uint64(n))
	}
	if r.leases.going.Load() != 0 {
		r.courier.leave(false)
	}
	r.Go()
}

// leaveMessage ends a message that panics. Control messages do not panic.
func (r *ranks) leaveMessage() {
	c := r.courier
	m := c.message
	r.handled++
	c.message, c.passing, c.source = nil, nil, 0
	if m != nil && m.Kind == msgAsk {
		c.answerNothing(c.from, m)
	}
}

// rankText names the rank of an EDT, or this one, "" if there is only one.
func (g *Graph) rankText(edt guid.GUID) string {
	switch {
	case g.ranks == nil:
		return ""
	case !edt.IsNull():
		return fmt.Sprintf("rank %d", edt.Home())
	}
	return fmt.Sprintf("rank %d", g.ranks.me)
}
