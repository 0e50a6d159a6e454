package check_test

import (
	goruntime "runtime"
	"testing"

	"ocr/edt"
)

// Little is kept of blocks that are destroyed: by an EDT that reads them, or before that EDT begins.
func TestDestroyedBlocksTakeNoMemory(t *testing.T) {
	const size, blocks, most = 1 << 18, 150, 24 << 20
	heap := func() uint64 {
		var m goruntime.MemStats
		goruntime.GC()
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, early := range []bool{false, true} {
		var before, after uint64
		left := blocks
		var pass func(c *edt.Ctx)
		read := func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1], 3)
			if !early {
				c.DestroyBlock(in.Dep(0).GUID())
			}
			if left--; left > 0 {
				pass(c)
				return
			}
			after = heap()
		}
		pass = func(c *edt.Ctx) {
			b := words(c, size/8, 3)
			launch(c, "reader", read, edt.From(b, ro))
			if early {
				c.DestroyBlock(b)
			}
		}
		found, err := runChecked(t, 1, func(c *edt.Ctx) {
			before = heap()
			pass(c)
		})
		if err != nil || len(found) > 0 || after > before+most {
			t.Errorf("early %v: the heap has %d bytes, %d before; found %v, error %v", early, after, before, found, err)
		}
	}
}
