//ocrvet:ignore shared the EDTs of a chain run one after the other

package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
)

// A handOff is the graph of a chain of EDTs that run alternately on the two workers
// (on one, in form [Local]). EDT k runs on side k mod 2 and is made ready by
// transfer k: the satisfaction of its event by EDT k-1, with the block that holds
// the elements. It checks that all hold k, writes k+1, and passes them on. What an
// event carries:
//
//	single, array       one block, to and fro
//	dual, dual-array    each side's own block, which the other side only reads
//	flow                the block one way, nothing but the trigger the other
//
// In form [EDT] main has made all EDTs and events; otherwise every EDT makes the
// next, and its event, before it passes the elements on.
//
// Concurrency: EDTs of the chain run one after the other, so whatever one writes
// here the next may read.
type handOff[T cell.Word] struct {
	app         *App
	cfg         *Config
	at          [2]edt.Affinity // where the EDTs of each side run
	look        uint64          // EDT after which each side looks at its thread
	warm, timed uint64          // transfers before the timed part, and in it
	last        uint64          // the EDT that ends the chain

	hop    *edt.Template
	blocks [2]guid.GUID // each side's own; the same if there is one
	one    bool         // one block goes to and fro: there is no second slot
	made   bool         // the graph was made beforehand
	parked bool

	began int64 // garbage collections before
	wrong uint64
	sent  int64 // form Parked: when the latest transfer was sent
	marks [2]mark
}

// A mark is what one side of the chain notes.
type mark struct {
	start, end    int64
	late          int64 // form Parked: sum of the times from send to start
	before, after Sight
	_             [apart]byte
}

func newHandOff[T cell.Word](a *App) *handOff[T] {
	c := &a.cfg
	warm, timed := uint64(c.Warmup), uint64(c.Transfers)
	return &handOff[T]{
		app: a, cfg: c, look: c.look(), warm: warm, timed: timed, last: warm + timed + 3,
		one: c.Test == Single || c.Test == Array, made: c.Form == EDT, parked: c.Form == Parked,
	}
}

// A times from the beginning of EDT warm to that of EDT warm+timed, B from one later
// to one later. Two EDTs more, after both, look at the threads.
func (h *handOff[T]) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	h.began = collections()
	h.at = [2]edt.Affinity{c.Bind(0), c.Bind(1 % c.Workers())}
	if h.cfg.Form == Local {
		h.at[1] = h.at[0]
	}
	h.blocks[0] = c.NewBlockNoAcquire(h.cfg.taskBlock())
	h.blocks[1] = h.blocks[0]
	if h.cfg.Test == Dual || h.cfg.Test == DualArray {
		h.blocks[1] = c.NewBlockNoAcquire(h.cfg.taskBlock())
	}
	payload := guid.Null
	if h.one {
		payload = h.blocks[0]
		h.hop = c.NewTemplate("c2c.hop", 3, 1, h.passOne)
	} else {
		h.hop = c.NewTemplate("c2c.hop", 3, 2, h.pass)
	}
	first := c.NewEvent(edt.Once)
	next := h.newHop(c, 0, first)
	for k := uint64(1); h.made && k <= h.last; k++ {
		next = h.newHop(c, k, next)
	}
	c.Satisfy(first, payload)
	return guid.Null
}

// newHop makes EDT k, which waits for ready. It returns the event that EDT k is to
// satisfy if the graph is made beforehand.
func (h *handOff[T]) newHop(c *edt.Ctx, k uint64, ready guid.GUID) (next guid.GUID) {
	if h.made && k < h.last {
		next = c.NewEvent(edt.Once)
	}
	hi, lo := next.Words()
	side := k & 1
	if h.one {
		c.NewEDTAt(h.at[side], h.hop, edt.Params(k, hi, lo), edt.From(ready, datablock.RW))
		return next
	}
	own := h.blocks[side]
	if h.cfg.Test == Flow && side == 1 {
		own = guid.Null
	}
	c.NewEDTAt(h.at[side], h.hop, edt.Params(k, hi, lo), edt.From(ready, datablock.RO), edt.From(own, datablock.RW))
	return next
}

