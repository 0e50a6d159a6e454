package edt_test

import (
	"errors"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// at returns the place of an EDT on a rank, or none if there is only one rank.
func (tr *trial) at(c *edt.Ctx, rank int) edt.Affinity {
	if tr.ranks == 0 {
		return 0
	}
	return c.Place(rank * c.Workers() / tr.ranks)
}

// launchAt is launch on a rank.
func (tr *trial) launchAt(c *edt.Ctx, rank int, f action, deps ...edt.Source) {
	c.NewEDTAt(tr.at(c, rank), c.NewTemplate("launched", 0, len(deps), body(f)), nil, deps...)
}

// TestModesOverRanks: EDTs of all ranks use two blocks of different homes in all modes. No write is lost, no EDT sees
// half of a write, and the last EDT sees all.
func TestModesOverRanks(t *testing.T) {
	const words, rounds = 600, 3 // more than one small block
	overRanks(t, testrun.Sized[uint64](3, 10, 300), func(tr *trial) edt.Func {
		users := tr.times("users", len(modes)*rounds*tr.ranks)
		last := tr.times("last EDT", 1)
		use := func(mode datablock.Mode) action {
			return func(c *edt.Ctx, in edt.Args) {
				users.add()
				for k := range 2 {
					if mode == datablock.Null {
						if in.Dep(k).Bytes() != nil {
							tr.Errorf("access in mode Null")
						}
						continue
					}
					w := datablock.Slice[uint64](in.Dep(k))
					switch mode {
					case datablock.EW: // the first and the last word are the same, and so for all that exclude it
						if w[0]++; w[0] != w[words-1]+1 {
							tr.Errorf("EW: %d, %d", w[0], w[words-1])
						}
						w[words-1]++
					case datablock.RW:
						w[words/2]++
					case datablock.Const:
						if w[0] != w[words-1] {
							tr.Errorf("Const: %d, %d", w[0], w[words-1])
						}
					}
				}
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			made := c.NewEvent(edt.Sticky)
			tr.launchAt(c, tr.ranks-1, func(c *edt.Ctx, _ edt.Args) { // the second block's home
				b := c.NewBlockNoAcquire(8 * words)
				c.Satisfy(made, b)
			}, rw(guid.Null))
			a := c.NewBlockNoAcquire(8 * words)
			n := len(modes) * rounds * tr.ranks
			done := c.NewLatch(int64(n))
			tr.launchAt(c, 1, func(c *edt.Ctx, in edt.Args) {
				last.add()
				for k := range 2 {
					w := datablock.Slice[uint64](in.Dep(k))
					if want := uint64(rounds * tr.ranks); w[0] != want || w[words-1] != want || w[words/2] != want {
						tr.Errorf("at the end: %d, %d, %d, want %d", w[0], w[words/2], w[words-1], want)
					}
				}
				c.DestroyEvent(made)
				for k := range 2 {
					c.DestroyBlock(in.Dep(k).GUID())
				}
			}, rw(a), rw(made), rw(done))
			for k := range n {
				mode := modes[k%len(modes)]
				user := use(mode)
				tr.launchAt(c, k/len(modes)%tr.ranks, func(c *edt.Ctx, in edt.Args) {
					user(c, in)
					for k := range 2 {
						if mode != datablock.Null {
							c.Release(in.Dep(k).GUID())
						}
					}
					c.Satisfy(done, guid.Null)
				}, edt.From(a, mode), edt.From(made, mode))
			}
		})
	})
}

// TestMemoryOfOthers: the bytes of a block of another rank count in this rank's limit only while it has them.
func TestMemoryOfOthers(t *testing.T) {
	const size = 6 << 20
	for _, room := range []bool{true, false} {
		overRanks(t, 3, func(tr *trial) edt.Func {
			tr.memory = 10 << 20
			ran := tr.times("users", map[bool]int{true: 3, false: 0}[room])
			tr.want = func(err error) {
				if room == (err != nil) || !room && !errors.Is(err, edt.ErrMemory) {
					tr.Errorf("run: %v", err)
				}
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				block, _ := c.NewBlock(size)
				c.Release(block)
				if room {
					c.DestroyBlock(block)
					block, _ = c.NewBlock(size)
					c.Release(block)
				}
				tr.launchAt(c, 1, func(c *edt.Ctx, _ edt.Args) {
					own := guid.Null
					if !room {
						own, _ = c.NewBlock(size)
					}
					tr.launchAt(c, 1, func(c *edt.Ctx, in edt.Args) {
						ran.add()
						tr.launchAt(c, 0, func(c *edt.Ctx, in edt.Args) {
							ran.add()
							tr.launchAt(c, 1, func(c *edt.Ctx, in edt.Args) {
								ran.add()
								if room { // rank 1 has given the block back, and its memory
									another, _ := c.NewBlock(size)
									c.DestroyBlock(another)
								}
								tr.launchAt(c, 0, func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(block) }, rw(guid.Null))
							}, rw(guid.Null))
						}, rw(block))
					}, rw(block), rw(own))
				}, rw(guid.Null))
			})
		})
	}
}

