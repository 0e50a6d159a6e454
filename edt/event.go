package edt

import (
	"fmt"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/graph/record"
)

// An EventType says how often an event may be satisfied, when it triggers and how long it lives (OCR 1.2, §1.4.3).
type EventType uint8

const (
	// Once triggers when it is satisfied, and destroys itself. Dependences on it must be added before it triggers.
	Once EventType = iota + 1
	// Idempotent triggers when it is first satisfied; later satisfactions are ignored. It lives until it is destroyed.
	Idempotent
	// Sticky triggers when it is satisfied; satisfying it again is an error. A dependence added later is satisfied at
	// once. It lives until it is destroyed.
	Sticky
	// Latch counts: [Incr] up, [Decr] down. It triggers, and destroys itself,
	// when the count becomes zero. It carries no block.
	Latch
	// Counted is a sticky event that destroys itself once it is satisfied and has served the number of dependences
	// given at its creation (OCR extension B.4).
	Counted
	// Channel pairs its k-th satisfaction with its k-th dependence (OCR extension B.5). It lives until it is destroyed.
	Channel
	scopeEvent // a finish scope: programs never get its GUID
	scopeProxy // a proxy of a finish scope of another rank
)

// The order of the types matters to comparisons: the first satisfaction triggers an event of a type up to Sticky; a
// dependence on an event of a type up to Latch is counted nowhere, so one compare-and-swap adds it.

var eventNames = [...]string{"?", "once", "idempotent", "sticky", "latch", "counted", "channel", "finish scope",
	"finish scope of another rank"}

func (t EventType) String() string {
	if t >= Once && t <= scopeProxy {
		return eventNames[t]
	}
	return fmt.Sprintf("EventType(%d)", uint8(t))
}

// Slots of a latch event.
const (
	// Decr counts a latch down.
	Decr = 0
	// Incr counts a latch up.
	Incr = 1
)

// Unbounded, as the bound of a channel event, lets any number of satisfactions or dependences wait in it.
const Unbounded = 0

// An event is the record of an event, of a finish scope, or of a proxy of a finish scope.
//
// Concurrency: workers share head, count and index, as their types say. The creator writes the other fields before the
// GUID is known. A call that races with the event's destruction, which is a race of the program, may find another event
// in the record.
type event struct {
	ids.Header
	typ    EventType
	flags  uint8
	head   record.Head // scopeProxy: the number of tokens that it got
	count  record.Count
	out    uint64       // scope: low GUID word of the event to satisfy, 0 for none; scopeProxy: of its scope
	parent uint32       // scope: the enclosing scope
	index  record.Index // channel: its queues; scopeProxy: the rank of its scope
	owner  finishEDT
	memory uint64 // with eventMemory: low GUID word of the block
}

const (
	eventInner    = 1 << iota // see innerEvent
	eventExternal             // an external satisfies it
	eventMemory               // a scope with memory, or its output event; see NewScopeMemory

	// maxLatch bounds the initial count of a latch, so that no program can count far enough to overflow.
	maxLatch = 1 << 62
)

func (e *event) ring() record.Channel {
	return record.Channel{Head: &e.head, Queues: &e.index, Bound: int(e.count.Value())}
}

// NewEvent creates an event of type [Once], [Idempotent] or [Sticky]. Another type ends the run ([ErrEventType]): the
// other types have parameters, and calls of their own.
//
// NewEvent, [Ctx.NewLatch], [Ctx.NewCounted] and [Ctx.NewChannel] take one optional affinity hint, near: the event is
// created on the rank of that worker. Choose the rank of the EDTs that wait for the event: they then need no message to
// wait for it or to destroy it. With one rank the hint is only checked ([ErrHint]).
func (c *Ctx) NewEvent(t EventType, near ...Affinity) guid.GUID {
	k := placedType(t)
	if len(near) > 0 {
		k |= placedType(near[0]) << placeShift
	}
	return c.newEvent(k)
}

// A placedType is an event type, with an affinity from bit placeShift on. With an affinity it is larger than all types,
// so one comparison finds what is not a once, idempotent or sticky event of this rank.
type placedType uint32

const placeShift = 8

func (c *Ctx) newEvent(k placedType) guid.GUID {
	if c.obs != nil || c.events.Empty() || k-placedType(Once) > placedType(Sticky-Once) {
		return c.newEventSlow(EventType(k), Affinity(k>>placeShift))
	}
	i := c.events.Take()
	e := c.events.At(i)
	e.typ, e.flags, e.head = EventType(k), 0, record.Head{}
	c.n.EventCreated++
	return guid.FromWords(c.highEvent, e.Low(i))
}

func (c *Ctx) newEventSlow(t EventType, near Affinity) guid.GUID {
	if t < Once || t > Sticky {
		c.misuse("create event", ErrEventType, guid.Null, "%v; NewEvent makes once, idempotent and sticky events", t)
	}
	return c.newEventNear(t, 0, near)
}

