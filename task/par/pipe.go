package par

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Pipe passes blocks from one stage to the next, in order, and has room for a fixed number of them: a stage runs when
// the next pipe has room for its block. [From] and [Through] make pipes, [Through] and [To] read them.
type Pipe[T any] struct {
	items task.Event[T]            // a block, or none at the end
	room  task.Event[task.Nothing] // satisfied once for each block that the pipe can still take
}

// newPipe creates a pipe with room for n blocks. Its memory is that of the blocks in it, not of n.
func newPipe[T any](c *edt.Ctx, n int) Pipe[T] {
	if n < 1 {
		c.Misuse("create pipe", edt.ErrCount, guid.Null, "room for %d blocks, need at least 1", n)
	}
	return Pipe[T]{task.Channel[T](c, n), task.Event[task.Nothing]{GUID: c.NewFilledChannel(n)}}
}

// From begins a pipe with room for n blocks: whenever there is room, an EDT calls body for one block, and sends it. The
// EDT must hold the block, as after [task.Make] and [task.Of]. When body returns false the pipe ends; From destroys a
// block that comes with it. It does not send the zero Block. body may keep state in what it captures: the pipe does not
// call it again before it has returned.
//
//	raw := par.From(c, 4, func(c *edt.Ctx) (task.Block[byte], bool) { ... })
//	zip := par.Through(c, raw, 4, func(c *edt.Ctx, in []byte) task.Block[byte] { return task.Of(c, pack(in)...) })
//	par.To(c, zip, func(c *edt.Ctx, in []byte) { out.Write(in) }, func(*edt.Ctx) { out.Close() })
//
// The run ends if n is below 1 ([edt.ErrCount]), and under the conditions of [task.Func0].
func From[T any](c *edt.Ctx, n int, body func(c *edt.Ctx) (task.Block[T], bool)) Pipe[T] {
	p, call := newPipe[T](c, n), edt.CallOf()
	needBody(c, "from", body != nil)
	var from *task.Task1[task.Nothing, task.After, task.Nothing]
	from = task.Func1(c, "par.From", func(c *edt.Ctx, _ task.Nothing, _ task.After) {
		b, more := body(c)
		c.Blame(call)
		defer c.Blame(0)
		if !more {
			if !b.IsNull() {
				b.Destroy(c)
			}
			p.items.Signal(c)
			return
		}
		from.Again(c, task.Nothing{}, p.send(c, b))
	})
	from.New(c, task.Nothing{}, p.room.From())
	c.DestroyTemplate(from.Template())
	return p
}

// Through is a stage in the middle: an EDT calls body for each block of from, in order, and sends the block that body
// returns, as [From] does, to the pipe that Through returns, which has room for n. If body returns the zero Block, the
// EDT sends nothing for this item. It destroys each block of from after the call, and from itself when it ends.
func Through[T, R any](c *edt.Ctx, from Pipe[T], n int, body func(c *edt.Ctx, in []T) task.Block[R]) Pipe[R] {
	to, call := newPipe[R](c, n), edt.CallOf()
	needBody(c, "through", body != nil)
	var through *task.Task2[task.Nothing, task.RW[T], task.After, T, task.Nothing]
	through = task.Func2(c, "par.Through", func(c *edt.Ctx, _ task.Nothing, item task.RW[T], _ task.After) {
		if item.IsNull() {
			from.destroy(c)
			to.items.Signal(c)
			return
		}
		b := body(c, item.Slice())
		c.Blame(call)
		defer c.Blame(0)
		from.done(c, item)
		through.Again(c, task.Nothing{}, from.items.From(), to.send(c, b))
	})
	through.New(c, task.Nothing{}, from.items.From(), to.room.From())
	c.DestroyTemplate(through.Template())
	return to
}

// To ends a pipe: an EDT calls body for each of its blocks, in order, and then end, unless end is nil. It destroys each
// block after the call of body, and the pipe before the call of end.
func To[T any](c *edt.Ctx, from Pipe[T], body func(c *edt.Ctx, in []T), end func(c *edt.Ctx)) {
	needBody(c, "to", body != nil)
	call := edt.CallOf()
	var to *task.Task1[task.Nothing, task.RW[T], T]
	to = task.Func1(c, "par.To", func(c *edt.Ctx, _ task.Nothing, item task.RW[T]) {
		if item.IsNull() {
			from.destroy(c)
			if end != nil {
				end(c)
			}
			return
		}
		body(c, item.Slice())
		c.Blame(call)
		defer c.Blame(0)
		from.done(c, item)
		to.Again(c, task.Nothing{}, from.items.From())
	})
	to.New(c, task.Nothing{}, from.items.From())
	c.DestroyTemplate(to.Template())
}

// send sends a block to the pipe, and returns the source for which the next call of body waits. It does not send the
// zero Block: the zero Source keeps the room that the stage has.
func (p Pipe[T]) send(c *edt.Ctx, b task.Block[T]) (room task.Source[task.Nothing]) {
	if b.IsNull() {
		return room
	}
	p.items.Send(c, b)
	return p.room.From()
}

// done destroys a block that the stage has read, and makes room for another.
func (p Pipe[T]) done(c *edt.Ctx, item task.RW[T]) {
	item.Destroy(c)
	p.room.Signal(c)
}

func (p Pipe[T]) destroy(c *edt.Ctx) {
	p.items.Destroy(c)
	p.room.Destroy(c)
}

// needBody ends the run if the body is nil.
func needBody(c *edt.Ctx, op string, is bool) {
	if !is {
		c.Misuse(op, edt.ErrNoBody, guid.Null, "the body is nil")
	}
}
