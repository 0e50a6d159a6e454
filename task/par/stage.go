package par

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// From begins a pipe with room for n blocks: an EDT calls body for one block after the other, as long as there is room,
// and sends what it returns, a block that it holds, as [task.Make] and [task.Of] give it. When body returns false the
// pipe ends, and a block that it returns is destroyed. The zero Block is not sent. body may keep state in what it
// captures: it is called again only when it has returned.
//
//	raw := par.From(c, 4, func(c *edt.Ctx) (task.Block[byte], bool) { ... })
//	zip := par.Through(c, raw, 4, func(c *edt.Ctx, in []byte) task.Block[byte] { return task.Of(c, pack(in)...) })
//	par.To(c, zip, func(c *edt.Ctx, in []byte) { out.Write(in) }, func(*edt.Ctx) { out.Close() })
//
// The run ends if n is below 1 ([edt.ErrCount]), and as [task.Func0] says.
func From[T any](c *edt.Ctx, n int, body func(c *edt.Ctx) (task.Block[T], bool)) Pipe[T] {
	p, call := NewPipe[T](c, n), edt.CallOf()
	needBody(c, "from", body != nil)
	var from *task.Task1[task.Nothing, Room[T], Place[T]]
	from = task.Func1(c, "par.From", func(c *edt.Ctx, _ task.Nothing, room Room[T]) {
		b, more := body(c)
		c.Blame(call)
		defer c.Blame(0)
		if !more {
			if !b.IsNull() {
				b.Destroy(c)
			}
			room.Close(c, p)
			return
		}
		from.Again(c, task.Nothing{}, room.sendOrKeep(c, p, b))
	})
	from.New(c, task.Nothing{}, p.Room())
	c.DestroyTemplate(from.Template())
	return p
}

// Through goes on with a pipe: an EDT calls body for each of its blocks, in order, and sends the block that body
// returns, as [From] does, into the pipe that Through returns, which has room for n. If body returns the zero Block, it
// drops the item. The block that came is destroyed after the call; so is the pipe it came from, when that ends.
func Through[T, R any](c *edt.Ctx, from Pipe[T], n int, body func(c *edt.Ctx, in []T) task.Block[R]) Pipe[R] {
	to, call := NewPipe[R](c, n), edt.CallOf()
	needBody(c, "through", body != nil)
	var through *task.Task2[task.Nothing, Item[T], Room[R], T, Place[R]]
	through = task.Func2(c, "par.Through", func(c *edt.Ctx, _ task.Nothing, item Item[T], room Room[R]) {
		if item.Ended() {
			from.Destroy(c)
			room.Close(c, to)
			return
		}
		b := body(c, item.Slice())
		c.Blame(call)
		defer c.Blame(0)
		item.Done(c, from)
		through.Again(c, task.Nothing{}, from.From(), room.sendOrKeep(c, to, b))
	})
	through.New(c, task.Nothing{}, from.From(), to.Room())
	c.DestroyTemplate(through.Template())
	return to
}

// To ends a pipe: an EDT calls body for each of its blocks, in order, and then end, if it is not nil. The blocks are
// destroyed after the calls, and the pipe before end.
func To[T any](c *edt.Ctx, from Pipe[T], body func(c *edt.Ctx, in []T), end func(c *edt.Ctx)) {
	needBody(c, "to", body != nil)
	call := edt.CallOf()
	var to *task.Task1[task.Nothing, Item[T], T]
	to = task.Func1(c, "par.To", func(c *edt.Ctx, _ task.Nothing, item Item[T]) {
		if item.Ended() {
			from.Destroy(c)
			if end != nil {
				end(c)
			}
			return
		}
		body(c, item.Slice())
		c.Blame(call)
		defer c.Blame(0)
		item.Done(c, from)
		to.Again0(c, from.From())
	})
	to.New(c, task.Nothing{}, from.From())
	c.DestroyTemplate(to.Template())
}

// sendOrKeep sends a block into the pipe, but not the zero Block, and returns the source of the next Room slot.
func (r Room[T]) sendOrKeep(c *edt.Ctx, p Pipe[T], b task.Block[T]) task.Source[Place[T]] {
	if b.IsNull() {
		return task.Source[Place[T]]{}
	}
	r.Send(c, p, b)
	return p.Room()
}

// needBody ends the run if a stage has no body.
func needBody(c *edt.Ctx, op string, is bool) {
	if !is {
		c.Misuse(op, edt.ErrNoBody, guid.Null, "the body is nil")
	}
}