// passOne is an EDT of the chain if one block goes to and fro.
func (h *handOff[T]) passOne(c *edt.Ctx, in edt.Args) guid.GUID {
	k := in.Param(0)
	h.arrive(k)
	block := in.Dep(0)
	elements := elementsOf[T](h.cfg, block)
	h.check(elements, k)
	cell.Fill(elements, T(k+1))
	h.send(c, in, k, block.GUID())
	return guid.Null
}

// pass is an EDT of the chain in the other tests: slot 0 brings what the other side
// sent, slot 1 the side's own block.
func (h *handOff[T]) pass(c *edt.Ctx, in edt.Args) guid.GUID {
	k := in.Param(0)
	h.arrive(k)
	got, own := in.Dep(0), in.Dep(1)
	if brings := k != 0 && (h.cfg.Test != Flow || k&1 == 1); brings {
		h.check(elementsOf[T](h.cfg, got), k)
	}
	if !own.IsNull() {
		cell.Fill(elementsOf[T](h.cfg, own), T(k+1))
	}
	h.send(c, in, k, own.GUID())
	return guid.Null
}

// check counts elements that do not hold k. It writes only if there are some: both
// sides read what lies beside the count, in every EDT.
func (h *handOff[T]) check(elements []T, k uint64) {
	if n := cell.Match(elements, T(k)); n != h.cfg.Length {
		h.wrong += uint64(h.cfg.Length - n)
	}
}

// send makes transfer k+1: it passes a block on to EDT k+1.
func (h *handOff[T]) send(c *edt.Ctx, in edt.Args, k uint64, block guid.GUID) {
	if k+1 >= h.last {
		h.marks[k&1].after = h.cfg.System.sight()
	}
	if k == h.last {
		h.finish(c)
		return
	}
	ready := guid.FromWords(in.Param(1), in.Param(2))
	if !h.made {
		ready = c.NewEvent(edt.Once)
		h.newHop(c, k+1, ready)
	}
	if !block.IsNull() {
		c.Release(block)
	}
	if h.parked {
		h.pause()
	}
	c.Satisfy(ready, block)
	if k-h.look < 2 {
		h.marks[k&1].before = h.cfg.System.sight()
	}
}

// pause gives the receiver time to fall asleep, and notes when it is over.
func (h *handOff[T]) pause() {
	start := trial.Now()
	for h.sent = start; h.sent-start < h.cfg.Pause.Nanoseconds(); h.sent = trial.Now() {
	}
}

// arrive notes the beginning of EDT k if it is one that a side's time begins or
// ends with.
func (h *handOff[T]) arrive(k uint64) {
	if h.parked && k > h.warm && k <= h.warm+h.timed {
		h.marks[k&1].late += trial.Now() - h.sent
	}
	m := &h.marks[k&1]
	if k-h.warm < 2 {
		m.start = trial.Now()
	}
	if k-h.warm-h.timed < 2 {
		m.end = trial.Now()
	}
}

// finish destroys what is left and hands the result over.
func (h *handOff[T]) finish(c *edt.Ctx) {
	c.DestroyTemplate(h.hop)
	c.DestroyBlock(h.blocks[0])
	if h.blocks[1] != h.blocks[0] {
		c.DestroyBlock(h.blocks[1])
	}
	r := Result{Config: *h.cfg, Transfers: h.cfg.Transfers, Collections: collections() - h.began}
	for side, m := range h.marks {
		elapsed := m.end - m.start
		if h.parked {
			elapsed = 2 * m.late // a side sees every other transfer arrive
		}
		r.Ends[side] = endOf(elapsed, m.before, m.after)
	}
	a := h.app
	a.result, a.err, a.done = r, nil, true
	if h.wrong != 0 {
		a.err = h.cfg.WrongElements(h.wrong)
	}
}
