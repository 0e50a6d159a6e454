package check_test

import (
	"fmt"
	"sync"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// wordCount counts the words of a text of a given size: each of the EDTs that all read one block counts those that
// begin in its part of it, after a look at every page of all of it.
func wordCount(size, maps int, words *uint64) program {
	return func(c *edt.Ctx) {
		text, bytes := c.NewBlock(size)
		for k := range bytes {
			if bytes[k] = 'w'; k%5 == 4 {
				bytes[k] = ' '
			}
		}
		c.Release(text)
		var counts []edt.Source
		mapper := c.NewTemplate("map", 1, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
			text, part := in.Dep(0).Bytes(), int(in.Param(0))
			from, to := part*size/maps, (part+1)*size/maps
			out, bytes := c.NewBlock(8)
			n := &datablock.SliceOf[uint64](bytes)[0]
			for k := from; k < to; k++ {
				if text[k] != ' ' && (k == 0 || text[k-1] == ' ') {
					*n++
				}
			}
			for k := 0; k < size; k += 4096 {
				if text[k] == 0 {
					c.Abort(1)
				}
			}
			return out
		})
		start := c.NewEvent(edt.Once)
		for k := range maps {
			_, out := c.Spawn(mapper, &edt.Spec{Params: edt.Params(uint64(k)), Output: true,
				Deps: []edt.Source{edt.From(text, datablock.RO), edt.From(start, datablock.Null)}})
			counts = append(counts, edt.From(out, datablock.RO))
		}
		launch(c, "reduce", func(c *edt.Ctx, in edt.Args) {
			for k := range maps {
				*words += datablock.Slice[uint64](in.Dep(k))[0]
				c.DestroyBlock(in.Dep(k).GUID())
			}
			c.DestroyBlock(text)
			c.DestroyTemplate(mapper)
		}, counts...)
		c.Satisfy(start, guid.Null)
	}
}

// Blocks cost what EDTs use of them: sizes as they are in earnest are checked in seconds.
func TestWordCount(t *testing.T) {
	size := testrun.Sized(1<<20, 1<<24, 1<<26)
	for _, workers := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			var words uint64
			found, err := runChecked(t, workers, wordCount(size, 200, &words))
			if want := uint64((size + 4) / 5); err != nil || len(found) > 0 || words != want {
				t.Errorf("%d words, want %d; found %v, error %v", words, want, found, err)
			}
		})
	}
}

// Two EDTs have a block at the same time and write to one page of it: each keeps what it has
// written when the other one releases first.
func TestWritersOfAPageAtOnce(t *testing.T) {
	for _, both := range []bool{false, true} { // the second has written before the first releases
		var sum uint64
		found, err := runChecked(t, 2, func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(16 * 8)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, in edt.Args) {
				for k, v := range datablock.Slice[uint64](in.Dep(1)) {
					sum += uint64(k) * v
				}
				c.DestroyBlock(b)
			}, edt.From(done, datablock.Null), edt.From(b, datablock.RO))
			var began, released sync.WaitGroup
			began.Add(2)
			released.Add(1)
			for n := range 2 {
				t := job(c, "writer", 1, func(c *edt.Ctx, in edt.Args) {
					words := datablock.Slice[uint64](in.Dep(0))
					if n == 0 || both {
						words[n] = 1
					}
					began.Done()
					began.Wait()
					if n == 0 {
						c.Release(b)
						released.Done()
						c.Satisfy(done, guid.Null)
						return
					}
					released.Wait()
					words[n], words[15] = 10, 100
					c.Release(b)
					c.Satisfy(done, guid.Null)
				})
				c.NewEDTAt(c.Bind(n), t, nil, edt.From(b, datablock.RW))
				c.DestroyTemplate(t)
			}
		})
		if err != nil || len(found) > 0 || sum != 0*1+1*10+15*100 {
			t.Errorf("both %v: sum %d; found %v, error %v", both, sum, found, err)
		}
	}
}
