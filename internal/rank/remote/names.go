package remote

import (
	"fmt"
	"slices"
	"sync"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// A rank names what it creates on another rank by names in stock. The home has reserved records and sent their names,
// many in one message. The home creates an event when it reserves the record, so that its creation takes no message. It
// creates an EDT when CREATE comes; until then the record has no EDT.

// A message brings names of one sort: firstBatch names at first, then each time four times as many, up to lastBatch.
// The rank asks for more when at most half a batch is left.
const (
	firstBatch = 64
	lastBatch  = 4096
)

// wordBatch is the word of ANSWER that has the number of names; words 0 and 1 have their sort.
const wordBatch = 2

// A named is a sort of object: EDTs (the zero value), or events of one type with one initial count.
type named struct {
	typ   edt.EventType
	count int64
}

// stocks has the names that this rank may give to objects on other ranks.
//
// Concurrency: all under mu. The courier adds names, workers take them.
type stocks struct {
	mu sync.Mutex
	by []stocksOf // by rank
}

type stocksOf struct {
	refused bool // the home has ended the run
	all     []stockOf
}

// mostSorts: with so many sorts in stock from one home, a rank starts no stock of a further sort that has a count, but
// has each event made by ASK. A program may have a sort for each event, and a stock begins with firstBatch names. Sorts
// without a count are few.
const mostSorts = 16

// keeps reports whether names of a sort of events may be in stock.
func (n *stocks) keeps(home int, k named) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.by[home].all
	return k.count == 0 || len(all) < mostSorts || slices.ContainsFunc(all, func(s stockOf) bool { return s.named == k })
}

// A stockOf has names of one sort.
type stockOf struct {
	named
	names []uint64 // low GUID words
	batch int      // the size of the latest batch
	asked bool     // a further batch is on its way
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

// takeName takes a name from a stock, and waits for more if the stock is empty. It returns the low GUID word, 0 if the
// home has ended the run.
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

// take takes a name from the stock. ok is false if there is none; the name is 0 if the home has ended the run. If batch
// is not 0, the caller must ask the home for batch more names.
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

// add adds the names that have come. A message without names says that the home has ended the run.
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

// unusedNames lists the events whose names were never given, with negative counts: they are no leaks of the program.
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
