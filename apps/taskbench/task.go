package taskbench

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The parameters of a task, and its slots: the block of the column's own tile, the
// outputs of other columns that it takes, and, in a turn, its consumers' announcements.
const (
	paramStep = iota
	paramColumn
	numParams

	slotOwn    = 0
	firstInput = 1
)

// taskAlone is the body of a task whose column has no links: it goes on as the next.
func (g *graph) taskAlone(c *edt.Ctx, in edt.Args) guid.GUID {
	t, i := int(in.Param(paramStep)), int(in.Param(paramColumn))
	col := &g.columns[i]
	words := datablock.Slice[uint64](in.Dep(slotOwn))
	if g.looks && !g.take(c, in, col, words, t, i, 0) {
		return guid.Null
	}
	g.work(col, words, col.outputAt+g.buffer(t), t, i)
	if t == col.last {
		c.Release(in.Dep(slotOwn).GUID()) // it is destroyed when the columns have ended
		c.Satisfy(g.ended, guid.Null)
		return guid.Null
	}
	in.Params()[paramStep]++
	c.Again()
	return guid.Null
}

// task is the body of every other task. It creates the EDT of its column some steps ahead, then passes its output on,
// and then starts the next of its column.
func (g *graph) task(c *edt.Ctx, in edt.Args) guid.GUID {
	t, i := int(in.Param(paramStep)), int(in.Param(paramColumn))
	col := &g.columns[i]
	words := datablock.Slice[uint64](in.Dep(slotOwn))
	set := g.setOf(t)
	if !g.take(c, in, col, words, t, i, set) {
		return guid.Null
	}
	if g.isTurn(t) {
		g.takeAnnouncements(in, col, words, t, col.slots[set])
	}
	buffer := col.outputAt + g.buffer(t)
	g.work(col, words, buffer+g.payload, t, i)
	next := guid.Null
	if t < col.last {
		next = getGUID(words, g.name(col, t+1))
	}
	if ahead := t + g.ahead; ahead <= col.last {
		id := g.create(c, i, ahead)
		putGUID(words, g.name(col, ahead), id)
	}
	block := in.Dep(slotOwn).GUID()
	g.send(c, block, col, words, t, i)
	if g.links == announced && t&(g.half-1) == 0 {
		g.announce(c, col, block, t)
	}
	if t == col.last {
		c.Satisfy(g.ended, guid.Null)
		return guid.Null
	}
	c.AddDependence(block, next, slotOwn, datablock.RW)
	return guid.Null
}

// work runs the kernel and writes the output, from word number at on.
func (g *graph) work(col *column, words []uint64, at, t, i int) {
	var scratch []byte
	if g.Scratch != 0 {
		scratch = bytesOf(words[col.scratchAt:col.end])
	}
	g.Kernel.Run(int64(g.number), int64(t), int64(i), scratch)
	if g.flaw != nil && g.flaw.write(g, words, words[at:][:g.pairs], t, i) {
		return
	}
	if g.pairs == 2 {
		words[at], words[at+1] = uint64(t), source(g.number, i)
		return
	}
	fill(words[at:][:g.pairs], t, source(g.number, i))
}

// A flaw is how tests make a task go wrong.
type flaw interface {
	// create creates the EDT of (t,i), if that is to be wrong; else it returns a null GUID.
	create(g *graph, c *edt.Ctx, t, i int) guid.GUID
	// send sends the wrong part of an output, and returns the targets that are left.
	send(g *graph, c *edt.Ctx, t, i int, targets []target) []target
	// write writes the output, if that is to be wrong, and returns true.
	write(g *graph, words, output []uint64, t, i int) bool
	// spoils reports whether there is anything of that for (t,i) to do.
	spoils(g *graph, t, i int) bool
}
