package rank

import (
	"slices"
	"sync/atomic"

	"ocr/internal/core/word"
)

// An Order sends one rank's messages through an engine in causal order. An engine keeps the order between two ranks
// only. Suppose that rank A sends m1 to H and then m2 to X, and that X, after m2, sends m3 to H: H must handle m1
// before m3. So Order holds a message to X back until all ranks but X have handled the earlier strong messages of this
// rank. A message is strong if a rank other than its receiver may rely on its effect. The README of package remote has
// the argument.
//
// So at most one rank still has strong messages of this rank to handle. Until it has handled them, the engine gets
// messages to further ranks only by SendNow.
//
// Concurrency: the goroutine that has the turn owns all fields, and the engine gets one message at a time. Any
// goroutine may load waiting (the number of held messages) and sent (the number of calls of Send).
type Order struct {
	engine  Engine
	waiting atomic.Int64
	sent    uint64

	turn  turn
	to    int           // the rank of the last strong message
	last  uint64        // the engine's number of that message
	held  []heldMessage // held[:first] were sent
	first int
	next  Message // Send's copy for the engine, so that the caller's message can stay on the stack
}

type heldMessage struct {
	to     int
	strong bool
	m      Message
}

// NewOrder returns the Order of an engine's rank.
func NewOrder(e Engine) *Order { return &Order{engine: e} }

// Send sends a message, or holds it back until the causal order allows it. If one call returns before another begins,
// their messages are sent in this order.
func (o *Order) Send(to int, m *Message, strong bool) {
	o.turn.take()
	word.Publish(&o.sent, o.sent+1)
	if o.holds(to) {
		o.hold(to, m, strong)
	} else {
		o.next = *m
		o.give(to, &o.next, strong)
	}
	o.turn.leave()
}

// holds reports whether a message must be held back. In a job of two ranks it is always false.
func (o *Order) holds(to int) bool { return len(o.held) != 0 || !o.mayGo(to) }

func (o *Order) hold(to int, m *Message, strong bool) {
	kept := heldMessage{to, strong, *m}
	kept.m.Tail = slices.Clone(m.Tail)
	o.held = append(o.held, kept)
	o.waiting.Store(int64(len(o.held) - o.first))
}

// mayGo reports whether all ranks but the receiver have handled the strong messages that were sent to them.
func (o *Order) mayGo(to int) bool {
	return to == o.to || o.last == 0 || o.engine.Handled(o.to) >= o.last
}

func (o *Order) give(to int, m *Message, strong bool) {
	o.engine.Send(to, m)
	if strong {
		o.to, o.last = to, o.engine.Sent(to)
	}
}

// Go sends the messages that no longer need to be held back. Goroutines that poll call it.
func (o *Order) Go() {
	if o.Held() {
		o.letGo()
	}
}

func (o *Order) letGo() {
	o.turn.take()
	defer o.turn.leave()
	for ; o.first < len(o.held) && o.mayGo(o.held[o.first].to); o.first++ {
		h := &o.held[o.first]
		o.give(h.to, &h.m, h.strong)
		h.m.Tail = nil
	}
	if o.first > len(o.held)/2 {
		o.held, o.first = slices.Delete(o.held, 0, o.first), 0
	}
	o.waiting.Store(int64(len(o.held) - o.first))
}

// SendNow sends a message without waiting for those that are held back. It is for control messages of the run, on which
// no other message depends. Sent does not count it.
func (o *Order) SendNow(to int, m *Message) {
	o.turn.take()
	defer o.turn.leave()
	o.next = *m
	o.give(to, &o.next, false)
}

// Held reports whether messages are held back.
func (o *Order) Held() bool { return o.waiting.Load() != 0 }

// Sent returns how often Send was called.
func (o *Order) Sent() uint64 { return atomic.LoadUint64(&o.sent) }
