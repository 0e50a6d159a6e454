package overhead

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func blockRows() []*Row {
	return []*Row{
		makeRow(64), makeRow(4 << 10), makeRow(1 << 20),
		holdRow(datablock.RW, false), holdRow(datablock.EW, false, mutex(false)), holdRow(datablock.RO, false),
		holdRow(datablock.EW, true, mutex(true)), holdRow(datablock.RO, true),
	}
}

// makeRow creates blocks and destroys them, for some 10 us at a time.
func makeRow(size int) *Row {
	n := min(pairs, max(4, 1<<20/size))
	return call{n: n, act: func(c *edt.Ctx, l *lane) {
		for range l.objects {
			g, _ := c.NewBlock(size)
			c.DestroyBlock(g)
		}
	}}.row(fmt.Sprintf("block-create-destroy/bytes=%d", size),
		"creating a block of so many zeroed bytes, held by the EDT, and destroying it",
		loop("make-bytes", n, func() func(int) int { return makeBytes(size) }))
}

// makeBytes makes byte slices, and leaves them to the collector.
func makeBytes(size int) func(n int) int {
	var kept atomic.Pointer[[]byte]
	return func(n int) int {
		for range n {
			b := make([]byte, size)
			kept.Store(&b)
		}
		return n
	}
}

// A block that EDTs of a chain hold has the number of those that have written, and a word that all of them check.
const (
	heldBytes = 64
	seenWord  = 42
)

// holdRow is a chain of EDTs that hold a block in turn: of the worker's own, or one that the chains of all workers
// share.
func holdRow(mode datablock.Mode, shared bool, beside ...Form) *Row {
	of, whose, workers := "own", "of the worker's own", 1
	if shared {
		of, whose, workers = "shared", "that the chains of all workers share", 2
	}
	var check *edt.Template
	g := graph{parts: chainLen, everyWorker: true}
	g.open = func(c *edt.Ctx, r *lanes) {
		check = checker(c, mode)
		for k, l := range r.all {
			if l.block = r.all[0].block; k == 0 || !shared {
				l.block = newHeld(c)
			}
		}
	}
	g.build = func(c *edt.Ctx, l *lane, end guid.GUID) {
		hi, lo := end.Words()
		c.NewEDT(holders[mode], edt.Params(chainLen-1, hi, lo), edt.From(l.block, mode))
	}
	g.end = func(c *edt.Ctx, r *lanes) {
		for block, writes := range held(r) {
			c.NewEDT(check, edt.Params(uint64(writes)), edt.From(block, datablock.RO))
		}
	}
	row := g.row(fmt.Sprintf("acquire-release/mode=%v/block=%s", mode, of),
		"an EDT of a chain that acquires a block "+whose+", uses a word and releases it", "", beside...)
	row.MinWorkers = workers
	return row
}

// holders are the templates of EDTs that hold a block and make the next one, by mode.
var holders = map[datablock.Mode]*edt.Template{
	datablock.RW: holder(datablock.RW), datablock.EW: holder(datablock.EW), datablock.RO: holder(datablock.RO),
}

func holder(mode datablock.Mode) (t *edt.Template) {
	t = edt.NewTemplate("overhead.hold-"+mode.String(), 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		block := in.Dep(0).GUID()
		use(in.Dep(0), mode)
		c.Release(block)
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

// checker makes the template of an EDT that checks a block, and destroys it: each EDT that may write has counted
// itself.
func checker(c *edt.Ctx, mode datablock.Mode) *edt.Template {
	return c.NewTemplate("overhead.check", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		due := in.Param(0)
		if mode == datablock.RO {
			due = 0
		}
		expect("EDTs that wrote the block", due, datablock.Slice[uint64](in.Dep(0))[0])
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	})
}

// newHeld makes a block for holders, and releases it.
func newHeld(c *edt.Ctx) guid.GUID {
	g, bytes := c.NewBlock(heldBytes)
	datablock.SliceOf[uint64](bytes)[1] = seenWord
	c.Release(g)
	return g
}

// held returns the blocks, and how many EDTs have held each.
func held(r *lanes) map[guid.GUID]int {
	edts := make(map[guid.GUID]int)
	for _, l := range r.all {
		edts[l.block] += l.ops
	}
	return edts
}

// mutex takes a lock: of the worker's own, or one for all.
func mutex(shared bool) Form {
	type guarded struct {
		sync.Mutex
		value int
		_     [112]byte // lines away from the next
	}
	var one guarded
	return loop("mutex", 1000, func() func(n int) int {
		g := new(guarded)
		if shared {
			g = &one
		}
		return func(n int) (done int) {
			for range n {
				g.Lock()
				g.value++
				g.Unlock()
				done++
			}
			return done
		}
	})
}
