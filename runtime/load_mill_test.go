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
// one of several ways drawn at random, and destroys what it has used, so that the memory of the mill stays the same.
type mill struct {
	strands int
	turns   uint64                        // of each strand
	tick    func(c *edt.Ctx, left uint64) // called by each turn, if it is not nil

	turn, help, scope *edt.Template
	shared            [4]guid.GUID // blocks in which all strands count their turns
	pipes             []guid.GUID  // a channel of each strand

	broken atomic.Pointer[string] // the first error
	counts [4]uint64              // of the shared blocks, at the end
	want   [4]atomic.Uint64
	ended  bool

	sampling sync.Mutex // see sample
	sampled  map[uint64]bool
}

// A handover is the way in which a turn makes the next turn ready.
type handover uint64

const (
	plain       handover = iota
	elsewhere            // on another worker
	byEvent              // by an EDT with an output event
	byBlock              // with a block
	byShared             // with a block that all strands use
	byScope              // by the end of a finish scope
	byChannel            // by the strand's channel
	numHandover = 7
)

func (m *mill) problem(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	m.broken.CompareAndSwap(nil, &s)
}

// main starts the strands and, behind all of them, the EDT that destroys the objects of the mill.
func (m *mill) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	m.turn = c.NewTemplate("turn", 4, 1, m.turnBody)
	m.help = c.NewTemplate("help", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	m.scope = c.NewTemplate("scope", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
		c.NewEDT(m.help, nil)
		c.NewEDTAt(c.Place((c.Worker()+1)%c.Workers()), m.help, nil)
	}))
	for k := range m.shared {
		m.shared[k] = c.NewBlockNoAcquire(8)
	}
	for range m.strands {
		m.pipes = append(m.pipes, c.NewChannel(1))
	}
	start := c.NewTemplate("strands", 0, 1, m.startBody)
	g, all := c.Spawn(start, &edt.Spec{Finish: true, Output: true})
	c.NewEDT(c.NewTemplate("end", 0, 1, m.endBody), nil, edt.From(all, datablock.Null))
	c.AddDependence(guid.Null, g, 0, datablock.RO)
	return guid.Null
}

func (m *mill) startBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	for k := range m.strands {
		c.NewEDTAt(c.Place(k%c.Workers()), m.turn, edt.Params(uint64(k), uint64(k+1)*0x9e3779b97f4a7c15, m.turns,
			uint64(plain)),
			edt.From(guid.Null, datablock.Null))
	}
	return guid.Null
}

func (m *mill) turnBody(c *edt.Ctx, in edt.Args) guid.GUID {
	strand, state, left, came := in.Param(0), in.Param(1), in.Param(2), handover(in.Param(3))
	if m.tick != nil {
		m.tick(c, left)
	}
	m.take(c, in, state, came)
	if left == 0 {
		return guid.Null
	}
	state ^= state << 13
	state ^= state >> 7
	state ^= state << 17
	m.next(c, strand, state, left-1)
	return guid.Null
}

// take uses and destroys what the turn before has handed over.
func (m *mill) take(c *edt.Ctx, in edt.Args, state uint64, came handover) {
	switch d := in.Dep(0); came {
	case byBlock:
		b := d.Bytes()
		if b[0] != byte(state) || b[len(b)-1] != byte(state) {
			m.problem("a block of %d bytes does not hold what was written", len(b))
		}
		c.DestroyBlock(d.GUID())
	case byShared:
		datablock.Slice[uint64](d)[0]++
	}
}

// next creates the next turn, most often plainly.
func (m *mill) next(c *edt.Ctx, strand, state, left uint64) {
	how := handover(state >> 20 % (4 * numHandover))
	if how >= numHandover {
		how = plain
	}
	params := edt.Params(strand, state, left, uint64(how))
	source, mode, at := guid.Null, datablock.Null, edt.Affinity(0)
	switch how {
	case elsewhere:
		at = c.Bind(int(state>>32) % c.Workers())
	case byEvent:
		source = c.NewEvent(edt.Once)
		defer c.Spawn(m.help, &edt.Spec{OutputEvent: source})
	case byBlock:
		source, mode = m.newBlock(c, state), datablock.EW
	case byShared:
		k := state >> 40 % uint64(len(m.shared))
		m.want[k].Add(1)
		source, mode = m.shared[k], datablock.EW
	case byScope:
		g, out := c.Spawn(m.scope, &edt.Spec{Finish: true, Output: true})
		source = out
		defer c.AddDependence(guid.Null, g, 0, datablock.RO)
	case byChannel:
		source = m.pipes[strand]
		defer c.Satisfy(source, guid.Null)
	}
	c.NewEDTAt(at, m.turn, params, edt.From(source, mode))
}

// newBlock makes a block of a random size, most often a small one.
func (m *mill) newBlock(c *edt.Ctx, state uint64) guid.GUID {
	g, b := c.NewBlock(1 + int(state>>30%(1<<(state>>50%18))))
	b[0], b[len(b)-1] = byte(state), byte(state)
	c.Release(g)
	return g
}

func (m *mill) endBody(c *edt.Ctx, _ edt.Args) guid.GUID {
	var deps []edt.Source
	for _, g := range m.shared {
		deps = append(deps, edt.From(g, datablock.RO))
	}
	c.NewEDT(c.NewTemplate("last", 0, len(deps), does(func(c *edt.Ctx, in edt.Args) {
		for k, g := range m.shared {
			m.counts[k] = datablock.Slice[uint64](in.Dep(k))[0]
			c.DestroyBlock(g)
		}
		for _, g := range m.pipes {
			c.DestroyEvent(g)
		}
		m.ended = true
	})), nil, deps...)
	return guid.Null
}

// check says what is wrong after a run that was not cut short, "" if nothing is.
func (m *mill) check() string {
	if p := m.broken.Load(); p != nil {
		return *p
	}
	if !m.ended {
		return "the last EDT did not run"
	}
	for k := range m.counts {
		if want := m.want[k].Load(); m.counts[k] != want {
			return fmt.Sprintf("shared block %d counts %d turns, want %d", k, m.counts[k], want)
		}
	}
	return ""
}
