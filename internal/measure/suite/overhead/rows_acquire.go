package overhead

import (
	"fmt"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Blocks of chains hold the number of EDTs that have written, and a word that all EDTs check.
const (
	blockBytes = 64
	seenWord   = 42
)

// modes are the access modes that chains hold a block in.
var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}

// holders are the templates of EDTs that hold a block and make the next one, by mode.
var holders = func() map[datablock.Mode]*edt.Template {
	all := make(map[datablock.Mode]*edt.Template)
	for _, mode := range modes {
		all[mode] = holder(mode)
	}
	return all
}()

func holder(mode datablock.Mode) (t *edt.Template) {
	t = edt.NewTemplate("overhead.hold-"+mode.String(), 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		block := in.Dep(0).GUID()
		if mode != datablock.Null {
			use(in.Dep(0), mode)
			c.Release(block)
		}
		if left := in.Param(0); left > 0 {
			c.NewEDT(t, edt.Params(left-1, in.Param(1), in.Param(2)), edt.From(block, mode))
		} else {
			over(c, in)
		}
		return guid.Null
	})
	return t
}

// use writes where the mode allows it, and checks what it reads.
func use(d *datablock.Dep, mode datablock.Mode) {
	words := datablock.Slice[uint64](d)
	if words[1] != seenWord {
		expect("word of a block", seenWord, words[1])
	}
	switch mode {
	case datablock.RW: // other EDTs may hold it in this mode too
		atomic.AddUint64(&words[0], 1)
	case datablock.EW:
		words[0]++
	}
}

func acquireRows() []*Row {
	var own, shared []*Row
	for _, mode := range modes {
		name := fmt.Sprintf("acquire-release/mode=%v/block=", mode)
		own = append(own, &Row{Name: name + "own", measure: holding(mode, false).measure,
			What: "an EDT of a chain that acquires a block of the worker's own, uses a word and releases it; " +
				"mode Null is the chain alone"})
		if mode != datablock.Null {
			shared = append(shared, &Row{Name: name + "shared", MinWorkers: 2, measure: holding(mode, true).measure,
				What: "the same with chains on all workers that share one block"})
		}
		switch k := len(own) - 1; mode {
		case datablock.EW:
			own[k].Peers, shared[k].Peers = []Peer{mutex(false)}, []Peer{mutex(true)}
		case datablock.RO:
			own[k].Peers, shared[k].Peers = []Peer{rwMutex(false)}, []Peer{rwMutex(true)}
		}
	}
	return append(own, shared...)
}

// holding is a chain of EDTs that hold a block in turn.
func holding(mode datablock.Mode, shared bool) chain {
	o := chain{first: func(c *edt.Ctx, l *lane, params []uint64) {
		c.NewEDT(holders[mode], params, edt.From(l.block, mode))
	}}
	o.perOp = ran(1)
	o.last = func(r *team, c *edt.Ctx) { r.checkHeld(c, mode) }
	ofBlock := plus(aBlock, ran(1)) // which checks it
	if !shared {
		o.perLane = ofBlock
		o.open = func(c *edt.Ctx, l *lane) { l.block = newHeld(c) }
		return o
	}
	o.perRun = ofBlock
	o.begin = func(r *team, c *edt.Ctx) {
		block := newHeld(c)
		for _, l := range r.lanes {
			l.block = block
		}
	}
	return o
}

// newHeld makes a block for holders, and releases it.
func newHeld(c *edt.Ctx) guid.GUID {
	g, bytes := c.NewBlock(blockBytes)
	datablock.SliceOf[uint64](bytes)[1] = seenWord
	c.Release(g)
	return g
}

// checkHeld checks every block that was held, and destroys it: each EDT that may write
// has counted itself.
func (r *team) checkHeld(c *edt.Ctx, mode datablock.Mode) {
	check := r.template(c, "overhead.check", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		due := in.Param(0)
		if mode != datablock.RW && mode != datablock.EW {
			due = 0
		}
		expect("EDTs that wrote the block", due, datablock.Slice[uint64](in.Dep(0))[0])
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	})
	steps := make(map[guid.GUID]uint64)
	for _, l := range r.lanes {
		steps[l.block] += l.all
	}
	for block, n := range steps {
		c.NewEDT(check, edt.Params(n), edt.From(block, datablock.RO))
	}
}
