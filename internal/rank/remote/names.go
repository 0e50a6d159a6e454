package remote

import (
	"fmt"
	"sync"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// A rank names what it creates on another one by names that it has in stock: their home has reserved records for it,
// and has sent their names, many in one message. An event is made when it is reserved, so that to create it takes no
// message. An EDT is made when CREATE comes; until then its record is of no EDT.

// A message brings names of one sort: firstBatch in the first, four times as many in each one that follows, up to
// lastBatch. The rank asks for more when it has half a batch left.
const (
	firstBatch = 64
	lastBatch  = 4096
)

// wordBatch is the word of ANSWER that has the number of names; words 0 and 1 have their sort.
const wordBatch = 2

// A named is a sort of object: EDTs, the zero value, or events of a type that begin with a count.
type named struct {
	typ   edt.EventType
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

// takeName takes the low GUID word of a name, and waits for one if there is none. It is 0 if the home has ended the
// run.
func (p *Part) takeName(c *edt.Ctx, home int, k named) uint64 {
	for n := 0; ; n++ {
		lo, batch, ok := p.names.take(home, k)
		if batch > 0 {
			m := about(msgAsk, guid.FromWords(uint64(k.typ), uint64(k.count)), guid.Null, uint64(batch))
			p.send(c, home, m)
		}
		if ok {
			return lo
		}
		p.Wait(c, n)
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
func (p *Part) reserve(m, answer *rank.Message) {
	t, count, batch := edt.EventType(m.Words[0]), m.Words[1], m.Words[wordThird]
	answer.Words = [7]uint64{uint64(t), count, wordBatch: batch}
	for range batch {
		lo := uint64(0)
		if t == 0 {
			lo = p.courier.ReserveEDT()
		} else {
			lo = low(p.courier.Do(edt.Act{Kind: edt.ActNewEvent, On: guid.FromWords(0, count), Slot: edt.RemoteSlot(t)}))
			p.courier.Counters().EventCreated-- // the rank that takes the name counts the event
		}
		answer.Tail = appendWords(answer.Tail, lo)
	}
}

// add takes names that have come; none are come if their home has ended the run.
func (n *stocks) add(home int, m *rank.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	h, batch, tail := &n.by[home], m.Words[wordBatch], reader(m.Tail)
	if batch == 0 {
		h.refused = true
		return
	}
	s := h.of(named{edt.EventType(m.Words[0]), int64(m.Words[1])})
	for range batch {
		s.names = append(s.names, tail.word())
	}
	s.asked = false
}

// unused lists the events whose names were never given, which are not the program's, as leaks to be taken off.
func (p *Part) unusedNames() (all []edt.Leak) {
	n := &p.names
	n.mu.Lock()
	defer n.mu.Unlock()
	for home := range n.by {
		for _, s := range n.by[home].all {
			if s.typ != 0 {
				all = append(all, edt.Leak{
					Kind: guid.KindEvent, Template: s.typ.String(), On: fmt.Sprintf("rank %d", home), Count: -len(s.names),
				})
			}
		}
	}
	return all
}
