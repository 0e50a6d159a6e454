package edt

import (
	"sync/atomic"

	"ocr/internal/core/relaxed"
	"ocr/internal/rank"
)

func newAway(g *Graph, config *Ranks) *away {
	r := &away{
		Order: rank.NewOrder(config.Engine), config: config, engine: config.Engine,
		me: config.Engine.Rank(), size: config.Engine.Size(), workers: uint32(g.config.Workers),
	}
	r.answers = make([]atomic.Pointer[rank.Message], g.config.Workers)
	r.names.by = make([]stocksOf, r.size)
	if beside := config.Beside; beside != nil {
		g.local = beside.local
		g.local.share(g)
	}
	return r
}

// pollHeld is poll for a caller that holds the courier lock.
func (g *Graph) pollHeld(h Host, budget int) {
	done := false
	defer func() {
		if !done {
			if g.away.leaveMessage(); g.away.shutdown.leaving { // the run has ended before: no worker of the host is left
				g.away.worker.Recovered(recover())
			}
		}
	}()
	g.away.poll(h, budget)
	done = true
}

func (r *away) poll(h Host, budget int) {
	r.courier.host = h
	if n := r.engine.Poll(budget, r.handler); n > 0 {
		relaxed.Store64(&r.received, r.received+uint64(n))
	}
	if r.shared.going.Load() != 0 {
		r.courier.leave()
	}
	r.Go()
}

// leaveMessage ends a message that panics. Control messages do not panic.
func (r *away) leaveMessage() {
	c := r.courier
	m := c.message
	r.handled++
	c.message, c.passing, c.source = nil, nil, 0
	if m != nil && m.Kind == msgQuery {
		c.answerNothing(c.from, m)
	}
}

// Deliver handles messages of other ranks on a goroutine that is no worker, while workers have no time for it. What
// they make ready goes to h. It does nothing if another goroutine is at it.
func (g *Graph) Deliver(h Host) {
	b := g.mail
	if !b.courier.take() {
		return
	}
	defer b.courier.leave()
	defer func() {
		if v := recover(); v != nil {
			g.away.worker.Recovered(v)
			h.Stop()
		}
	}()
	g.pollHeld(h, receiveBatch)
}

// Received returns how many messages of other ranks were handled so far, by any goroutine.
func (g *Graph) Received() uint64 { return atomic.LoadUint64(&g.away.received) }

// joinRanks makes the graph one of several.
func (g *Graph) joinRanks() {
	r := newAway(g, g.config.Ranks)
	g.away = r
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

// joinRanks prepares the Ctx of a worker of several ranks.
func (c *Ctx) joinRanks() {
	r := c.g.away
	c.nullLink = ^uint64(0)
	c.proxies = new([knownProxies]knownProxy)
	switch {
	case r.config.Spread != nil && c != r.courier:
		c.nearby, c.spread = -1, MaxWorkers
	case r.me != 0:
		c.nearby = 0
	}
	c.self = BindTo(c.worker)
	c.worker += c.g.firstWorker()
}

// poll handles messages that have arrived, at most budget of them; the EDTs that they make ready go to h. It does
// nothing if another worker is at it. A message that panics is handled, and what has come behind it waits for the next
// call.
func (g *Graph) poll(h Host, budget int) {
	if !g.mail.courier.take() {
		return
	}
	done := false
	defer func() {
		if !done {
			g.away.leaveMessage()
		}
		g.mail.courier.leave()
	}()
	g.away.poll(h, budget)
	done = true
}
