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
// Concurrency: the EDTs of a side run one after the other; each side's marks and
// count of wrong elements are its own, and the collector comes after both.
type queue[T cell.Word] struct {
	app              *App
	at               [2]edt.Affinity
	turn             [2]*edt.Template // producer, consumer
	credits, filled  guid.GUID
	ended            [2]guid.GUID
	blocks           []guid.GUID
	warm, timed, all uint64 // blocks: before the timed part, in it, altogether

	began int64
	marks [2]mark
	wrong uint64 // the consumer's
}

func newQueue[T cell.Word](a *App) *queue[T] {
	warm, timed := uint64(a.cfg.Warmup), uint64(a.cfg.Transfers)
	return &queue[T]{app: a, warm: warm, timed: timed, all: warm + timed + 1}
}

func (q *queue[T]) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	cfg := &q.app.cfg
	q.began = collections()
	q.at = [2]edt.Affinity{c.Bind(0), c.Bind(1 % c.Workers())}
	if cfg.Form == Local {
		q.at[1] = q.at[0]
	}
	q.turn[0] = c.NewTemplate("c2c.produce", 1, 1, q.produce)
	q.turn[1] = c.NewTemplate("c2c.consume", 1, 1, q.consume)
	q.credits, q.filled = c.NewChannel(cfg.Blocks), c.NewChannel(cfg.Blocks)

	q.ended = [2]guid.GUID{c.NewEvent(edt.Once), c.NewEvent(edt.Once)}
	collect := c.NewTemplate("c2c.collect", 0, 2, q.collect)
	c.NewEDT(collect, nil, edt.From(q.ended[0], datablock.Null), edt.From(q.ended[1], datablock.Null))
	c.DestroyTemplate(collect)

	q.next(c, 1, 0)
	q.next(c, 0, 0)
	for range cfg.Blocks {
		block := c.NewBlockNoAcquire(cfg.taskBlock())
		q.blocks = append(q.blocks, block)
		c.Satisfy(q.credits, block)
	}
	return guid.Null
}

// next makes EDT k of a side, or ends the side.
func (q *queue[T]) next(c *edt.Ctx, side int, k uint64) {
	if k == q.all {
		q.marks[side].after = q.app.cfg.System.sight()
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
	cell.Fill(elementsOf[T](&q.app.cfg, block), T(q.app.cfg.ringValue(k)))
	q.pass(c, 0, k, block.GUID(), q.filled)
	return guid.Null
}

func (q *queue[T]) consume(c *edt.Ctx, in edt.Args) guid.GUID {
	k, block := in.Param(0), in.Dep(0)
	q.arrive(1, k)
	if n := cell.Match(elementsOf[T](&q.app.cfg, block), T(q.app.cfg.ringValue(k))); n != q.app.cfg.Length {
		q.wrong += uint64(q.app.cfg.Length - n) // a write takes the line from the producer
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
	case q.app.cfg.look():
		m.before = q.app.cfg.System.sight()
	case q.warm:
		m.start = trial.Now()
	case q.warm + q.timed:
		m.end = trial.Now()
	}
}

// collect takes the result and destroys what is left.
func (q *queue[T]) collect(c *edt.Ctx, _ edt.Args) guid.GUID {
	cfg, a := q.app.cfg, q.app
	a.result = Result{Config: cfg, Transfers: cfg.Transfers, Collections: collections() - q.began}
	for side, m := range q.marks {
		a.result.Ends[side] = m.endOf(m.end - m.start)
	}
	if q.wrong != 0 {
		a.err = cfg.WrongElements(q.wrong)
	}
	for _, block := range q.blocks {
		c.DestroyBlock(block)
	}
	c.DestroyEvent(q.credits)
	c.DestroyEvent(q.filled)
	c.DestroyTemplate(q.turn[0])
	c.DestroyTemplate(q.turn[1])
	a.done = true
	return guid.Null
}
