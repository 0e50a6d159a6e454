package edt

import (
	goruntime "runtime"
	"slices"
	"time"

	"ocr/guid"
	"ocr/internal/rank"
)

// A query has another rank make a call, and waits for what that returns. Meanwhile the worker handles messages, but
// runs no EDT. Handlers never wait, so the answer comes as soon as the other rank looks.

// The words of a query are what is asked, the object's GUID, an argument and the ticket. Those of its answer:
const (
	answerGUID   = 0 // what the call returns; a number is in the low word
	answerError  = 2 // one more than the number of a condition: the call was a misuse
	answerDetail = 3 // bytes of text of that, in the tail
	wordTicket   = 4 // one more than the number of the worker that waits
)

// queries are the calls. The courier of the rank that is asked makes them. Arguments are a GUID, or a number in its low
// word, and a number; what is in a tail is appended to words.
var queries = [...]func(c *Ctx, g guid.GUID, arg uint64, tail []byte) guid.GUID{
	queryExists: func(c *Ctx, g guid.GUID, _ uint64, _ []byte) guid.GUID { return yes(c.Exists(g)) },
	queryNewBlock: func(c *Ctx, n guid.GUID, at uint64, _ []byte) guid.GUID {
		return c.NewBlockNear(int(low(n)), Affinity(at))
	},
	queryEventType: func(c *Ctx, g guid.GUID, _ uint64, _ []byte) guid.GUID {
		_, e := c.event("add dependence", g, ErrStale)
		return number(uint64(e.typ))
	},
	queryNewPlaced: func(c *Ctx, _ guid.GUID, t uint64, tail []byte) guid.GUID {
		return c.newEventNear(EventType(t), int64(appendFrom(nil, tail, 1)[0]), 0)
	},
}

func number(n uint64) guid.GUID { return guid.FromWords(0, n) }

// yes is number for an answer that is yes, 1, or no, 0.
func yes(is bool) guid.GUID {
	if is {
		return number(1)
	}
	return guid.Null
}

// query asks a rank, and returns the answer. If that is that the call is a misuse it ends the run.
func (c *Ctx) query(op string, to int, what uint64, g guid.GUID, arg uint64, tail ...uint64) guid.GUID {
	r := c.g.away
	m := &rank.Message{Kind: msgQuery, Tail: appendWords(nil, tail...)}
	m.Words[0], m.Words[3] = what, arg
	putGUID(m, 1, g)
	k := c.worker - c.g.firstWorker()
	m.Words[wordTicket] = uint64(k) + 1
	c.sendTo(to, m)
	answer := r.answers[k].Swap(nil)
	for n := 0; answer == nil; n++ {
		c.awaitMessage(n)
		answer = r.answers[k].Swap(nil)
	}
	if n := answer.Words[answerError]; n != 0 {
		c.misuse(op, conditions[n-1], g, "%s", answer.Tail[:answer.Words[answerDetail]])
	}
	return getGUID(answer, answerGUID)
}

// awaitMessage has messages handled while an EDT waits for one, which it has done in vain so many times.
func (c *Ctx) awaitMessage(before int) {
	r := c.g.away
	if r.config.Wait != nil {
		r.config.Wait()
		return
	}
	c.g.poll(c.host, 1)
	switch {
	case r.engine.Arrived():
	case before < awaitSpins:
		goruntime.Gosched()
	default: // the rank that is to answer may need the processor
		time.Sleep(awaitPause)
	}
}

// An EDT that waits for a message looks so often before it pauses between two looks.
const (
	awaitSpins = 100
	awaitPause = 20 * time.Microsecond
)

// handleQuery answers a query.
func (c *Ctx) handleQuery(m *rank.Message) bool {
	g := getGUID(m, 1)
	if c.tooEarly(g) {
		return false
	}
	answer := &rank.Message{Kind: msgAnswer}
	answer.Words[wordTicket] = m.Words[wordTicket]
	if what := m.Words[0]; what == queryNames {
		c.reserve(m, answer)
	} else {
		c.answer(what, g, m, answer)
	}
	c.sendTo(c.from, answer)
	return true
}

// answer makes the call that a query is for.
func (c *Ctx) answer(what uint64, g guid.GUID, m, answer *rank.Message) {
	defer func() {
		if r := c.refused; r != nil {
			recover()
			c.refused = nil
			answer.Words[answerError] = uint64(slices.Index(conditions, r.cause)) + 1
			answer.Words[answerDetail], answer.Tail = uint64(len(r.detail)), []byte(r.detail)
		}
	}()
	putGUID(answer, answerGUID, queries[what](c, g, m.Words[3], m.Tail))
}

// A refusal is a misuse that is found while a query is answered. The rank that asks knows the line of the call: it
// reports the misuse.
type refusal struct {
	cause  *Condition
	detail string
}

// refuse leaves the call that a query is for, if that is what is carried out.
func (c *Ctx) refuse(cause *Condition, detail string) {
	if c.message.Kind == msgQuery && c.behalf == nil {
		c.refused = &refusal{cause, detail}
		panic(c.refused)
	}
}

// handleAnswer takes an answer for which an EDT waits, or names that may be given to objects.
func (c *Ctx) handleAnswer(m *rank.Message) {
	ticket := m.Words[wordTicket]
	if ticket == 0 {
		c.g.away.names.add(c.from, m)
		return
	}
	kept := *m
	kept.Tail = slices.Clone(m.Tail)
	c.g.away.answers[ticket-1].Store(&kept)
}

// answerNothing answers a query on which this rank has ended the run: the EDT that asked must come to its end.
func (c *Ctx) answerNothing(from int, m *rank.Message) {
	answer := &rank.Message{Kind: msgAnswer}
	answer.Words[wordTicket] = m.Words[wordTicket]
	c.sendTo(from, answer)
}