// NewLatch creates a latch event that begins at counter, from -2^62 to 2^62 ([ErrCount]). For near see [Ctx.NewEvent].
func (c *Ctx) NewLatch(counter int64, near ...Affinity) guid.GUID {
	if counter < -maxLatch || counter > maxLatch {
		c.misuse("create latch event", ErrCount, guid.Null, "counter %d, need -2^62 to 2^62: the count could wrap around",
			counter)
	}
	return c.newCounting(Latch, counter, near)
}

// NewCounted creates a counted event that serves deps dependences, 1 to 2^62 - 1. If more are added before it is
// satisfied, the run ends with [ErrCount]. To destroy it with fewer dependences, wait until all calls that add
// dependences to it or satisfy it have returned: each call uses its record until then. For near see [Ctx.NewEvent].
func (c *Ctx) NewCounted(deps int, near ...Affinity) guid.GUID {
	if deps < 1 || int64(deps) >= record.Unsatisfied {
		c.misuse("create counted event", ErrCount, guid.Null, "%d dependences, need 1 to 2^62 - 1", deps)
	}
	return c.newCounting(Counted, int64(deps)+record.Unsatisfied, near)
}

// NewChannel creates a channel event in which up to maxGen satisfactions or dependences can wait for a partner. One
// more ends the run ([ErrFull]). [Unbounded] sets no limit. For near see [Ctx.NewEvent].
func (c *Ctx) NewChannel(maxGen int, near ...Affinity) guid.GUID {
	if maxGen < 0 {
		c.misuse("create channel event", ErrCount, guid.Null, "bound %d, need at least 0", maxGen)
	}
	return c.newCounting(Channel, int64(maxGen), near)
}

func (c *Ctx) newCounting(t EventType, count int64, near []Affinity) guid.GUID {
	var at Affinity
	if len(near) > 0 {
		at = near[0]
	}
	return c.newEventNear(t, count, at)
}

// newEventNear creates an event of any type: on the rank of the worker that near names, or here if near is 0.
func (c *Ctx) newEventNear(t EventType, count int64, near Affinity) guid.GUID {
	if near != 0 {
		c.checkPlace("create event", near)
		if home, _, other := c.homeOf(near); other {
			return c.g.ranks.Ask(c, home, Act{Kind: ActNewEvent, On: number(uint64(count)), Slot: RemoteSlot(t)})
		}
	}
	i, e := c.allocEvent(t)
	e.count.Begin(count)
	e.index.Begin(0)
	return guid.FromWords(c.highEvent, e.Low(i))
}

// innerEvent creates an event that is no event of the program: counters and lists of leaks leave it out.
func (c *Ctx) innerEvent(t EventType) guid.GUID {
	i, e := c.allocEvent(t)
	e.flags = eventInner
	c.n.EventCreated--
	return c.g.eventGUID(e.Low(i))
}

func (c *Ctx) allocEvent(t EventType) (uint32, *event) {
	i := c.events.Get()
	if i == 0 {
		c.misuse("create event", ErrMemory, guid.Null, "too many events alive")
	}
	e := c.events.At(i)
	e.typ, e.flags, e.head = t, 0, record.Head{}
	c.n.EventCreated++
	if c.obs != nil {
		c.noteSite(guid.KindEvent, i)
		c.obs.EventCreated(c.g.eventGUID(e.Low(i)), t)
	}
	return i, e
}

// event returns the record of the event that a call names. If the GUID is stale, the run ends with the condition stale.
func (c *Ctx) event(op string, g guid.GUID, stale *Condition) (uint32, *event) {
	hi, lo := g.Words()
	if hi != c.highEvent {
		c.wrongKind(op, g, guid.KindEvent)
	}
	i, e := uint32(lo), c.g.events.Lookup(lo)
	if e == nil {
		c.misuse(op, stale, g, "%s", c.gone(g))
	}
	return i, e
}

// gone says at which line an event was destroyed or satisfied, if that is known, and that some events destroy
// themselves.
func (c *Ctx) gone(event guid.GUID) string {
	const byItself = "a once event goes when it triggers, a counted one after its last dependence"
	switch end := c.g.sites.EndOf(event); end.What {
	case "":
		return byItself
	case "destroyed":
		return end.After("")
	default:
		return end.After("") + ", " + byItself
	}
}

// send satisfies a channel event with a block.
func (c *Ctx) send(op string, g guid.GUID, e *event, block uint64) {
	if c.obs != nil {
		c.observeSatisfied(uint32(low(g)), e, block, Decr)
	}
	ring := e.ring()
	switch ref, m := c.g.channels.Send(&c.known, ring, block); m {
	case record.Full:
		c.misuse(op, ErrFull, g, "%d satisfactions wait for a dependence", ring.Bound)
	case record.Met:
		c.deliver(ref, block)
	}
	c.source = 0
}

// receive adds ref to a channel event as a dependence.
func (c *Ctx) receive(event uint64, e *event, ref record.Ref) {
	ring := e.ring()
	block, m := c.g.channels.Receive(&c.known, ring, ref)
	switch m {
	case record.Waits:
		return
	case record.Full:
		c.misuse("add dependence", ErrFull, c.g.eventGUID(event), "%d dependences wait for a satisfaction", ring.Bound)
	}
	c.deliverFrom(event)
	c.deliver(ref, block)
	c.source = 0
}
