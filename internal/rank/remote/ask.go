package remote

import (
	goruntime "runtime"
	"slices"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// The words of ASK are those of an act, but in place of the second GUID are the kind of the act and a ticket: 1 + the
// index of the worker that waits, or 0 if the answer is names for a stock. ANSWER has a GUID or names, and the ticket
// of ASK.
const (
	wordWhat   = 2
	wordTicket = 3
)

// askNames is the kind of an ASK for names. The answer goes to a stock, not to an EDT; see names.go.
const askNames = 0

// Ask implements [edt.Remote]: the EDT waits for the answer. Meanwhile its worker handles messages, but runs no EDT.
// Handlers never wait, so the answer comes as soon as the other rank looks. The answer is Null if that rank has ended
// the run. If nothing watches the run, a new event of a sort that may be in stock takes a name from there, without ASK.
// If the home has ended the run, no event has that name.
func (p *Part) Ask(c *edt.Ctx, to int, a edt.Act) guid.GUID {
	h := edt.Home{Ctx: c}
	if a.Kind == edt.ActNewEvent && !h.Watched() { // otherwise the home reports the creation, on behalf of this EDT
		if sort := (named{edt.EventType(a.Slot), int64(low(a.On))}); p.names.keeps(to, sort) {
			h.Counters().EventCreated++
			return p.name(to, guid.KindEvent, p.takeName(c, to, sort))
		}
	}
	m := about(msgAsk, a.On, guid.Null, uint64(a.Slot))
	m.Words[wordWhat], m.Words[wordTicket] = uint64(a.Kind), uint64(h.Number())+1
	p.send(c, to, m)
	own := p.own(c)
	answer := own.answer.Swap(nil)
	for n := 0; answer == nil; n++ {
		p.Wait(c, n)
		answer = own.answer.Swap(nil)
	}
	return getGUID(answer, 0)
}

func low(g guid.GUID) uint64 {
	_, lo := g.Words()
	return lo
}

// An EDT that waits for a message looks for it awaitSpins times; then it sleeps for awaitPause between two looks.
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

// handleAsk answers ASK. If the act is a misuse the run ends here, and leaveMessage answers.
func (p *Part) handleAsk(m *rank.Message) bool {
	a := edt.Act{Kind: edt.ActKind(m.Words[wordWhat]), On: getGUID(m, 0), Slot: edt.RemoteSlot(m.Words[wordThird])}
	if p.courier.Reserved(a.On) {
		return false
	}
	answer := answerTo(m)
	p.asks = m
	if a.Kind == askNames {
		p.reserve(m, answer)
	} else {
		putGUID(answer, 0, p.courier.Do(a))
	}
	p.asks = nil
	p.send(p.courier.Ctx, p.caller.From, answer)
	return true
}

func answerTo(m *rank.Message) *rank.Message {
	return &rank.Message{Kind: msgAnswer, Words: [7]uint64{wordTicket: m.Words[wordTicket]}}
}

// handleAnswer takes an answer for which an EDT waits, or names for a stock.
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
