package edt

import (
	"sync"

	"ocr/guid"
	"ocr/internal/rank"
)

// A rank names what it creates on another one by names that it has in stock: their home has reserved records for it,
// and has sent their names, many in one message. An event is made when it is reserved, so that to create it takes no
// message. An EDT is made when CREATE comes; until then its record is of no EDT, see ids.Header.Reserve. An event
// should live on the rank of the EDTs that wait for it. docs/ranks.md has more.

// A message brings names of one sort: firstBatch in the first, four times as many in each one that follows, up to
// lastBatch. The rank asks for more when it has half a batch left.
const (
	firstBatch = 64
	lastBatch  = 4096
)

// A named is a sort of object: EDTs, the zero value, or events of a type that begin with a count.
type named struct {
	typ   EventType
	count int64
}

// stocks are the names of objects on other ranks that this one may give.
//
// Concurrency: all under mu. The courier adds names, workers take them.
type stocks struct {
	mu sync.Mutex
	by []stocksOf // by rank
}

type stocksOf struct {
	refused bool // that rank has ended the run
	all     []stockOf
}

// A stockOf has names of one sort. A program has few sorts, so they are searched one by one.
type stockOf struct {
	named
	names []uint64 // low GUID words
	batch int      // the size of the latest batch
	asked bool     // which has not come yet
}

func (h *stocksOf) of(k named) *stockOf {
	for n := range h.all {
		if s := &h.all[n]; s.named == k {
			return s
		}
	}
	h.all = append(h.all, stockOf{named: k, batch: firstBatch / 4})
	return &h.all[len(h.all)-1]
}

// createPlaced creates an event on another rank.
func (c *Ctx) createPlaced(home int, k named) guid.GUID {
	if c.watched { // its home reports it, on behalf of this EDT
		return c.query("create event", home, queryNewPlaced, guid.Null, uint64(k.typ), uint64(k.count))
	}
	c.n.EventCreated++
	return guid.FromWords(c.g.space.Of(home).High(uint8(guid.KindEvent)), c.takeName(home, k))
}

// nameEDT names an EDT that is to be created on another rank. It returns the number of its record there too.
func (c *Ctx) nameEDT(home int) (edt guid.GUID, record uint64) {
	lo := c.takeName(home, named{})
	return guid.FromWords(c.g.space.Of(home).High(uint8(guid.KindEDT)), lo), uint64(uint32(lo))
}

// takeName takes the low GUID word of a name, and waits for one if there is none. It is 0 if the home has ended the
// run.
func (c *Ctx) takeName(home int, k named) uint64 {
	for n := 0; ; n++ {
		lo, batch, ok := c.g.away.names.take(home, k)
		if batch > 0 {
			m := &rank.Message{Kind: msgQuery} // without a ticket
			m.Words[0], m.Words[3] = queryNames, uint64(k.typ)
			m.Tail = appendWords(nil, uint64(k.count), uint64(batch))
			c.sendTo(home, m)
		}
		if ok {
			return lo
		}
		c.awaitMessage(n)
	}
}

// take takes a name, 0 if the home has ended the run. If batch is not 0 the caller must ask for as many more.
func (n *stocks) take(home int, k named) (lo uint64, batch int, ok bool) {
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
		s.batch, s.asked = min(4*s.batch, lastBatch), true
		batch = s.batch
	}
	return lo, batch, ok
}

// reserve reserves records for another rank, and puts their names into the answer.
func (c *Ctx) reserve(m, answer *rank.Message) {
	t, words := EventType(m.Words[3]), appendFrom(nil, m.Tail, 2)
	count, batch := words[0], words[1]
	answer.Words[0], answer.Words[3] = batch, uint64(t)
	answer.Tail = appendWords(answer.Tail, count)
	for range batch {
		lo := uint64(0)
		if t == 0 {
			lo = c.reserveEDT()
		} else {
			_, lo = c.newEventNear(t, int64(count), 0).Words()
			c.n.EventCreated-- // the rank that takes the name counts the event
		}
		answer.Tail = appendWords(answer.Tail, lo)
	}
}

// reserveEDT reserves a record for an EDT that another rank will create, and returns the low word of its name.
func (c *Ctx) reserveEDT() uint64 {
	i := c.edts.Get()
	if i == 0 {
		c.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	k := c.edts.At(i)
	lo := k.Low(i)
	k.phase = phaseFree // it may be left from an earlier run
	k.Reserve()
	return lo
}

// add takes names that have come; none are come if their home has ended the run.
func (n *stocks) add(home int, m *rank.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := &n.by[home]
	if m.Words[0] == 0 {
		h.refused = true
		return
	}
	words := appendFrom(nil, m.Tail, 1+int(m.Words[0]))
	s := h.of(named{EventType(m.Words[3]), int64(words[0])})
	s.names = append(s.names, words[1:]...)
	s.asked = false
}

// leaveOut takes events whose names were never given from what is left of a run.
func (n *stocks) leaveOut(count map[Leak]int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for home := range n.by {
		for _, s := range n.by[home].all {
			if s.typ != 0 {
				count[Leak{Kind: guid.KindEvent, Template: s.typ.String(), On: rankName(home)}] -= len(s.names)
			}
		}
	}
}

// tooEarly reports whether g names an EDT that another rank creates here, and that has not come yet.
func (c *Ctx) tooEarly(g guid.GUID) bool {
	hi, lo := g.Words()
	return hi == c.highEDT && c.g.edts.Reserved(lo)
}
