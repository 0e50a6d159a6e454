package par

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Pipe takes blocks from EDTs that make them to EDTs that use them, in order, and has room for a fixed number: an EDT
// that makes one waits until there is room for it. It may lie in parameters and in blocks.
//
// Both sides are EDTs that go on ([task.Task1.Again] and its kin), or that create the next of their kind, as the
// example shows: the maker with a [Room] slot, the user with an [Item] slot.
type Pipe[T any] struct {
	items task.Event[T]
	room  task.Event[Place[T]]
}

// Place is what a [Room] slot has in place of elements.
type Place[T any] struct{ _ [0]T }

// NewPipe creates a pipe with room for n blocks: only those cost that are on their way. Destroy it when the end has
// come.
//
// It ends the run if n is below 1 ([edt.ErrCount]).
func NewPipe[T any](c *edt.Ctx, n int) Pipe[T] {
	if n < 1 {
		c.Misuse("create pipe", edt.ErrCount, guid.Null, "room for %d blocks, need at least 1", n)
	}
	return Pipe[T]{task.Channel[T](c, n), task.Event[Place[T]]{GUID: c.NewFilledChannel(n)}}
}

// Room is room for one block, as the source of a [Room] slot: the EDT waits for it.
func (p Pipe[T]) Room() task.Source[Place[T]] { return p.room.From() }

// From is the next block, as the source of an [Item] slot. Several EDTs that wait get one each.
func (p Pipe[T]) From() task.Source[T] { return p.items.From() }

func init() {
	const full = "it is that of a Pipe, which has no more room: a Room slot is for one Send or one Close"
	edt.Explain("par.Room.Send", edt.ErrFull, full)
	edt.Explain("par.Room.Close", edt.ErrFull, full)
	const free = "it is that of a Pipe, which got more room than it had: an Item slot is for one Done or one Keep"
	edt.Explain("par.Item.Done", edt.ErrFull, free)
	edt.Explain("par.Item.Keep", edt.ErrFull, free)
}

// Destroy destroys the pipe. No EDT may wait for it.
func (p Pipe[T]) Destroy(c *edt.Ctx) {
	p.items.Destroy(c)
	p.room.Destroy(c)
}

// Room is a slot of an EDT that makes a block: with it the EDT may send one, or close the pipe. A second
// ends the run when it finds the pipe full ([edt.ErrFull]).
type Room[T any] struct{ task.Ref[Place[T]] }

// Send releases a block that the EDT holds, and puts it into the pipe.
func (Room[T]) Send(c *edt.Ctx, p Pipe[T], b task.Block[T]) { p.items.Send(c, b) }

// Close puts the end into the pipe: one EDT that waits for a block gets it. With several such EDTs, each
// needs an end.
func (Room[T]) Close(c *edt.Ctx, p Pipe[T]) { p.items.Signal(c) }

// Item is a slot of an EDT that uses a block from a pipe, or sees its end.
type Item[T any] struct{ task.RW[T] }

// Ended reports whether the end has come in place of a block.
func (i Item[T]) Ended() bool { return i.IsNull() }

// Done destroys the block, and makes room for another in the pipe that it came from.
func (i Item[T]) Done(c *edt.Ctx, p Pipe[T]) {
	i.Destroy(c)
	p.room.Signal(c)
}

// Keep makes room for another, and leaves the block to the EDT, to send it on.
func (Item[T]) Keep(c *edt.Ctx, p Pipe[T]) { p.room.Signal(c) }
