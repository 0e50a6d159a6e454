package graphtest

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// destroyInUse destroys a block in an EDT that does not hold it, while all readers hold it. The readers read on.
func destroyInUse(s *stage) {
	readers, size := 1+s.rng.IntN(5), 1+s.rng.IntN(600)
	mode := datablock.Mode(s.rng.IntN(int(datablock.Const) + 1))
	if mode == datablock.EW {
		mode = datablock.RO // in mode EW the readers would never hold it all at once
	}
	letGo := s.rng.IntN(2) == 0 // the creator releases the block before its end
	s.makes(readers+1, 1, readers, 1)
	read := func(in edt.Args) {
		for k, w := range datablock.Slice[uint64](in.Dep(0)) {
			if w != uint64(k)^0xabcdef {
				s.x.problem("word %d of a block that is being destroyed is %#x", k, w)
			}
		}
	}
	s.open = func(c *edt.Ctx) {
		block, bytes := c.NewBlock(8 * size)
		ws := datablock.SliceOf[uint64](bytes)
		for k := range ws {
			ws[k] = uint64(k) ^ 0xabcdef
		}
		if letGo {
			c.Release(block)
		}
		all := c.NewLatch(int64(readers))
		at := s.places(c, readers+1)
		part(c, at[0], func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(block) }, edt.From(all, datablock.Null))
		for _, at := range at[1:] {
			part(c, at, func(c *edt.Ctx, in edt.Args) {
				read(in)
				c.Satisfy(all, guid.Null)
				read(in)
			}, edt.From(block, mode))
		}
	}
}

// A want is a block that an EDT of contend acquires.
type want struct {
	block int
	mode  datablock.Mode
}

// contend makes EDTs acquire several blocks each, in any order of slots and in modes that exclude each other; some EDTs
// have more slots than are acquired at once. The blocks are destroyed at the end or, on one rank, as soon as all these
// EDTs are runnable.
func contend(s *stage) {
	blocks := make([]guid.GUID, 1+s.rng.IntN(30))
	early := s.rng.IntN(2) == 0
	written := make([]uint64, len(blocks)) // by block: its count when it was written last
	totals := make([]uint64, len(blocks))
	wants := make([][]want, 2+s.rng.IntN(10))
	for k := range wants {
		for _, b := range s.rng.Perm(len(blocks))[:1+s.rng.IntN(len(blocks))] {
			m := datablock.EW
			if s.rng.IntN(4) == 0 {
				m = datablock.Mode(s.rng.IntN(5))
			}
			if m == datablock.EW {
				totals[b]++
			}
			wants[k] = append(wants[k], want{b, m})
		}
	}
	s.makes(len(wants)+1, 0, 0, len(blocks))
	s.open = func(c *edt.Ctx) {
		early = early && s.x.Ranks == 1 // over ranks these EDTs must have acquired a block before its destruction
		for k := range blocks {
			g, bytes := c.NewBlock(24)
			datablock.SliceOf[uint64](bytes)[2] = ^uint64(0)
			blocks[k] = g
			if k%2 == 0 {
				c.Release(g)
			}
		}
		for k, at := range s.places(c, len(wants)) {
			var deps []edt.Source
			for _, w := range wants[k] {
				deps = append(deps, edt.From(blocks[w.block], w.mode))
			}
			part(c, at, func(c *edt.Ctx, in edt.Args) { s.work(c, in, wants[k], k, written) }, deps...)
		}
		for _, g := range blocks {
			if early {
				c.DestroyBlock(g)
			}
		}
	}
	s.close = func(c *edt.Ctx) {
		var deps []edt.Source
		for k, g := range blocks {
			if written[k] != totals[k] {
				s.x.problem("%d EDTs wrote a block in mode EW, it counted %d", totals[k], written[k])
			}
			deps = append(deps, edt.From(g, datablock.Const))
		}
		if early {
			deps = nil
		}
		part(c, 0, func(c *edt.Ctx, in edt.Args) {
			for k := range deps {
				if got := datablock.Slice[uint64](in.Dep(k))[0]; got != totals[k] {
					s.x.problem("%d EDTs wrote a block in mode EW, it counts %d", totals[k], got)
				}
				c.DestroyBlock(blocks[k])
			}
		}, deps...)
	}
}

// turns makes EDTs hold a block in mode EW or RW while they make calls: each creates an EDT that waits for an event,
// and counts a word of the block down. The last one destroys the event.
func turns(s *stage) {
	users := 2 + s.rng.IntN(10)
	mode := datablock.Mode(s.rng.IntN(2))
	early := s.rng.IntN(2) == 0 // each EDT releases the block before the event is destroyed
	s.makes(2*users, 1, 1, 1)
	var block guid.GUID
	s.open = func(c *edt.Ctx) {
		at := s.places(c, 2*users+1)
		g, bytes := c.NewBlock(8)
		block = g
		datablock.SliceOf[uint64](bytes)[0] = uint64(users)
		c.Synchronised(block)
		c.Release(block)
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		for k := range users {
			part(c, at[2*k], func(c *edt.Ctx, in edt.Args) {
				part(c, at[2*k+1], func(*edt.Ctx, edt.Args) {}, edt.From(event, datablock.Null))
				left := atomic.AddUint64(&datablock.Slice[uint64](in.Dep(0))[0], ^uint64(0))
				if early {
					c.Release(block)
				}
				if left == 0 {
					c.DestroyEvent(event)
				}
			}, edt.From(block, mode))
		}
	}
	s.close = func(c *edt.Ctx) { c.DestroyBlock(block) }
}

// work is the body of EDT k of contend. It writes the counts of the blocks that it holds in mode EW to written.
func (s *stage) work(c *edt.Ctx, in edt.Args, wants []want, k int, written []uint64) {
	for n, w := range wants {
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
			written[w.block] = ws[0]
		}
		if (n+k)%3 == 0 {
			if n%2 == 0 {
				c.Release(in.Dep(n).GUID())
			} else {
				c.ReleaseDep(in.Dep(n))
			}
		}
	}
}

// inOrder sends blocks through a channel event: the EDT of the first dependence gets the first block, and so on.
func inOrder(s *stage) {
	n, bound := 1+s.rng.IntN(20), edt.Unbounded
	if s.rng.IntN(2) == 0 {
		bound = n
	}
	s.makes(2+n, 1, n, n)
	var channel guid.GUID
	s.open = func(c *edt.Ctx) {
		at := s.places(c, 2)
		channel = c.NewChannel(bound)
		part(c, at[0], func(c *edt.Ctx, _ edt.Args) {
			for k := range n {
				block, bytes := c.NewBlock(8)
				datablock.SliceOf[uint64](bytes)[0] = uint64(k)
				c.Release(block)
				c.Satisfy(channel, block)
			}
		})
		part(c, at[1], func(c *edt.Ctx, _ edt.Args) {
			for k := range n {
				part(c, 0, func(c *edt.Ctx, in edt.Args) {
					if got := datablock.Slice[uint64](in.Dep(0))[0]; got != uint64(k) {
						s.x.problem("dependence %d on a channel event gets block %d", k, got)
					}
					c.DestroyBlock(in.Dep(0).GUID())
				}, edt.From(channel, datablock.RO))
			}
		})
	}
	s.close = func(c *edt.Ctx) { c.DestroyEvent(channel) }
}
