package edt

import (
	"fmt"
	"slices"

	"ocr/guid"
	"ocr/internal/graph/site"
)

// An External satisfies an event of a run from outside: from any goroutine, for I/O, timers and all else that is no
// EDT. [Ctx.NewExternal] makes one. Unless the run is ended early, it does not end before the external has made all its
// satisfactions or is closed.
type External struct {
	// Concurrency: the lock of the mailbox guards fields done, gone, ended and where. Letters are posted under the lock,
	// so they arrive in order. Fields box, event, want and from do not change after NewExternal. NewExternal, and then the
	// worker that carries out letters, use field call. The goroutine of a Blocking writes field taken before it posts.

	box   *mailbox
	event guid.GUID
	want  int // how many satisfactions, Unbounded for any number
	from  *origin
	call  uint64        // number of the deferred call, for observers
	taken chan struct{} // for a Blocking: closed when a worker has carried out the satisfaction; else nil

	done  int        // satisfactions
	gone  bool       // the event was destroyed
	ended *Condition // why it takes no more satisfactions, nil while it takes them
	where string     // the call or reason that has ended it, in words
}

// NewExternal creates an event and an [External], with which goroutines outside the run satisfy the event n times, or,
// with [Unbounded], until they close the External. If n is 1 the event is sticky, else a channel event without a bound,
// whose k-th dependence gets the k-th satisfaction. The event lives until it is destroyed. Its destruction closes the
// External; a satisfaction that arrives later is lost. The program must order the destruction and each satisfaction:
// if it does not, the run may end with [ErrStale].
//
// While the external is open the run does not end by itself, even if no EDT is ready. What the
// EDT did before this call happens before the EDTs that the satisfactions make ready.
//
// NewExternal ends the run if n is below 0 ([ErrCount]), or if the host takes nothing from outside ([ErrNoOutside]),
// such as edttest.Explore.
func (c *Ctx) NewExternal(n int) (guid.GUID, *External) {
	const op = "create external event"
	if n < 0 {
		c.misuse(op, ErrCount, guid.Null, "%d satisfactions, need at least 1, or Unbounded", n)
	}
	if c.g.mail.bell == nil {
		c.misuse(
			op, ErrNoOutside, guid.Null,
			"calls of other goroutines would not repeat in the same order; in a search let an EDT satisfy an event instead",
		)
	}
	var event guid.GUID
	if n == 1 {
		event = c.NewEvent(Sticky)
	} else {
		event = c.NewChannel(Unbounded)
	}
	return event, c.openExternal(event, n)
}

func (c *Ctx) openExternal(event guid.GUID, want int) *External {
	b := c.g.mail
	x := &External{box: b, event: event, want: want, from: c.describedOrigin()}
	b.senders.Add(1)
	lo := low(event)
	c.events.At(uint32(lo)).flags |= eventExternal
	b.mu.Lock()
	if b.externals == nil {
		b.externals = make(map[uint64]*External)
	}
	b.externals[lo] = x
	b.mu.Unlock()
	c.expectCall(x)
	return x
}

// expectCall numbers the call that will carry out the next satisfaction, and reports it to the observer.
func (c *Ctx) expectCall(x *External) {
	if c.obs != nil {
		x.call = c.g.deferred.Add(1)
		c.obs.CallDeferred(x.call)
	}
}

// Satisfy satisfies the event with a data block that holds a copy of these bytes, an empty one if there are none. Any
// goroutine may call it, at any time, and several at once. It does not wait for EDTs that become ready.
//
// If it returns an error, an [*Error], it has done nothing: [ErrSatisfied] after n satisfactions, [ErrClosed] after
// Close or on a nil External, [ErrDestroyed] after the event was destroyed, [ErrEnded] after the run has ended.
func (x *External) Satisfy(bytes []byte) error {
	return x.satisfyAt(payload{append([]byte(nil), bytes...), true}, site.Here(1, 0))
}

// Signal is [External.Satisfy] without a block.
func (x *External) Signal() error { return x.satisfyAt(payload{}, site.Here(1, 0)) }

// A payload is what a satisfaction from outside brings: a copy of these bytes in a block, or no block.
type payload struct {
	bytes []byte
	block bool
}

// satisfyAt is satisfy for a call of the program.
func (x *External) satisfyAt(with payload, at site.Position) error {
	if x == nil || x.box == nil {
		file, line := at.Line()
		const zero = "the External is nil or zero: NewExternal makes one"
		return &Error{Op: "satisfy external event", Cause: ErrClosed, Detail: zero, File: file, Line: line}
	}
	from := *x.from
	from.at = at
	return x.satisfy(with, &from)
}

