package c2c

import (
	"fmt"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
)

// A chain is the head of each block that a chain of EDTs passes on. The EDTs run alternately on the two ends. EDT k
// runs on side k mod 2. Transfer k makes it ready: EDT k-1 satisfies its event with the block that holds the elements.
// EDT k checks that all elements hold k, writes k+1, and passes them on. An event carries:
//
//	single, array   one block, to and fro
//	dual            each side's own block, which the other side only reads
//
// Main creates all EDTs and events.
//
// Concurrency: EDTs of the chain run one after the other, so an EDT may read what the one before it wrote to a block
// that both hold.
type chain struct {
	at          [2]edt.Affinity // place of each side's EDTs
	warm, timed uint64          // transfers before the timed part, and in it
	last        uint64          // the EDT that ends the chain
	blocks      [2]guid.GUID    // each side's own block; equal if there is one block
	over        guid.GUID       // event that the last EDT satisfies

	width, length, line int
	one                 bool // one block passes to and fro: the EDTs have one slot
	_                   [apart]byte

	// The EDTs write the fields below rarely; both sides read the fields above in every EDT.
	marks [2]mark
}

// A mark is the result of one side of the chain.
type mark struct {
	start, end    int64
	wrong         uint64
	before, after trial.Sight
	_             [apart]byte
}

// hops are the templates of the chain's EDTs, by the bytes of an element: with one slot, and with two.
var hops [9][2]*edt.Template

func init() {
	makeHops[uint8]()
	makeHops[uint16]()
	makeHops[uint32]()
	makeHops[uint64]()
}

func makeHops[T cell.Word]() {
	width := unsafe.Sizeof(T(0))
	hops[width] = [2]*edt.Template{
		edt.NewTemplate(fmt.Sprintf("c2c.hop.%d", width), 3, 1, passOne[T]),
		edt.NewTemplate(fmt.Sprintf("c2c.hop.%d.both", width), 3, 2, pass[T]),
	}
}

// chain creates the graph, and returns each side's own block.
//
// A's time is from the beginning of EDT warm to that of EDT warm+timed, B's from that of EDT warm+1 to that of EDT
// warm+timed+1. Two more EDTs, after both, record the threads' processors.
func (a *App) chain(c *edt.Ctx) [2]guid.GUID {
	cfg := &a.cfg
	warm, timed := uint64(cfg.Warmup), uint64(cfg.Transfers)
	h := chain{
		at: places(c), warm: warm, timed: timed, last: warm + timed + 3, over: c.NewEvent(edt.Once),
		width: cfg.Width, length: cfg.Length, line: cfg.Line,
		one: cfg.Test != Dual,
	}
	var heads [2]*chain
	newBlock := func() (guid.GUID, *chain) {
		block, bytes := c.NewBlock(cfg.taskBlock())
		return block, chainView.Of(bytes)
	}
	h.blocks[0], heads[0] = newBlock()
	h.blocks[1], heads[1] = h.blocks[0], heads[0]
	if !h.one {
		h.blocks[1], heads[1] = newBlock()
	}
	deliver := c.NewTemplate("c2c.deliver", 0, 3, a.deliver)
	c.NewEDT(deliver, nil, edt.From(h.over, datablock.Null),
		edt.From(h.blocks[0], datablock.RW), edt.From(h.blocks[1], datablock.RW))
	c.DestroyTemplate(deliver)
	*heads[0], *heads[1] = h, h

	first := c.NewEvent(edt.Once)
	next := h.newHop(c, 0, first)
	for k := uint64(1); k <= h.last; k++ {
		next = h.newHop(c, k, next)
	}
	c.Release(h.blocks[0])
	if h.blocks[1] != h.blocks[0] {
		c.Release(h.blocks[1])
	}
	payload := guid.Null
	if h.one {
		payload = h.blocks[0]
	}
	c.Satisfy(first, payload)
	return h.blocks
}

// newHop creates EDT k, which waits for ready. It returns the event that EDT k satisfies.
func (h *chain) newHop(c *edt.Ctx, k uint64, ready guid.GUID) (next guid.GUID) {
	if k < h.last {
		next = c.NewEvent(edt.Once)
	}
	hi, lo := next.Words()
	side := k & 1
	if h.one {
		c.NewEDTAt(h.at[side], hops[h.width][0], edt.Params(k, hi, lo), edt.From(ready, datablock.RW))
		return next
	}
	c.NewEDTAt(h.at[side], hops[h.width][1], edt.Params(k, hi, lo), edt.From(ready, datablock.RO),
		edt.From(h.blocks[side], datablock.RW))
	return next
}

// passOne is the body of an EDT of the chain if one block passes to and fro.
func passOne[T cell.Word](c *edt.Ctx, in edt.Args) guid.GUID {
	k, block := in.Param(0), in.Dep(0)
	h := chainOf(block)
	h.arrive(k)
	elements := elementsOf[T](h)
	h.check(k, cell.Match(elements, T(k)))
	cell.Fill(elements, T(k+1))
	h.send(c, in, block.GUID())
	return guid.Null
}

// pass is the body of an EDT of the chain in test dual. Slot 0 has the other side's block, none in the first EDT; slot
// 1 has the side's own block.
func pass[T cell.Word](c *edt.Ctx, in edt.Args) guid.GUID {
	k, got, own := in.Param(0), in.Dep(0), in.Dep(1)
	h := chainOf(own)
	h.arrive(k)
	if !got.IsNull() {
		h.check(k, cell.Match(elementsOf[T](chainOf(got)), T(k)))
	}
	cell.Fill(elementsOf[T](h), T(k+1))
	h.send(c, in, own.GUID())
	return guid.Null
}

// check counts the elements that do not hold what the other side sent; right of them do.
func (h *chain) check(k uint64, right int) {
	if right != h.length {
		h.marks[k&1].wrong += uint64(h.length - right)
	}
}

// send makes transfer k+1: it passes a block on to EDT k+1; the last EDT ends the chain instead. It first releases all
// blocks that the EDT holds, also those that it has only read: the next EDT may write them.
func (h *chain) send(c *edt.Ctx, in edt.Args, block guid.GUID) {
	k := in.Param(0)
	if k < 2 {
		h.marks[k&1].before = trial.See()
	}
	if k+1 >= h.last {
		h.marks[k&1].after = trial.See()
	}
	ready := guid.FromWords(in.Param(1), in.Param(2))
	if k == h.last {
		ready, block = h.over, guid.Null
	}
	for d := range in.Deps() {
		if held := in.Dep(d); !held.IsNull() {
			c.ReleaseDep(held)
		}
	}
	c.Satisfy(ready, block)
}

// arrive reads the clock at the beginning of EDT k, if a side's time begins or ends there.
func (h *chain) arrive(k uint64) {
	m := &h.marks[k&1]
	if k-h.warm < 2 {
		m.start = trial.Now()
	}
	if k-h.warm-h.timed < 2 {
		m.end = trial.Now()
	}
}

// deliver makes the result, and destroys the remaining objects.
func (a *App) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	a.result, a.err, a.done = Result{Config: a.cfg}, nil, true
	wrong := uint64(0)
	for side := range 2 {
		h := chainOf(in.Dep(1 + side))
		m := &h.marks[side]
		a.result.Ends[side] = endOf(m.end-m.start, m.before, m.after)
		wrong += m.wrong
	}
	if wrong != 0 {
		a.err = a.cfg.WrongElements(wrong)
	}
	first, second := in.Dep(1).GUID(), in.Dep(2).GUID()
	c.DestroyBlock(first)
	if second != first {
		c.DestroyBlock(second)
	}
	return guid.Null
}
