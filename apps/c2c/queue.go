package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
)

// A queue is the graph of test [Ring]: two chains of EDTs, one a side, and two
// channel events. Producer k waits for a credit, which is an empty block, fills it
// and sends it; consumer k waits for a block, checks it and sends it back as a
// credit. Each makes its successor first.
//
// Concurrency: only the consumer counts wrong elements; the collector comes after both
// sides.
type queue[T cell.Word] struct {
	chain
	turn            [2]*edt.Template // producer, consumer
	credits, filled guid.GUID
	ended           [2]guid.GUID
	blocks          []guid.GUID
	all             uint64 // blocks altogether
}

func newQueue[T cell.Word](a *App) *queue[T] {
	ch := newChain(a)
	return &queue[T]{chain: ch, all: ch.warm + ch.timed + 1}
}

func (q *queue[T]) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	q.begin(c)
	q.turn[0] = c.NewTemplate("c2c.produce", 1, 1, q.produce)
	q.turn[1] = c.NewTemplate("c2c.consume", 1, 1, q.consume)
	q.credits, q.filled = c.NewChannel(q.cfg.Blocks), c.NewChannel(q.cfg.Blocks)

	q.ended = [2]guid.GUID{c.NewEvent(edt.Once), c.NewEvent(edt.Once)}
	collect := c.NewTemplate("c2c.collect", 0, 2, q.collect)
	c.NewEDT(collect, nil, edt.From(q.ended[0], datablock.Null), edt.From(q.ended[1], datablock.Null))
	c.DestroyTemplate(collect)

	q.next(c, 1, 0)
	q.next(c, 0, 0)
	for range q.cfg.Blocks {
		block := c.NewBlockNoAcquire(q.cfg.taskBlock())
		q.blocks = append(q.blocks, block)
		c.Satisfy(q.credits, block)
	}
	return guid.Null
}

// next makes EDT k of a side, or ends the side.
func (q *queue[T]) next(c *edt.Ctx, side int, k uint64) {
	if k == q.all {
		q.marks[side].after = q.cfg.System.sight()
		c.Satisfy(q.ended[side], guid.Null)
		return
	}
	source := q.credits
	if side == 1 {
		source = q.filled
	}
	c.NewEDTAt(q.at[side], q.turn[side], edt.Params(k), edt.From(source, datablock.RW))
}

func (q *queue[T]) produce(c *edt.Ctx, in edt.Args) guid.GUID {
	k, block := in.Param(0), in.Dep(0)
	q.arrive(0, k)
	cell.Fill(elementsOf[T](q.cfg, block), T(q.cfg.ringValue(k)))
	q.pass(c, 0, k, block.GUID(), q.filled)
	return guid.Null
}

func (q *queue[T]) consume(c *edt.Ctx, in edt.Args) guid.GUID {
	k, block := in.Param(0), in.Dep(0)
	q.arrive(1, k)
	if n := cell.Match(elementsOf[T](q.cfg, block), T(q.cfg.ringValue(k))); n != q.cfg.Length {
		q.wrong += uint64(q.cfg.Length - n) // a write takes the line from the producer
	}
	q.pass(c, 1, k, block.GUID(), q.credits)
	return guid.Null
}

func (q *queue[T]) pass(c *edt.Ctx, side int, k uint64, block, to guid.GUID) {
	c.Release(block)
	c.Satisfy(to, block)
	q.next(c, side, k+1)
}

// arrive notes the beginning of EDT k if a side's time begins or ends with it.
func (q *queue[T]) arrive(side int, k uint64) {
	switch m := &q.marks[side]; k {
	case q.look:
		m.before = q.cfg.System.sight()
	case q.warm:
		m.start = trial.Now()
	case q.warm + q.timed:
		m.end = trial.Now()
	}
}

// collect takes the result and destroys what is left.
func (q *queue[T]) collect(c *edt.Ctx, _ edt.Args) guid.GUID {
	for _, block := range q.blocks {
		c.DestroyBlock(block)
	}
	c.DestroyEvent(q.credits)
	c.DestroyEvent(q.filled)
	c.DestroyTemplate(q.turn[0])
	c.DestroyTemplate(q.turn[1])
	q.end()
	return guid.Null
}
