package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// reapStage: a block is destroyed by an EDT that does not hold it, once all its
// readers have it. They read on.
type reapStage struct {
	cast
	readers, words int
	mode           datablock.Mode
	letGo          bool // the creator releases the block, instead of holding it to its end
}

func newReap(a cast) stage {
	return &reapStage{a, 1 + a.rng.IntN(5), 1 + a.rng.IntN(600), datablock.Mode(a.rng.IntN(int(datablock.Const) + 1)), a.rng.IntN(2) == 0}
}

func (s *reapStage) open(c *edt.Ctx) {
	block, bytes := c.NewBlock(8 * s.words)
	ws := datablock.SliceOf[uint64](bytes)
	for k := range ws {
		ws[k] = uint64(k) ^ 0xabcdef
	}
	if s.letGo {
		c.Release(block)
	}
	mode := s.mode
	if mode == datablock.EW {
		mode = datablock.RO // one at a time would never all have it
	}
	all := c.NewLatch(int64(s.readers))
	at := s.places(c, s.readers+1)
	part(c, at[0], func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(block) }, edt.From(all, datablock.Null))
	for _, at := range at[1:] {
		part(c, at, func(c *edt.Ctx, in edt.Args) {
			s.read(in)
			c.Satisfy(all, guid.Null)
			s.read(in)
		}, edt.From(block, mode))
	}
}

func (s *reapStage) read(in edt.Args) {
	for k, w := range datablock.Slice[uint64](in.Dep(0)) {
		if w != uint64(k)^0xabcdef {
			s.x.problem("word %d of a block that is being destroyed is %#x", k, w)
		}
	}
}

func (s *reapStage) close(*edt.Ctx) {}

func (s *reapStage) count(n *edt.Counters) {
	countParts(n, s.readers+1)
	n.EventCreated++
	n.EventSatisfied += uint64(s.readers)
	n.BlockCreated++
}

// crowdStage: EDTs acquire several blocks each, in any slot order and in modes that
// exclude each other; some have more slots than are acquired at once.
type crowdStage struct {
	cast
	blocks []guid.GUID
	wants  [][]edtWant
	totals []uint64
}

type edtWant struct {
	block int
	mode  datablock.Mode
}

func newCrowd(a cast) stage {
	s := &crowdStage{cast: a, blocks: make([]guid.GUID, 1+a.rng.IntN(30))}
	s.totals = make([]uint64, len(s.blocks))
	for range 2 + a.rng.IntN(10) {
		var wants []edtWant
		for _, b := range a.rng.Perm(len(s.blocks))[:1+a.rng.IntN(len(s.blocks))] {
			m := datablock.EW
			if a.rng.IntN(4) == 0 {
				m = datablock.Mode(a.rng.IntN(5))
			}
			if m == datablock.EW {
				s.totals[b]++
			}
			wants = append(wants, edtWant{b, m})
		}
		s.wants = append(s.wants, wants)
	}
	return s
}

func (s *crowdStage) open(c *edt.Ctx) {
	for k := range s.blocks {
		g, bytes := c.NewBlock(24)
		datablock.SliceOf[uint64](bytes)[2] = ^uint64(0)
		s.blocks[k] = g
		if k%2 == 0 {
			c.Release(g)
		}
	}
	for k, at := range s.places(c, len(s.wants)) {
		var deps []edt.Source
		for _, w := range s.wants[k] {
			deps = append(deps, edt.From(s.blocks[w.block], w.mode))
		}
		part(c, at, func(c *edt.Ctx, in edt.Args) { s.work(c, in, k) }, deps...)
	}
}

func (s *crowdStage) work(c *edt.Ctx, in edt.Args, k int) {
	for n, w := range s.wants[k] {
		if w.mode != datablock.EW && w.mode != datablock.Const {
			continue
		}
		ws := datablock.Slice[uint64](in.Dep(n))
		if ws[2] != ^ws[0] {
			s.x.problem("an EDT that has a block in mode %v sees a half-done write: %x", w.mode, ws)
		}
		if w.mode == datablock.EW {
			ws[0]++
			ws[2] = ^ws[0]
		}
		if (n+k)%3 == 0 {
			c.Release(in.Dep(n).GUID())
		}
	}
}

func (s *crowdStage) close(c *edt.Ctx) {
	var deps []edt.Source
	for _, g := range s.blocks {
		deps = append(deps, edt.From(g, datablock.Const))
	}
	part(c, 0, func(c *edt.Ctx, in edt.Args) {
		for k := range s.blocks {
			if got := datablock.Slice[uint64](in.Dep(k))[0]; got != s.totals[k] {
				s.x.problem("%d EDTs wrote a block in mode EW, it counts %d", s.totals[k], got)
			}
			c.DestroyBlock(s.blocks[k])
		}
	}, deps...)
}

func (s *crowdStage) count(n *edt.Counters) {
	countParts(n, len(s.wants)+1)
	n.BlockCreated += uint64(len(s.blocks))
}

// hopsStage: a chain of EDTs from worker to worker. Each has the block of the one
// before for itself, which may not have ended when the next is made.
type hopsStage struct {
	cast
	length int
	block  guid.GUID
	early  bool // released before the next is made
}

func newHops(a cast) stage {
	return &hopsStage{cast: a, length: 1 + a.rng.IntN(30), early: a.rng.IntN(2) == 0}
}

func (s *hopsStage) open(c *edt.Ctx) {
	s.block = c.NewBlockNear(8, c.Place(s.rng.IntN(64)%c.Workers()))
	s.hop(c, s.length, s.places(c, s.length))
}

func (s *hopsStage) hop(c *edt.Ctx, left int, at []edt.Affinity) {
	part(c, at[left-1], func(c *edt.Ctx, in edt.Args) {
		w := datablock.Slice[uint64](in.Dep(0))
		if w[0]++; w[0] != uint64(s.length-left+1) {
			s.x.problem("hop %d finds %d in the block", s.length-left, w[0]-1)
		}
		if s.early {
			c.Release(s.block)
		}
		if left > 1 {
			s.hop(c, left-1, at)
		}
	}, edt.From(s.block, datablock.EW))
}

func (s *hopsStage) close(c *edt.Ctx) { c.DestroyBlock(s.block) }

func (s *hopsStage) count(n *edt.Counters) {
	countParts(n, s.length)
	n.BlockCreated++
}
