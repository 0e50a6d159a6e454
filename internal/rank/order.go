package rank

import (
	"slices"
	"sync"
	"sync/atomic"

	"ocr/internal/relaxed"
)

// An Order is how one rank sends: through an engine, in an order that respects causes. An engine keeps
// the order of two ranks only. With three, A may tell H something and then X, and X tells H
// something that follows from that: H must not get the second first. So a message to X is held back until every earlier
// strong message of this rank to other ranks has been handled. Strong is what another rank may rely on
// being done. docs/ranks.md has the argument.
//
// Concurrency: all under mu, so that the numbers of numbered messages are in the order in which the engine gets
// them. waiting is the length of held, and sent how often Send was called, for those that look without mu.
type Order struct {
	engine  Engine
	waiting atomic.Int64
	sent    uint64

	mu      sync.Mutex
	strong  []uint64 // by rank, the engine's number of the last strong message to it
	serial  []uint64 // by rank, of the numbered messages
	held    []heldMessage
	traffic []Traffic // by rank, what was given to the engine
	next    Message   // what the engine is given: so the message of a caller need not be on the heap
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
	return &Order{engine: e, strong: make([]uint64, e.Size()), serial: make([]uint64, e.Size()), traffic: make([]Traffic, e.Size())}
}

// Send sends a message, now or when it may go. The order of two calls is that of their messages, if one returns
// before the other begins.
func (o *Order) Send(to int, m *Message, strong bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(to, m, strong)
}

// SendNumbered is Send for a message of which its receiver counts how many have come. It returns how many went to the rank
// before it.
func (o *Order) SendNumbered(to int, m *Message, strong bool) (number uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	number = o.serial[to]
	o.serial[to]++
	o.send(to, m, strong)
	return number
}

func (o *Order) send(to int, m *Message, strong bool) {
	relaxed.Store64(&o.sent, o.sent+1)
	if len(o.held) == 0 && o.mayGo(to) {
		o.pass(to, m, strong)
		return
	}
	kept := heldMessage{to, strong, *m}
	kept.m.Tail = slices.Clone(m.Tail)
	o.held = append(o.held, kept)
	o.waiting.Store(int64(len(o.held)))
}

// mayGo reports whether no other rank has yet to handle a strong message. Of two ranks there is no other one.
func (o *Order) mayGo(to int) bool {
	if len(o.strong) == 2 {
		return true
	}
	for r, last := range o.strong {
		if r != to && last != 0 && o.engine.Handled(r) < last {
			return false
		}
	}
	return true
}

func (o *Order) pass(to int, m *Message, strong bool) {
	o.give(to, m)
	if strong {
		o.strong[to] = o.engine.Sent(to)
	}
}

func (o *Order) give(to int, m *Message) {
	o.next = *m
	o.engine.Send(to, &o.next)
	t := &o.traffic[to]
	t.Messages++
	t.Bytes += 8*uint64(m.Count) + uint64(len(m.Tail))
}

// Traffic returns what went to each rank.
func (o *Order) Traffic() []Traffic {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.traffic)
}

// Go lets go what need not be held back any more. Whoever polls calls it.
func (o *Order) Go() {
	if o.Held() {
		o.letGo()
	}
}

func (o *Order) letGo() {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for n < len(o.held) && o.mayGo(o.held[n].to) {
		h := &o.held[n]
		o.pass(h.to, &h.m, h.strong)
		n++
	}
	o.held = slices.Delete(o.held, 0, n)
	o.waiting.Store(int64(len(o.held)))
}

// SendNow sends a message past those that are held back: one that says how the run goes on, which they do not
// depend on. It is not counted.
func (o *Order) SendNow(to int, m *Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.give(to, m)
}

// Numbered is how many numbered messages were sent to a rank.
func (o *Order) Numbered(to int) uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.serial[to]
}

// Held reports whether messages are held back.
func (o *Order) Held() bool { return o.waiting.Load() != 0 }

// Sent is how many messages were given to Send.
func (o *Order) Sent() uint64 { return atomic.LoadUint64(&o.sent) }
