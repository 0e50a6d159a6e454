package remote

import (
	goruntime "runtime"
	"slices"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// A query has another rank make a call, and waits for what that returns. Meanwhile the worker handles messages, but
// runs no EDT. Handlers never wait, so the answer comes as soon as the other rank looks.
type query struct {
	what   uint64
	object guid.GUID
	words  [3]uint64
}

// What is asked.
const (
	askExists uint64 = iota + 1
	askNewBlock
	askNewEvent
	askEventType
	askNames // to be given later: no EDT waits for the answer, see names.go
)

// The words of ASK are the object's GUID, what is asked, and the ticket: one more than the number of the worker that
// waits, 0 for none. The query's words are in its tail. Those of ANSWER, if an EDT waits:
const (
	answerGUID   = 0 // what the call returns; a number is in the low word
	answerError  = 2 // one more than the number of a condition: the call was a misuse
	answerDetail = 3 // bytes of text of that, in the tail
	wordWhat     = 2
	wordTicket   = 4
)

func (q *query) message(ticket uint64) *rank.Message {
	m := &rank.Message{Kind: msgAsk, Tail: appendWords(nil, q.words[:]...)}
	putGUID(m, 0, q.object)
	m.Words[wordWhat], m.Words[wordTicket] = q.what, ticket
	return m
}

func queryIn(m *rank.Message) (q query) {
	q.what, q.object = m.Words[wordWhat], getGUID(m, 0)
	tail := reader(m.Tail)
	for n := range q.words {
		q.words[n] = tail.word()
	}
	return q
}

// call makes the call that a query is for, on the courier.
func (q *query) call(h edt.Home) guid.GUID {
	switch q.what {
	case askExists:
		if h.Exists(q.object) {
			return number(1)
		}
		return number(0)
	case askNewBlock:
		return h.NewBlockNear(int(q.words[0]), edt.Affinity(q.words[1]))
	case askNewEvent:
		return h.NewEventOf(edt.EventType(q.words[0]), int64(q.words[1]))
	}
	return number(uint64(h.EventType("add dependence", q.object)))
}

func number(n uint64) guid.GUID { return guid.FromWords(0, n) }

func low(g guid.GUID) uint64 {
	_, lo := g.Words()
	return lo
}

// ask asks a rank, and returns the answer. If that is that the call is a misuse it ends the run.
func (p *Part) ask(c *edt.Ctx, op string, to int, q query) guid.GUID {
	h := edt.Home{Ctx: c}
	p.send(c, to, q.message(uint64(h.Number())+1))
	own := p.own(c)
	answer := own.answer.Swap(nil)
	for n := 0; answer == nil; n++ {
		p.Wait(c, n)
		answer = own.answer.Swap(nil)
	}
	if n := answer.Words[answerError]; n != 0 {
		h.Misuse(op, h.Conditions()[n-1], q.object, "%s", answer.Tail[:answer.Words[answerDetail]])
	}
	return getGUID(answer, answerGUID)
}

// Exists implements [edt.Remote].
func (p *Part) Exists(c *edt.Ctx, g guid.GUID) bool {
	return low(p.ask(c, "exists", g.Home(), query{what: askExists, object: g})) != 0
}

// EventType implements [edt.Remote].
func (p *Part) EventType(c *edt.Ctx, op string, g guid.GUID) edt.EventType {
	return edt.EventType(low(p.ask(c, op, g.Home(), query{what: askEventType, object: g})))
}

// NewBlock implements [edt.Remote].
func (p *Part) NewBlock(c *edt.Ctx, op string, size int, near edt.Affinity) guid.GUID {
	to := near.Worker() / (c.Workers() / p.size)
	return p.ask(c, op, to, query{what: askNewBlock, words: [3]uint64{uint64(size), uint64(near)}})
}

// An EDT that waits for a message looks so often before it pauses between two looks.
const (
	awaitSpins = 100
	awaitPause = 20 * time.Microsecond
)

// Wait implements [edt.Remote].
func (p *Part) Wait(c *edt.Ctx, n int) {
	if p.Await != nil {
		p.Await()
		return
	}
	edt.Home{Ctx: c}.Receive(1)
	switch {
	case p.Engine.Arrived():
	case n < awaitSpins:
		goruntime.Gosched()
	default: // the rank that is to answer may need the processor
		time.Sleep(awaitPause)
	}
}

// handleAsk answers a query.
func (p *Part) handleAsk(m *rank.Message) bool {
	q := queryIn(m)
	if p.courier.Reserved(q.object) {
		return false
	}
	answer := answerTo(m)
	p.asks = m
	if q.what == askNames {
		p.reserve(&q, answer)
		answer.Words[wordTicket] = 0
	} else {
		cause, detail := p.courier.Try(func() { putGUID(answer, answerGUID, q.call(p.courier)) })
		if cause != nil {
			answer.Words[answerError] = uint64(slices.Index(p.courier.Conditions(), cause)) + 1
			answer.Words[answerDetail], answer.Tail = uint64(len(detail)), []byte(detail)
		}
	}
	p.asks = nil
	p.send(p.courier.Ctx, p.caller.From, answer)
	return true
}

func answerTo(m *rank.Message) *rank.Message {
	return &rank.Message{Kind: msgAnswer, Words: [7]uint64{wordTicket: m.Words[wordTicket]}}
}

// answerNothing answers a query on which this rank has ended the run: the EDT that asked must come to its end.
func (p *Part) answerNothing(from int, m *rank.Message) { p.send(p.courier.Ctx, from, answerTo(m)) }

// handleAnswer takes an answer for which an EDT waits, or names that may be given to objects.
func (p *Part) handleAnswer(m *rank.Message) {
	ticket := m.Words[wordTicket]
	if ticket == 0 {
		p.names.add(p.caller.From, m)
		return
	}
	kept := *m
	kept.Tail = slices.Clone(m.Tail)
	p.locals[ticket-1].answer.Store(&kept)
}
