package rank

import (
	"slices"
	"sync/atomic"

	"ocr/internal/core/relaxed"
)

// An Order is how one rank sends: through an engine, in an order that respects causes. An engine keeps
// the order of two ranks only. With three, A may tell H something and then X, and X tells H
// something that follows from that: H must not get the second first. So a message to X is held back until every earlier
// strong message of this rank to other ranks has been handled. Strong is what another rank may rely on
// being done. docs/ranks.md has the argument.
//
// Concurrency: all is of those who have the turn, so that the numbers of numbered messages are in the order in which
// the engine gets them. waiting is the length of held, and sent how often Send was called, for those that look without
// the turn.
type Order struct {
	engine  Engine
	waiting atomic.Int64
	sent    uint64

	turn    turn
	strong  []uint64 // by rank, the engine's number of the last strong message to it
	serial  []uint64 // by rank, of the numbered messages; anybody loads it
	held    []heldMessage
	traffic []Traffic // by rank, what was given to the engine
	next    Message   // what the engine is given by Send: so the message of a caller need not be on the heap
}

// Traffic is how many messages went to a rank, and the bytes of their words and tails.
type Traffic struct{ Messages, Bytes uint64 }

type heldMessage struct {
	to     int
	strong bool
	m      Message
}

// NewOrder makes the Order of an engine's rank.
func NewOrder(e Engine) *Order {
	return &Order{engine: e, strong: make([]uint64, e.Size()), serial: make([]uint64, e.Size()),
		traffic: make([]Traffic, e.Size())}
}

// Send sends a message, now or when it may go. The order of two calls is that of their messages, if one returns
// before the other begins.
func (o *Order) Send(to int, m *Message, strong bool) {
	o.turn.take()
	relaxed.Store64(&o.sent, o.sent+1)
	if o.holds(to) {
		o.hold(to, m, strong)
	} else {
		o.next = *m
		o.give(to, &o.next, strong)
	}
	o.turn.leave()
}

// SendNumbered is Send for a message, on the heap, of which its receiver counts how many have come. It returns how many
// went to the rank before it.
func (o *Order) SendNumbered(to int, m *Message, strong bool) (number uint64) {
	o.turn.take()
	number = o.serial[to]
	relaxed.Store64(&o.serial[to], number+1)
	relaxed.Store64(&o.sent, o.sent+1)
	if o.holds(to) {
		o.hold(to, m, strong)
	} else {
		o.give(to, m, strong)
	}
	o.turn.leave()
	return number
}

// holds reports whether a message must wait. Of two ranks none must.
func (o *Order) holds(to int) bool {
	return len(o.strong) != 2 && (len(o.held) != 0 || !o.mayGo(to))
}

func (o *Order) hold(to int, m *Message, strong bool) {
	kept := heldMessage{to, strong, *m}
	kept.m.Tail = slices.Clone(m.Tail)
	o.held = append(o.held, kept)
	o.waiting.Store(int64(len(o.held)))
}

// mayGo reports whether no other rank has yet to handle a strong message.
func (o *Order) mayGo(to int) bool {
	for r, last := range o.strong {
		if r != to && last != 0 && o.engine.Handled(r) < last {
			return false
		}
	}
	return true
}

func (o *Order) give(to int, m *Message, strong bool) {
	t := &o.traffic[to]
	t.Messages++
	t.Bytes += 8*uint64(m.Count) + uint64(len(m.Tail))
	o.engine.Send(to, m)
	if strong && len(o.strong) != 2 {
		o.strong[to] = o.engine.Sent(to)
	}
}

// Traffic returns what went to each rank.
func (o *Order) Traffic() []Traffic {
	o.turn.take()
	defer o.turn.leave()
	return slices.Clone(o.traffic)
}

// Go lets go what need not be held back any more. Whoever polls calls it.
func (o *Order) Go() {
	if o.Held() {
		o.letGo()
	}
}

func (o *Order) letGo() {
	o.turn.take()
	defer o.turn.leave()
	n := 0
	for n < len(o.held) && o.mayGo(o.held[n].to) {
		h := &o.held[n]
		o.give(h.to, &h.m, h.strong)
		n++
	}
	o.held = slices.Delete(o.held, 0, n)
	o.waiting.Store(int64(len(o.held)))
}

// SendNow sends a message past those that are held back: one that says how the run goes on, which they do not
// depend on. It is not counted.
func (o *Order) SendNow(to int, m *Message) {
	o.turn.take()
	defer o.turn.leave()
	o.next = *m
	o.give(to, &o.next, false)
}

// Numbered is how many numbered messages were sent to a rank.
func (o *Order) Numbered(to int) uint64 {
	return atomic.LoadUint64(&o.serial[to])
}

// Held reports whether messages are held back.
func (o *Order) Held() bool { return o.waiting.Load() != 0 }

// Sent is how many messages were given to Send.
func (o *Order) Sent() uint64 { return atomic.LoadUint64(&o.sent) }
