package edt

import (
	"sync"

	"ocr/guid"
	"ocr/internal/rank"
)

// An event should live on the rank of the EDTs that wait for it. A rank makes events in advance for others, and sends
// their names, many in one message. To create an event there then takes a name, and no message. docs/ranks.md has more.

// A message brings names of one kind of event: firstBatch in the first, twice as many in each one that follows, up to
// lastBatch. The rank asks for more when it has half a batch left.
const (
	firstBatch = 8
	lastBatch  = 64
)

// A placedEvent is a kind of event: its type, and the count that it begins with.
type placedEvent struct {
	typ   EventType
	count int64
}

// placedEvents are the names of events on other ranks that this one may give to events.
//
// Concurrency: all under mu. The courier adds names, workers take them.
type placedEvents struct {
	mu sync.Mutex
	by []placedHome // by rank
}

type placedHome struct {
	refused bool // that rank has ended the run
	stocks  []nameStock
}

// A nameStock has names of one kind. A program has few kinds, so they are searched one by one.
type nameStock struct {
	placedEvent
	names []uint64 // low GUID words
	batch int      // the size of the latest batch
	asked bool     // which has not come yet
}

func (h *placedHome) of(k placedEvent) *nameStock {
	for n := range h.stocks {
		if s := &h.stocks[n]; s.placedEvent == k {
			return s
		}
	}
	h.stocks = append(h.stocks, nameStock{placedEvent: k, batch: firstBatch / 2})
	return &h.stocks[len(h.stocks)-1]
}

// createPlaced creates an event on another rank.
func (c *Ctx) createPlaced(home int, k placedEvent) guid.GUID {
	if c.watched { // its home reports it, on behalf of this EDT
		return c.query("create event", home, queryNewPlaced, guid.Null, uint64(k.typ), uint64(k.count))
	}
	c.n.EventCreated++
	high := c.g.space.Of(home).High(uint8(guid.KindEvent))
	for {
		lo, batch, ok := c.g.away.placed.take(home, k)
		if batch > 0 {
			m := &rank.Message{Kind: msgQuery} // without a ticket
			m.Words[0], m.Words[3] = queryNames, uint64(k.typ)
			m.Tail = appendWords(nil, uint64(k.count), uint64(batch))
			c.sendTo(home, m)
		}
		if ok {
			return guid.FromWords(high, lo)
		}
		c.awaitMessage()
	}
}

// take takes a name, 0 if the home has ended the run. If batch is not 0 the caller must ask for as many more.
func (n *placedEvents) take(home int, k placedEvent) (lo uint64, batch int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := &n.by[home]
	s := h.of(k)
	if last := len(s.names) - 1; last >= 0 {
		lo, s.names = s.names[last], s.names[:last]
		ok = true
	} else if h.refused {
		return 0, 0, true
	}
	if !s.asked && !h.refused && len(s.names) <= s.batch/2 {
		s.batch, s.asked = min(2*s.batch, lastBatch), true
		batch = s.batch
	}
	return lo, batch, ok
}

// nameEvents makes events for another rank, and puts their names into the answer.
func (c *Ctx) nameEvents(m, answer *rank.Message) {
	t, words := EventType(m.Words[3]), appendFrom(nil, m.Tail, 2)
	count, batch := words[0], words[1]
	answer.Words[0], answer.Words[3] = batch, uint64(t)
	answer.Tail = appendWords(answer.Tail, count)
	for range batch {
		_, lo := c.newEventNear(t, int64(count), 0).Words()
		answer.Tail = appendWords(answer.Tail, lo)
	}
	c.n.EventCreated -= batch // the rank that takes a name counts the event
}

// add takes names that have come; none are come if their home has ended the run.
func (n *placedEvents) add(home int, m *rank.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := &n.by[home]
	if m.Words[0] == 0 {
		h.refused = true
		return
	}
	words := appendFrom(nil, m.Tail, 1+int(m.Words[0]))
	s := h.of(placedEvent{EventType(m.Words[3]), int64(words[0])})
	s.names = append(s.names, words[1:]...)
	s.asked = false
}

// leaveOut takes names that were never given to an event from what is left of a run.
func (n *placedEvents) leaveOut(count map[Leak]int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for home := range n.by {
		for _, s := range n.by[home].stocks {
			count[Leak{Kind: guid.KindEvent, Template: s.typ.String(), On: rankName(home)}] -= len(s.names)
		}
	}
}