// TestDestroyedAndHeld: an EDT that has destroyed a block which it held no longer holds the block, and cannot destroy
// it again. The block is of another rank, or its GUID is known there.
func TestDestroyedAndHeld(t *testing.T) {
	for _, tc := range []struct {
		byCreator bool
		then      func(c *edt.Ctx, block guid.GUID)
		cause     error
	}{
		{false, nothingMore, nil},
		{false, (*edt.Ctx).Release, edt.ErrNotHeld},
		{true, nothingMore, nil},
		{true, (*edt.Ctx).Release, edt.ErrNotHeld},
		{true, (*edt.Ctx).DestroyBlock, edt.ErrDestroyed},
	} {
		overThree(t, 60, func(tr *trial) edt.Func {
			tr.want = func(err error) { testrun.Is(tr, err, tc.cause, "by its creator %v", tc.byCreator) }
			ran := new(tally)
			if tc.cause == nil {
				ran = tr.times("users", 1)
			}
			destroy := func(c *edt.Ctx, block guid.GUID) {
				c.DestroyBlock(block)
				if c.Exists(block) {
					tr.Errorf("by its creator %v: it exists after its destruction", tc.byCreator)
				}
				tc.then(c, block)
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				block, _ := c.NewBlock(8)
				mode := datablock.EW
				if tc.byCreator {
					mode = datablock.Null
				} else {
					c.Release(block)
				}
				tr.launchAt(c, 1, func(c *edt.Ctx, _ edt.Args) {
					if ran.add(); !tc.byCreator {
						destroy(c, block)
					}
				}, edt.From(block, mode))
				if tc.byCreator {
					destroy(c, block)
				}
			})
		})
	}
}

func nothingMore(*edt.Ctx, guid.GUID) {}

// TestMemoryOfDestroyed: the memory of a destroyed block that another rank has used is freed on both ranks, as soon as
// no EDT needs it.
func TestMemoryOfDestroyed(t *testing.T) {
	const size, rounds = 1 << 20, 60
	overRanks(t, 3, func(tr *trial) edt.Func {
		tr.memory = size * rounds / 3
		ran := tr.times("rounds", rounds)
		var round action
		round = func(c *edt.Ctx, _ edt.Args) {
			block := c.NewBlockNoAcquire(size)
			tr.launchAt(c, 1, func(c *edt.Ctx, _ edt.Args) {
				c.DestroyBlock(block)
				if ran.next() < rounds {
					tr.launchAt(c, 0, round, rw(guid.Null))
				}
			}, rw(block))
		}
		return body(round)
	})
}

// runSharing runs a program over ranks of one worker each, and returns how many bytes the ranks have sent.
func (tr *trial) runSharing(main edt.Func) (sent uint64) {
	h := edttest.NewRanks(1, tr.ranks, edt.Config{Workers: 1})
	defer h.Graph.Close()
	if err := h.Run(main); err != nil {
		tr.Errorf("%d ranks: %v", tr.ranks, err)
	}
	for rank := range tr.ranks {
		_, bytes := h.Traffic(rank)
		sent += bytes
	}
	return sent
}

