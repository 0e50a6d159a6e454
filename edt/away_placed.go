package edt

import (
	"sync"

	"ocr/guid"
	"ocr/internal/rank"
)

// An event should live on the rank of the EDTs that wait for it. A rank makes events in advance for others, and sends
// their names, many in one message. To create an event there then takes a name, and no message. docs/ranks.md has more.

// nameBatch is how many names of one type a message brings. The rank asks for more when half of them are left.
const nameBatch = 64

// placedTypes is how many types NewEventNear knows: those of NewEvent, with NoArg and without.
const placedTypes = 2 * (int(Sticky-Once) + 1)

// placedEvents are the names of events on other ranks that this one may give to events.
//
// Concurrency: all under mu. The courier adds names, workers take them.
type placedEvents struct {
	mu sync.Mutex
	by [][placedTypes]nameStore // by home
}

type nameStore struct {
	names   []uint64 // low GUID words
	asked   bool     // more are to come
	refused bool     // the home has ended the run
}

func placedIndex(t EventType) int { return int(t&typeMask-Once) + int(t/NoArg)*placedTypes/2 }

// NewEventNear is [Ctx.NewEvent] with an affinity hint: an event on the rank of a worker. It should be that of the EDTs
// that wait for the event: then they need no message to wait for it and to destroy it. With one rank the hint is
// ignored.
func (c *Ctx) NewEventNear(t EventType, a Affinity) guid.GUID {
	const op = "create event"
	c.checkPlace(op, a)
	home, ok := c.placedAway(a)
	if !ok {
		return c.NewEvent(t)
	}
	c.checkEventType(t)
	if c.watched { // its home reports it, on behalf of this EDT
		return c.query(op, home, queryNewPlaced, guid.Null, uint64(t))
	}
	return guid.FromWords(c.g.space.Of(home).High(uint8(guid.KindEvent)), c.nameElsewhere(home, t))
}

// nameElsewhere returns the low word of the name of a new event on another rank.
func (c *Ctx) nameElsewhere(home int, t EventType) uint64 {
	c.n.EventCreated++
	for {
		lo, ask, ok := c.g.away.placed.take(home, t)
		if ask {
			m := &rank.Message{Kind: msgQuery} // without a ticket
			m.Words[0], m.Words[3] = queryNames, uint64(t)
			c.sendTo(home, m)
		}
		if ok {
			return lo
		}
		c.awaitMessage()
	}
}

// take takes a name, 0 if the home has ended the run. ask says that the caller must ask for more.
func (n *placedEvents) take(home int, t EventType) (lo uint64, ask, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := &n.by[home][placedIndex(t)]
	if last := len(s.names) - 1; last >= 0 {
		lo, s.names = s.names[last], s.names[:last]
		ok = true
	} else if s.refused {
		return 0, false, true
	}
	ask = !s.asked && !s.refused && len(s.names) <= nameBatch/2
	s.asked = s.asked || ask
	return lo, ask, ok
}

// nameEvents makes events for another rank, and puts their names into the answer.
func (c *Ctx) nameEvents(t EventType, answer *rank.Message) {
	answer.Words[3] = uint64(t)
	for range nameBatch {
		i, e := c.allocEvent(t)
		answer.Tail = appendWords(answer.Tail, e.Low(i))
	}
	answer.Words[0] = nameBatch
	c.n.EventCreated -= nameBatch // the rank that takes a name counts the event
}

// add takes names that have come; none are come if their home has ended the run.
func (n *placedEvents) add(home int, m *rank.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m.Words[0] == 0 {
		for k := range n.by[home] {
			n.by[home][k].refused = true
		}
		return
	}
	s := &n.by[home][placedIndex(EventType(m.Words[3]))]
	s.names = appendFrom(s.names, m.Tail, int(m.Words[0]))
	s.asked = false
}

// leaveOut takes names that were never given to an event from what is left of a run: their homes have counted them.
func (n *placedEvents) leaveOut(count map[Leak]int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for home := range n.by {
		for k := range n.by[home] {
			t := Once + EventType(k%(placedTypes/2))
			count[Leak{Kind: guid.KindEvent, Template: t.String()}] -= len(n.by[home][k].names)
		}
	}
}
