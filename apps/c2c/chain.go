package c2c

import (
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
	"ocr/guid"
)

// A chain is a trial of form [EDT]: EDTs that run alternately on the two ends, EDT k on side k mod 2. Main creates all
// EDTs and their events. Transfer k makes EDT k ready: EDT k-1 satisfies EDT k's event with the block that holds the
// elements. EDT k checks that all elements hold k, writes k+1, and passes them on. An event carries:
//
//	single, array   one block, to and fro
//	dual            the block of the sender, which the other side only reads
//
// A's time is from the beginning of EDT warm to that of EDT warm+timed, B's from that of EDT warm+1 to that of EDT
// warm+timed+1. The first two EDTs and the last two record the threads' processors.
//
// Concurrency: EDTs of the chain run one after the other. Both sides read the fields before marks in every EDT.
type chain struct {
	warm, timed  uint64 // transfers before the timed part, and in it
	last         uint64 // the EDT that ends the chain
	length, line int
	blocks       [2]guid.GUID // each side's own block; equal if there is one block
	_            [apart]byte
	marks        [2]mark
}

// A mark is the result of one side of the chain.
type mark struct {
	start, end    int64
	wrong         uint64
	before, after trial.Sight
	_             [apart]byte
}

// chain creates the graph, and returns its state.
func (a *App) chain(c *edt.Ctx) *chain {
	cfg := &a.cfg
	warm, timed := uint64(cfg.Warmup), uint64(cfg.Transfers)
	h := &chain{warm: warm, timed: timed, last: warm + timed + 3, length: cfg.Length, line: cfg.Line}
	h.blocks[0] = c.NewBlockNoAcquire(cfg.memory())
	h.blocks[1] = h.blocks[0]
	if cfg.Test == Dual {
		h.blocks[1] = c.NewBlockNoAcquire(cfg.memory())
	}
	over, first := c.NewEvent(edt.Once), c.NewEvent(edt.Once)
	trial.When(c, "c2c.deliver", []edt.Source{edt.From(over, datablock.Null)},
		func(c *edt.Ctx, _ edt.Args) { a.deliver(c, h) })
	h.create(c, cfg, first, over)
	payload := h.blocks[0]
	if cfg.Test == Dual {
		payload = guid.Null
	}
	c.Satisfy(first, payload)
	return h
}

// create creates the EDTs of the chain: the first waits for ready, the last satisfies over. With one block an EDT has
// one slot; in test dual slot 0 has the other side's block, none in the first EDT, and slot 1 the side's own.
func (h *chain) create(c *edt.Ctx, cfg *Config, ready, over guid.GUID) {
	body := map[int]edt.Func{1: pass[uint8](h), 2: pass[uint16](h), 4: pass[uint32](h), 8: pass[uint64](h)}[cfg.Width]
	one, both := c.NewTemplate("c2c.hop", 3, 1, body), c.NewTemplate("c2c.hop.both", 3, 2, body)
	at := places(c)
	for k := range h.last + 1 {
		next, side := over, k&1
		if k < h.last {
			next = c.NewEvent(edt.Once)
		}
		hi, lo := next.Words()
		if cfg.Test == Dual {
			c.NewEDTAt(at[side], both, edt.Params(k, hi, lo), edt.From(ready, datablock.RO),
				edt.From(h.blocks[side], datablock.RW))
		} else {
			c.NewEDTAt(at[side], one, edt.Params(k, hi, lo), edt.From(ready, datablock.RW))
		}
		ready = next
	}
	c.DestroyTemplate(one)
	c.DestroyTemplate(both)
}

// pass returns the body of the EDTs of a chain. EDT k makes transfer k+1: it passes its own block, which is in its last
// slot, on to EDT k+1. It first releases all blocks that it holds, also one that it has only read: the next EDT may
// write them.
func pass[T cell.Word](h *chain) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		k, got, own := in.Param(0), in.Dep(0), in.Dep(len(in.Deps())-1)
		h.arrive(k)
		if !got.IsNull() {
			if right := cell.Match(elements[T](h, got), T(k)); right != h.length {
				h.marks[k&1].wrong += uint64(h.length - right)
			}
		}
		cell.Fill(elements[T](h, own), T(k+1))
		h.leave(k)
		block := own.GUID()
		trial.Release(c)
		if k == h.last {
			block = guid.Null
		}
		c.Satisfy(guid.FromWords(in.Param(1), in.Param(2)), block)
		return guid.Null
	}
}

// elements returns the elements in a block, at the place that Line chooses. It does not check the block's length: on
// another worker the length is in a line that may still be on its way.
func elements[T cell.Word](h *chain, block *datablock.Dep) []T {
	return unsafe.Slice((*T)(unsafe.Add(block.Memory(), h.line*lineStep)), h.length)
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

// leave records the thread's processor in a side's first EDT, and in its last.
func (h *chain) leave(k uint64) {
	m := &h.marks[k&1]
	if k < 2 {
		m.before = trial.See()
	}
	if k+1 >= h.last {
		m.after = trial.See()
	}
}

func (a *App) deliver(c *edt.Ctx, h *chain) {
	a.result, a.err = Result{Config: a.cfg}, nil
	wrong := uint64(0)
	for side := range h.marks {
		m := &h.marks[side]
		a.result.Ends[side] = endOf(m.end-m.start, m.before, m.after)
		wrong += m.wrong
	}
	if wrong != 0 {
		a.err = a.cfg.WrongElements(wrong)
	}
	c.DestroyBlock(h.blocks[0])
	if h.blocks[1] != h.blocks[0] {
		c.DestroyBlock(h.blocks[1])
	}
}