// TestCopies: a block that EDTs of all ranks read repeatedly goes to each rank once, also after an EDT of rank 1 has
// written it. Rank 1 has a copy, so it gets the right to write without the bytes; then it keeps a copy.
func TestCopies(t *testing.T) {
	const reads = 4
	for ranks, size := range map[int]int{4: 1 << 20, 70: 1 << 16} {
		tr := &trial{t: t, workers: ranks, ranks: ranks}
		ran := 0
		read := func(c *edt.Ctx, b guid.GUID, want uint64, then action) {
			n := reads * ranks
			done := c.NewLatch(int64(n))
			for k := range n {
				mode := datablock.Const
				if k/ranks%2 == 1 {
					mode = datablock.RO
				}
				tr.launchAt(c, k%ranks, func(c *edt.Ctx, in edt.Args) {
					if ran++; wordOf(in.Dep(0)) != want || len(in.Dep(0).Bytes()) != size {
						tr.Errorf("a reader on rank %d sees %d, want %d", k%ranks, wordOf(in.Dep(0)), want)
					}
					c.Release(b)
					c.Satisfy(done, guid.Null)
				}, edt.From(b, mode))
			}
			tr.launchAt(c, 1, then, rw(done))
		}
		sent := tr.runSharing(body(func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(size)
			datablock.SliceOf[uint64](bytes)[0] = 7
			c.Release(b)
			read(c, b, 7, func(c *edt.Ctx, _ edt.Args) {
				tr.launchAt(c, 1, func(c *edt.Ctx, in edt.Args) {
					datablock.Slice[uint64](in.Dep(0))[0] = 8
					c.Release(b)
					read(c, b, 8, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
				}, edt.From(b, datablock.EW))
			})
		}))
		testrun.Equal(t, 2*reads*ranks, ran, "%d ranks: readers that ran", ranks)
		// The block goes to all other ranks; when rank 1 has written it, back to home and to the others.
		want, rest := uint64(2*(ranks-1)*size), uint64(ranks*4096)
		if t.Logf("%d ranks sent %d bytes for %d", ranks, sent, want); sent < want || sent > want+rest {
			t.Errorf("%d ranks sent %d bytes, want %d and at most %d others", ranks, sent, want, rest)
		}
	}
}

// TestWriterBesideReaders: readers of two ranks overlap, without an end, until a writer has had the block.
func TestWriterBesideReaders(t *testing.T) {
	const most = 2000
	for writer := range 3 {
		tr := &trial{t: t, workers: 3, ranks: 3}
		written, reads := false, 0
		tr.runSharing(body(func(c *edt.Ctx, _ edt.Args) {
			b := c.NewBlockNoAcquire(8192)
			var read func(rank int) action
			read = func(rank int) action {
				return func(c *edt.Ctx, _ edt.Args) {
					if reads++; reads == most {
						tr.Errorf("a writer on rank %d waits while %d EDTs read", writer, reads)
					}
					if !written && reads < most { // the next reader has the block before this one releases it
						tr.launchAt(c, rank, read(rank), edt.From(b, datablock.Const))
					}
				}
			}
			for k := range 4 {
				tr.launchAt(c, 1+k%2, read(1+k%2), edt.From(b, datablock.Const))
			}
			tr.launchAt(c, writer, func(*edt.Ctx, edt.Args) { written = true }, edt.From(b, datablock.EW))
		}))
	}
}

// TestManyCounts: events with many different counts take little more than one record each on another rank.
func TestManyCounts(t *testing.T) {
	const counts, stock = 500, 64
	h := edttest.NewApart(1, 2, edt.Config{Workers: 1})
	defer h.Graph.Close()
	last := uint32(0)
	testrun.OK(t, h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		for n := range counts {
			_, lo := c.NewLatch(int64(n+1), c.Place(1)).Words()
			last = max(last, uint32(lo))
		}
		return guid.Null
	}))
	if last > counts+16*stock {
		t.Errorf("%d events take %d records", counts, last)
	}
}
