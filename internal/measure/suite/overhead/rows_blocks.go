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
		holdRow(datablock.RW, false), holdRow(datablock.EW, false, mutex(false)), holdRow(datablock.RO, false),
		holdRow(datablock.EW, true, mutex(true)).on(2), holdRow(datablock.RO, true).on(2),
	}
}

// makeRow creates and destroys blocks, for some 10 us at a time.
func makeRow(size int) *Row {
	n := min(pairs, max(4, 1<<20/size))
	return call{n: n, act: func(c *edt.Ctx, o *objects) {
		for range o.all {
			g, _ := c.NewBlock(size)
			c.DestroyBlock(g)
		}
	}}.row(fmt.Sprintf("block-create-destroy/bytes=%d", size),
		"creating a block of so many zeroed bytes, held by the EDT, and destroying it",
		each("make-bytes", n, func(n int) int { // the collector frees them
			for range n {
				goruntime.KeepAlive(make([]byte, size))
			}
			return n
		}))
}

// heldBytes is the size of a block that EDTs of chains hold. Its first word counts the EDTs that have written it.
const heldBytes = 64

// holdRow is a chain of EDTs on each worker that hold a block in turn: a block for each chain, or one for all.
func holdRow(mode datablock.Mode, shared bool, beside ...[]Form) *Row {
	of, whose := "own", "of the worker's own"
	if shared {
		of, whose = "shared", "that the chains of all workers share"
	}
	var blocks []guid.GUID
	w := work{ops: chainLen, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		if l.worker == 0 {
			blocks = nil
		}
		if l.worker == 0 || !shared {
			g, _ := c.NewBlock(heldBytes)
			c.Release(g)
			blocks = append(blocks, g)
		}
		block := blocks[len(blocks)-1]
		return chain(c, l, func(c *edt.Ctx, params []uint64) { c.NewEDT(holders[mode], params, edt.From(block, mode)) })
	}}
	w.close = func(c *edt.Ctx, all []lane) {
		check := c.NewTemplate("overhead.check", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			expect("EDTs that wrote the block", in.Param(0), datablock.Slice[uint64](in.Dep(0))[0])
			c.DestroyBlock(in.Dep(0).GUID())
			return guid.Null
		})
		for k, g := range blocks {
			writes := uint64(0)
			for of := range all {
				if mode != datablock.RO && (shared || of == k) {
					writes += uint64(all[of].rounds * chainLen)
				}
			}
			c.NewEDT(check, edt.Params(writes), edt.From(g, datablock.RO))
		}
	}
	return row(fmt.Sprintf("acquire-release/mode=%v/block=%s", mode, of),
		"an EDT of a chain that acquires a block "+whose+", uses a word and releases it", w.as(""), beside...)
}

// holders are the templates of EDTs that hold a block and create the next EDT, by mode.
var holders = map[datablock.Mode]*edt.Template{
	datablock.RW: holder(datablock.RW), datablock.EW: holder(datablock.EW), datablock.RO: holder(datablock.RO),
}

func holder(mode datablock.Mode) (t *edt.Template) {
	t = edt.NewTemplate("overhead.hold-"+mode.String(), 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		block, words := in.Dep(0).GUID(), datablock.Slice[uint64](in.Dep(0))
		if mode != datablock.RO { // in RW no other EDT holds it at the same time
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

// mutex takes a lock: one for each worker, or one for all.
func mutex(shared bool) []Form {
	type guarded struct {
		sync.Mutex
		value int
		_     [112]byte // lines away from the next
	}
	var one guarded
	return each("mutex", 1000, func(n int) (done int) {
		g := new(guarded)
		if shared {
			g = &one
		}
		for range n {
			g.Lock()
			g.value++
			g.Unlock()
			done++
		}
		return done
	})
}
