package edt

import (
	goruntime "runtime"
	"slices"
	"sync"

	"ocr/guid"
	"ocr/internal/rank"
)

// A query of an object of another rank asks there and waits for the answer. Meanwhile the worker handles messages, but
// runs no EDT. Handlers never wait, so the answer comes as soon as the other rank looks.

// asks are the queries that wait.
//
// Concurrency: open and last are under mu. An answer is written by the courier, under mu.
type asks struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]*rank.Message // nil until the answer has come
}

const wordTicket = 4 // of a query and its answer

// begin gives a query its ticket.
func (a *asks) begin() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = make(map[uint64]*rank.Message)
	}
	a.last++
	a.open[a.last] = nil
	return a.last
}

// settle takes an answer for which an EDT waits.
func (a *asks) settle(m *rank.Message) {
	kept := *m
	kept.Tail = slices.Clone(m.Tail)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[m.Words[wordTicket]] = &kept
}

// take returns the answer to a query, nil if it has not come.
func (a *asks) take(ticket uint64) *rank.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.open[ticket]
	if m != nil {
		delete(a.open, ticket)
	}
	return m
}

// ask sends a query, and returns the answer.
func (c *Ctx) ask(m *rank.Message, to int) *rank.Message {
	r := c.g.away
	m.Kind, m.Words[wordTicket] = msgQuery, r.asks.begin()
	c.sendTo(to, m)
	for {
		if answer := r.asks.take(m.Words[wordTicket]); answer != nil {
			return answer
		}
		c.awaitMessage()
	}
}

// awaitMessage has messages handled while an EDT waits for one.
func (c *Ctx) awaitMessage() {
	r := c.g.away
	if r.config.Wait != nil {
		r.config.Wait()
		return
	}
	c.g.poll(c.host, 1)
	c.leaveIfLost()
	if !r.engine.Arrived() {
		goruntime.Gosched()
	}
}

// leaveIfLost leaves the body of the EDT if a rank is gone: the answer may not come. The host ends the run.
func (c *Ctx) leaveIfLost() {
	if lost := c.g.away.engine.Err(); lost != nil {
		panic(unwind{&Error{Op: "ask another rank", Cause: ErrEnded, Detail: lost.Error()}, c.g})
	}
}

// askRank is queryAway for a rank.
func (c *Ctx) askRank(op string, to int, what uint64, g guid.GUID, arg uint64) uint64 {
	m := &rank.Message{}
	m.Words[0], m.Words[3] = what, arg
	putGUID(m, 1, g)
	answer := c.ask(m, to)
	if k := answer.Words[1]; k != 0 {
		c.misuse(op, conditions[k-1], g, "")
	}
	return answer.Words[0]
}

// handleQuery answers a query.
func (c *Ctx) handleQuery(from int, m *rank.Message) bool {
	g := getGUID(m, 1)
	if c.tooEarly(g) {
		return false
	}
	answer := &rank.Message{Kind: msgAnswer}
	answer.Words[wordTicket] = m.Words[wordTicket]
	value, wrong := c.answer(m.Words[0], g, m)
	answer.Words[0] = value
	switch {
	case m.Words[0] == queryResolve:
		if object, busy := c.g.labels.look(g); !busy || m.Words[3] == 0 {
			putGUID(answer, 2, object)
		}
	case m.Words[0] == queryLabel && wrong == nil:
		putGUID(answer, 2, c.Label(g, int(m.Words[3])))
	case m.Words[0] == queryNames:
		c.nameEvents(EventType(m.Words[3]), answer)
	}
	if wrong != nil {
		answer.Words[1] = uint64(slices.Index(conditions, wrong)) + 1
	}
	c.sendTo(from, answer)
	return true
}

// answerNothing answers a query on which this rank has ended the run: the EDT that asked must come to its end.
func (c *Ctx) answerNothing(from int, m *rank.Message) {
	answer := &rank.Message{Kind: msgAnswer}
	answer.Words[wordTicket] = m.Words[wordTicket]
	c.sendTo(from, answer)
}

// answer looks at an object for another rank.
func (c *Ctx) answer(what uint64, g guid.GUID, m *rank.Message) (uint64, *Condition) {
	_, lo := g.Words()
	arg, ranges := m.Words[3], &c.g.labels.ranges
	switch what {
	case queryExists:
		if c.Exists(g) {
			return 1, nil
		}
		return 0, nil
	case queryEnter, queryNewEvent:
		switch {
		case !ranges.gave(g):
			return 0, ErrForeign
		case what == queryEnter && c.entered(g, m), what == queryNewEvent && c.newLabelled(g, m):
			return 1, nil
		}
		return 0, nil
	case queryResolve, queryNames:
		return 0, nil
	case queryNewPlaced:
		_, lo := c.NewEvent(EventType(arg)).Words()
		return lo, nil
	case queryNewRange:
		c.g.labels.use()
		return ranges.make(lo, guid.Kind(arg)), nil
	case queryDestroyRange:
		if !ranges.destroy(lo) {
			return 0, ErrDestroyed
		}
		return 0, nil
	case queryLabel:
		switch r := ranges.find(lo); {
		case r == nil:
			return 0, ErrStale
		case arg >= r.size:
			return 0, ErrCount
		}
		return 0, nil
	case queryNewBlock:
		_, lo := c.NewBlockNear(int(lo), Affinity(arg)).Words()
		return lo, nil
	case querySize, queryAffinity, querySynchronised:
		r := c.g.blocks.Lookup(lo)
		switch {
		case r == nil || c.g.destroyedButKept(lo):
			return 0, ErrStale
		case what == querySize:
			return uint64(r.Size()), nil
		case what == querySynchronised:
			c.Synchronised(g)
			return 0, nil
		case r.Home() < 0:
			return 0, nil
		}
		return uint64(PlaceOn(r.Home())), nil
	}
	own, _ := c.localName(g)
	_, lo = own.Words()
	t := c.g.edts.Lookup(lo)
	switch {
	case t == nil:
		return 0, ErrStale
	case what == queryHint:
		return c.globalPlace(t.place) | uint64(uint8(t.prio))<<hintPrioAt, nil
	case t.phase != phaseWaiting:
		return 0, ErrRunnable
	}
	t.prio, t.place = int8(arg>>hintPrioAt), c.placeHere(Affinity(arg))
	return 0, nil
}

// existsElsewhere is Exists for an object of another rank, and for an EDT that another rank has named.
func (c *Ctx) existsElsewhere(g guid.GUID) bool {
	if own, ok := c.localName(g); ok {
		return c.Exists(own)
	}
	if c.isAway(g, guid.KindEDT) || c.isAway(g, guid.KindEvent) || c.isAway(g, guid.KindBlock) {
		return !c.isUnnamed(g) && c.queryAway("exists", queryExists, g, 0) != 0
	}
	return false
}

// newBlockOn makes a block on another rank, near to a worker there.
func (c *Ctx) newBlockOn(rank int, op string, size int, near Affinity) guid.GUID {
	lo := c.askRank(op, rank, queryNewBlock, guid.FromWords(0, uint64(size)), uint64(near))
	return guid.FromWords(c.g.space.Of(rank).High(uint8(guid.KindBlock)), lo)
}