// Close declares that no more satisfactions will come. If EDTs still wait for one, the run
// ends as stuck, and its [*StuckError] names the external. Close is not needed after the last
// of n satisfactions. Any goroutine may call it, and more than once.
func (x *External) Close() {
	if x == nil || x.box == nil {
		return
	}
	at := site.Here(1, 0)
	x.close(ErrClosed, "it was closed at "+at.String())
}

// satisfy posts a satisfaction on behalf of origin from's EDT, and rings the bell.
func (x *External) satisfy(with payload, from *origin) error {
	if cause, detail := x.accept(with, from); cause != nil {
		file, line := from.at.Line()
		return &Error{Op: "satisfy external event", Cause: cause, Target: x.event, Detail: detail, File: file, Line: line}
	}
	x.box.bell()
	return nil
}

// accept posts a satisfaction, or returns the reason why it does not.
func (x *External) accept(with payload, from *origin) (*Condition, string) {
	x.box.mu.Lock()
	defer x.box.mu.Unlock()
	if x.ended != nil {
		return x.ended, x.text()
	}
	last := x.done+1 == x.want
	if !x.box.put(func(c *Ctx) { x.arrive(c, from, with, last) }) {
		return ErrEnded, x.text()
	}
	if x.done++; last {
		x.ended, x.where = ErrSatisfied, "it takes no more"
	}
	return nil, ""
}

// close ends an external that is open; a worker then counts senders down.
func (x *External) close(cause *Condition, where string) {
	x.box.mu.Lock()
	posted := x.end(cause, where) && x.box.put(func(c *Ctx) { x.box.senders.Add(-1) })
	x.box.mu.Unlock()
	if posted {
		x.box.bell()
	}
}

// end notes that an external takes no more satisfactions, and returns false if that was noted before. The caller holds
// the lock.
func (x *External) end(cause *Condition, where string) bool {
	if x.ended != nil {
		return false
	}
	x.ended, x.where = cause, where
	return true
}

// arrive carries a satisfaction out on a worker.
func (x *External) arrive(c *Ctx, from *origin, with payload, last bool) {
	x.box.mu.Lock()
	gone := x.gone
	x.box.mu.Unlock()
	if !gone {
		c.resume(from, x.call)
		c.Satisfy(x.event, c.blockOf(with))
		if !last {
			c.expectCall(x)
		}
		c.resume(nil, 0)
	}
	if x.taken != nil {
		close(x.taken)
	}
	if last {
		x.box.senders.Add(-1)
	}
}

// resume begins a deferred call on behalf of the EDT of this origin. If the origin is nil, resume ends the call.
func (c *Ctx) resume(from *origin, tag uint64) {
	c.behalf = from
	if c.obs != nil {
		c.obs.CallResumed(tag)
	}
}

// blockOf makes the block of a payload, and releases it; Null if there is none.
func (c *Ctx) blockOf(with payload) guid.GUID {
	if !with.block {
		return guid.Null
	}
	block, into := c.NewBlock(len(with.bytes))
	copy(into, with.bytes)
	c.Release(block)
	return block
}

// text describes the external. The caller holds the lock.
func (x *External) text() string {
	times := fmt.Sprintf("%d times", x.done)
	if x.want != Unbounded {
		times = fmt.Sprintf("%d of %d times", x.done, x.want)
	}
	from := site.Site{At: &x.from.at, By: x.from.template.nameOr("")}
	s := fmt.Sprintf("made at %v, satisfied from outside %s", from, times)
	if x.ended != nil {
		s += "; " + x.where
	}
	return s
}

// remove forgets the external of an event that is destroyed, and closes it.
func (b *mailbox) remove(low uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	x := b.externals[low]
	delete(b.externals, low)
	if x.gone = true; x.end(ErrDestroyed, "its event was destroyed") {
		b.senders.Add(-1)
	}
}

// about describes the external of an event, "" if it has none.
func (b *mailbox) about(low uint64) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.externals[low]; x != nil {
		return x.text()
	}
	return ""
}

// open describes the externals that may still satisfy their events.
func (b *mailbox) open() (text []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, x := range b.externals {
		if x.ended == nil {
			text = append(text, fmt.Sprintf("event %v, %s", x.event, x.text()))
		}
	}
	slices.Sort(text)
	return text
}
