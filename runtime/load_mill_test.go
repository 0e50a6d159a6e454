package runtime

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A mill is a program that runs for any number of EDTs. It has strands; each EDT of a strand creates the next one, in
// one of several ways drawn at random. It destroys what it has used, so the memory of the mill stays the same.
type mill struct {
	strands int
	turns   uint64                        // of each strand
	tick    func(c *edt.Ctx, left uint64) // called by each turn, if it is not nil

	turn, help, scope *edt.Template
	shared            guid.GUID // a block in which the strands count turns
	counted           uint64    // what shared has at the end
	want              atomic.Uint64
	broken, ended     atomic.Bool

	sampling sync.Mutex // see sample
	sampled  map[uint64]bool
}

// The ways in which a turn makes the next turn ready. Most turns draw byNothing: at once, on the same worker.
const (
	elsewhere = iota // on another worker
	byEvent          // by an EDT with an output event
	byBlock          // with a block
	byShared         // with the block that all strands use
	byScope          // by the end of a finish scope
	byNothing
)

// main starts the strands and, behind all of them, the EDT that destroys the objects of the mill.
func (m *mill) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	m.turn = c.NewTemplate("turn", 3, 1, does(m.take))
	m.help = body(c, func(*edt.Ctx) {})
	m.scope = body1(c, func(c *edt.Ctx) {
		c.NewEDT(m.help, nil)
		c.NewEDTAt(c.Place((c.Worker()+1)%c.Workers()), m.help, nil)
	})
	m.shared = c.NewBlockNoAcquire(8)
	first, all := c.Spawn(body1(c, func(c *edt.Ctx) {
		for k := range m.strands {
			m.next(c, uint64(k+1)*0x9e3779b97f4a7c15, m.turns)
		}
	}), &edt.Spec{Finish: true, Output: true})
	c.NewEDT(c.NewTemplate("end", 0, 2, does(func(c *edt.Ctx, in edt.Args) {
		m.counted = datablock.Slice[uint64](in.Dep(1))[0]
		c.DestroyBlock(m.shared)
		m.ended.Store(true)
	})), nil, edt.From(all, datablock.Null), edt.From(m.shared, datablock.RO))
	c.AddDependence(guid.Null, first, 0, datablock.Null)
	return guid.Null
}

// take uses and destroys what the turn before has handed over, and creates the next turn.
func (m *mill) take(c *edt.Ctx, in edt.Args) {
	state, left := in.Param(0), in.Param(1)
	if m.tick != nil {
		m.tick(c, left)
	}
	switch d := in.Dep(0); in.Param(2) {
	case byBlock:
		if b := d.Bytes(); b[0] != byte(state) || b[len(b)-1] != byte(state) {
			m.broken.Store(true)
		}
		c.DestroyBlock(d.GUID())
	case byShared:
		datablock.Slice[uint64](d)[0]++
	}
	if left > 0 {
		state ^= state << 13
		state ^= state >> 7
		m.next(c, state^state<<17, left-1)
	}
}

// next creates the next turn, most often on this worker and without a source.
func (m *mill) next(c *edt.Ctx, state, left uint64) {
	how := min(state>>20%(4*byNothing), byNothing)
	source, mode, at := guid.Null, datablock.Null, edt.Affinity(0)
	switch how {
	case elsewhere:
		at = c.Bind(int(state>>32) % c.Workers())
	case byEvent:
		source = c.NewEvent(edt.Once)
		defer c.Spawn(m.help, &edt.Spec{OutputEvent: source})
	case byBlock:
		g, b := c.NewBlock(1 + int(state>>30%(1<<(state>>50%18)))) // most often a small one
		b[0], b[len(b)-1] = byte(state), byte(state)
		c.Release(g)
		source, mode = g, datablock.EW
	case byShared:
		m.want.Add(1)
		source, mode = m.shared, datablock.EW
	case byScope:
		g, out := c.Spawn(m.scope, &edt.Spec{Finish: true, Output: true})
		source = out
		defer c.AddDependence(guid.Null, g, 0, datablock.RO)
	}
	c.NewEDTAt(at, m.turn, edt.Params(state, left, how), edt.From(source, mode))
}

// check says what is wrong after a run that was not cut short, "" if nothing is.
func (m *mill) check() string {
	switch want := m.want.Load(); {
	case m.broken.Load():
		return "a block does not hold what was written"
	case !m.ended.Load():
		return "the last EDT did not run"
	case m.counted != want:
		return fmt.Sprintf("the shared block counts %d turns, want %d", m.counted, want)
	}
	return ""
}
