package overhead

import (
	"fmt"
	goruntime "runtime"
	"sync"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func blockRows() []*Row {
	return []*Row{
		makeRow(64), makeRow(4 << 10), makeRow(1 << 20),
		holdRow(datablock.RW), holdRow(datablock.EW, each("mutex", 1000, lockings)), holdRow(datablock.RO),
	}
}

// makeRow creates and destroys blocks of a size, fewer at a time if they are large.
func makeRow(size int) *Row {
	n := min(pairs, max(4, 1<<20/size))
	return call{n: n, act: func(c *edt.Ctx, o *objects) {
		for range o.all {
			g, _ := c.NewBlock(size)
			c.DestroyBlock(g)
		}
	}}.row(fmt.Sprintf("block-create-destroy/bytes=%d", size),
		"creating a block of so many zeroed bytes, held by the EDT, and destroying it",
		each("make-bytes", n, func(n int) int { // the garbage collector frees them
			for range n {
				goruntime.KeepAlive(make([]byte, size))
			}
			return n
		}))
}

// heldBytes is the size of a block that the EDTs of a chain hold. The first word counts the EDTs that have written it.
const heldBytes = 64

// holdRow is a chain of EDTs on each worker that hold the worker's block, which the last EDT checks and destroys.
func holdRow(mode datablock.Mode, beside ...Form) *Row {
	writes := uint64(chainLen)
	if mode == datablock.RO {
		writes = 0
	}
	return row(fmt.Sprintf("acquire-release/mode=%v/block=own", mode),
		"an EDT of a chain, from its creation on, that acquires the worker's own block, uses a word and releases it",
		work{ops: chainLen, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
			end := c.NewTemplate("overhead.hold-end", 0, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
				expect("EDTs that wrote the block", writes, datablock.Slice[uint64](in.Dep(1))[0])
				c.DestroyBlock(in.Dep(1).GUID())
				l.end(c)
				return guid.Null
			})
			return func(c *edt.Ctx) {
				block, _ := c.NewBlock(heldBytes)
				c.Release(block)
				hi, lo := c.NewEDTAt(l.home(c), end, nil, edt.Open, edt.From(block, datablock.RO)).Words()
				c.NewEDT(holders[mode], edt.Params(chainLen-1, hi, lo), edt.From(block, mode))
			}
		}}.as(""), beside...)
}

// holders are the templates of EDTs that hold a block and create the next EDT, by mode.
var holders = map[datablock.Mode]*edt.Template{
	datablock.RW: holder(datablock.RW), datablock.EW: holder(datablock.EW), datablock.RO: holder(datablock.RO),
}

func holder(mode datablock.Mode) (t *edt.Template) {
	t = edt.NewTemplate("overhead.hold-"+mode.String(), 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		block, words := in.Dep(0).GUID(), datablock.Slice[uint64](in.Dep(0))
		if mode != datablock.RO { // in RW no other EDT holds the block at the same time
			words[0]++
		} else if words[0] != 0 {
			expect("EDTs that wrote the block", 0, words[0])
		}
		c.Release(block)
		if left := in.Param(0); left > 0 {
			c.NewEDT(t, edt.Params(left-1, in.Param(1), in.Param(2)), edt.From(block, mode))
		} else {
			signal(c, in)
		}
		return guid.Null
	})
	return t
}

func lockings(n int) (done int) {
	var lock sync.Mutex
	for range n {
		lock.Lock()
		done++
		lock.Unlock()
	}
	return done
}
