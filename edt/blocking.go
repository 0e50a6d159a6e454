package edt

import (
	"context"
	"runtime/debug"
	"sync"

	"ocr/guid"
	"ocr/internal/graph/site"
)

// A Blocking runs calls that block, for files, the network or a lock of the program's own, on goroutines outside the
// workers, so that EDTs never block. It has a number of places. A call occupies a place from its beginning until a
// worker has taken its result. So no more results wait than there are places, however many calls are made. A call that
// waits for a place needs a few hundred bytes.
//
// A Blocking may be a package-level variable, and serve many runs. It has goroutines only while it has calls.
type Blocking struct {
	places int
	made   string

	mu    sync.Mutex
	queue []waitingCall
	busy  int // places in use
}

// A waitingCall is a call that has no place yet.
type waitingCall struct {
	x *External
	f outsider
}

// NewBlocking makes a Blocking with this number of places: the most calls that it runs at once. A call of a Blocking
// without places, such as the zero Blocking, ends the run ([ErrCount]).
func NewBlocking(places int) *Blocking {
	at := site.Here(1, 0)
	return &Blocking{places: places, made: "at " + at.String()}
}

// Call calls f on a goroutine outside the workers, and returns an event that is satisfied with what f returns: a data
// block with a copy of the bytes, an empty block if there are none. The event serves one dependence, and then destroys
// itself. The run does not end before f has returned, unless it is ended early.
//
// An error of f ends the run with a [*FailError], as [Ctx.Fail] does, and a panic with a [*PanicError]. Both name the
// EDT that called.
//
// Calls begin in their order, each when a place is free. What the EDT did before the call happens before the EDTs
// that the event makes ready. f must not use the Ctx. ctx is [Ctx.Context]: it is done as soon as the run ends early.
// The run does not wait for calls that are still running then, and calls that have not begun never begin.
//
// A host that takes nothing from outside, such as edttest.Explore, runs f in an EDT.
func (b *Blocking) Call(c *Ctx, f func(ctx context.Context) ([]byte, error)) guid.GUID {
	b.check(c, f != nil)
	return b.call(c, func(ctx context.Context) (payload, error) {
		bytes, err := f(ctx)
		return payload{bytes, true}, err
	})
}

// Do is [Blocking.Call] for a function without a result: the event is satisfied without a block.
func (b *Blocking) Do(c *Ctx, f func(ctx context.Context) error) guid.GUID {
	b.check(c, f != nil)
	return b.call(c, func(ctx context.Context) (payload, error) { return payload{}, f(ctx) })
}

// check ends the run if the call cannot be carried out.
func (b *Blocking) check(c *Ctx, hasFunction bool) {
	const op = "blocking call"
	switch {
	case b == nil:
		c.misuse(op, ErrCount, guid.Null, "a nil Blocking, NewBlocking makes one")
	case b.places < 1:
		made := b.made
		if made == "" {
			made = "without NewBlocking"
		}
		c.misuse(op, ErrCount, guid.Null, "a Blocking of %d places, made %s; need at least 1", b.places, made)
	case !hasFunction:
		c.misuse(op, ErrNoBody, guid.Null, "the function is nil")
	}
}

// An outsider is a function that is called outside the workers.
type outsider func(ctx context.Context) (payload, error)

func (b *Blocking) call(c *Ctx, f outsider) guid.GUID {
	event := c.NewCounted(1)
	if c.g.mail.bell == nil {
		c.callInEDT(event, f)
		return event
	}
	b.start(waitingCall{c.openExternal(event, 1), f})
	return event
}

// callInEDT is the call for a host that takes nothing from outside: f runs in an EDT, so a search for schedules can
// order it.
func (c *Ctx) callInEDT(event guid.GUID, f outsider) {
	from := c.describedOrigin()
	t := c.NewTemplate("blocking call", 0, 0, func(c *Ctx, _ Args) guid.GUID {
		c.outside = from
		with, err := f(c.g.mail.done())
		c.outside = nil
		if err != nil {
			c.fail(from.failure(c.g, err, true))
			return guid.Null
		}
		c.Satisfy(event, c.blockOf(with))
		return guid.Null
	})
	c.NewEDT(t, nil)
	c.DestroyTemplate(t)
}

// start begins a call if a place is free; otherwise the call waits in the queue.
func (b *Blocking) start(w waitingCall) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy == b.places {
		b.queue = append(b.queue, w)
		return
	}
	b.busy++
	go b.run(w)
}

// run calls the function, and keeps the place until a worker has taken the result or the run has ended. So results do
// not pile up if calls return faster than workers take results. Each call has a goroutine of its own, because the
// function may call runtime.Goexit.
func (b *Blocking) run(w waitingCall) {
	defer b.next()
	if taken := w.x.block(w.f); taken != nil {
		select {
		case <-taken:
		case <-w.x.box.done().Done():
		}
	}
}

// next gives the place of a call that has ended to the next call in the queue.
func (b *Blocking) next() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		b.busy--
		return
	}
	w := b.queue[0]
	b.queue[0] = waitingCall{} // the array keeps nothing of a call that has begun
	if b.queue = b.queue[1:]; len(b.queue) == 0 {
		b.queue = nil
	}
	go b.run(w)
}

// block calls f, and satisfies the event with its result. The worker that has taken the result closes taken; taken is
// nil if there is no result to take.
func (x *External) block(f outsider) (taken <-chan struct{}) {
	ctx, returned := x.box.done(), false
	defer func() {
		if v := recover(); !returned {
			failure := x.from.panicOutside(v)
			x.fail(func(g *Graph) error { failure.On = g.rankText(failure.EDT); return failure })
		}
	}()
	if outside := x.box.outside; outside != nil {
		defer outside()()
	}
	if ctx.Err() != nil { // asked after outside: else the run could end before that, and f run in the next run
		returned = true
		return nil
	}
	with, err := f(ctx)
	returned = true
	if err != nil {
		x.fail(func(g *Graph) error { return x.from.failure(g, err, true) })
		return nil
	}
	result := make(chan struct{})
	x.taken = result
	if x.satisfy(with, x.from) != nil { // the run has ended meanwhile, or the event was destroyed: not an error
		return nil
	}
	return result
}

// panicOutside returns the error for a function that an EDT gave to a Blocking, and that has panicked with v or left by
// runtime.Goexit. The deferred function that recovered calls panicOutside, while the panicking stack is still there.
func (o *origin) panicOutside(v any) *PanicError {
	if v == nil {
		v = errGoexitOutside
	}
	line, _ := site.OfPanic()
	return &PanicError{
		Value: v, Stack: debug.Stack(), Who: Who{o.edt, o.template.nameOr(""), o.about, ""}, Site: line,
		Outside: o.at.String(),
	}
}

// fail has a worker end the run with an error.
func (x *External) fail(failure func(g *Graph) error) {
	x.box.mu.Lock()
	posted := x.box.put(func(c *Ctx) { c.fail(failure(c.g)) })
	x.box.mu.Unlock()
	if posted {
		x.box.bell()
	}
}
