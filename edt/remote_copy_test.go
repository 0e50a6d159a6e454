package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

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
		if ran != 2*reads*ranks {
			t.Errorf("%d ranks: %d readers ran", ranks, ran)
		}
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
