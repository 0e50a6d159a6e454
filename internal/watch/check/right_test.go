package check_test

import (
	"fmt"
	"io"
	"iter"
	"os"
	goruntime "runtime"
	"slices"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

const (
	rw    = datablock.RW
	ew    = datablock.EW
	ro    = datablock.RO
	konst = datablock.Const
	null  = datablock.Null
)

// expect panics if a result is wrong.
func expect(got, want uint64) {
	if got != want {
		panic(fmt.Sprintf("%d, want %d", got, want))
	}
}

func wordsOf(in edt.Args, slot int) []uint64 { return datablock.Slice[uint64](in.Dep(slot)) }

// words makes a block of n words: word k is k times factor.
func words(c *edt.Ctx, n int, factor uint64) guid.GUID {
	b, bytes := c.NewBlock(8 * n)
	for k, w := 0, datablock.SliceOf[uint64](bytes); k < n; k++ {
		w[k] = uint64(k) * factor
	}
	c.Release(b)
	return b
}

// after launches a body that runs when the latch that it returns has come from count to zero.
func after(c *edt.Ctx, count int64, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) (latch guid.GUID) {
	latch = c.NewLatch(count)
	launch(c, "after", body, append(deps, edt.From(latch, null))...)
	return latch
}

// done releases all blocks of an EDT, and counts a latch down.
func done(c *edt.Ctx, in edt.Args, latch guid.GUID) {
	for d := range in.Deps() {
		if dep := in.Dep(d); !dep.IsNull() && dep.Mode() != null {
			c.Release(dep.GUID())
		}
	}
	c.Satisfy(latch, guid.Null)
}

// A sample is a program without a fault.
type sample struct {
	name string
	main program
}

// right are programs of which check mode notes nothing. It may note what others do in no order: those in clear and
// orderly.
var right = []sample{
	{"a recorded graph runs several times", func(c *edt.Ctx) {
		b, r, ended := words(c, 4, 1), c.NewRecording(), c.NewEvent(edt.Once)
		write := job(c, "write", 1, func(_ *edt.Ctx, in edt.Args) { wordsOf(in, 0)[1]++ })
		read := job(c, "read", 1, func(_ *edt.Ctx, in edt.Args) { _ = wordsOf(in, 0)[1] })
		first := r.Add(write, nil, edt.From(b, rw))
		left, right := r.Add(read, nil, edt.From(first.Slot(0), konst)), r.Add(read, nil, edt.From(b, konst))
		right.After(first)
		r.Add(write, nil, edt.From(b, ew)).After(left, right)
		look := job(c, "look", 2, func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1], 1+2*3)
			c.DestroyBlock(b)
			r.Destroy(c)
			c.DestroyTemplate(write)
			c.DestroyTemplate(read)
		})
		c.NewEDTAt(edt.BindTo(c.Worker()), look, nil, edt.From(b, rw), edt.From(ended, null))
		c.DestroyTemplate(look)
		r.Run(c, 3, ended)
	}},
	{"satisfactions from outside", func(c *edt.Ctx) {
		const n = 5
		b := words(c, 1, 0)
		event, x := c.NewExternal(n)
		var next *edt.Template
		next = job(c, "next", 2, func(c *edt.Ctx, in edt.Args) {
			w := wordsOf(in, 0)
			w[0]++
			expect(uint64(in.Dep(1).Bytes()[0]), w[0])
			if w[0] < n {
				c.Release(b)
				c.NewEDT(next, nil, edt.From(b, rw), edt.From(event, ro))
			} else {
				c.DestroyBlock(b)
				c.DestroyEvent(event)
				c.DestroyTemplate(next)
			}
			c.DestroyBlock(in.Dep(1).GUID())
		})
		c.NewEDT(next, nil, edt.From(b, rw), edt.From(event, ro))
		go func() {
			for k := range byte(n) {
				_ = x.Satisfy([]byte{k + 1})
			}
		}()
	}},
	{"disjoint parts of many pages in mode RW", func(c *edt.Ctx) {
		const n, part = 8, 5000
		b := words(c, n*part, 1)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			for k, w := range wordsOf(in, 0) {
				expect(w, 2*uint64(k))
			}
			c.DestroyBlock(b)
		}, edt.From(b, konst))
		for p := range n {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				for k := p * part; k < (p+1)*part; k++ {
					wordsOf(in, 0)[k] *= 2
				}
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"the system reads from blocks and writes to them", func(c *edt.Ctx) {
		from, to := words(c, 100, 3), words(c, 100, 0)
		once := c.NewEvent(edt.Once)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			for k, w := range wordsOf(in, 0) {
				expect(w, 3*uint64(k))
			}
			c.DestroyBlock(from)
			c.DestroyBlock(to)
		}, edt.From(to, ro), edt.From(once, null))
		launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
			r, w, err := os.Pipe()
			if err != nil {
				panic(err)
			}
			defer r.Close()
			defer w.Close()
			if _, err := w.Write(in.Dep(0).Bytes()); err != nil {
				panic(err)
			}
			if _, err := io.ReadFull(r, in.Dep(1).Bytes()); err != nil {
				panic(err)
			}
			done(c, in, once)
		}, edt.From(from, ro), edt.From(to, rw))
	}},
	{"EDTs write what is there, or not, to bytes of their own", func(c *edt.Ctx) {
		b := words(c, 30, 1)
		l := after(c, 30, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		for k := range 30 {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[k] = uint64(k/2) * 2
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"neighbouring bytes in mode EW", neighbours(ew, 1)},
	{"a coroutine of a body calls", func(c *edt.Ctx) {
		next, stop := iter.Pull(func(yield func(int) bool) { c.DestroyEvent(c.NewEvent(edt.Sticky)) })
		defer stop()
		next()
	}},
	{"a downgrade lets readers at what was written", func(c *edt.Ctx) {
		b, e := words(c, 4, 1), c.NewEvent(edt.Once)
		l := after(c, 4, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		for range 3 {
			launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[1], 7)
				done(c, in, l)
			}, edt.From(b, ro), edt.From(e, null))
		}
		launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
			w := wordsOf(in, 0)
			w[1] = 7
			c.Downgrade(b)
			c.Satisfy(e, guid.Null)
			expect(w[1], 7)
			done(c, in, l)
		}, edt.From(b, rw))
	}},
	{"shared counters of a synchronised block", func(c *edt.Ctx) {
		const n = 20
		b, bytes := c.NewBlock(64)
		c.Synchronised(b)
		datablock.SliceOf[uint64](bytes)[1] = 5
		c.Release(b)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0]+wordsOf(in, 0)[1], n+5)
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for range n {
			launch(c, "adder", func(c *edt.Ctx, in edt.Args) {
				atomic.AddUint64(&wordsOf(in, 0)[0], 1)
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"a block is synchronised, written, and then read by its creator", func(c *edt.Ctx) {
		b, bytes := c.NewBlock(80)
		w := datablock.SliceOf[uint64](bytes)
		w[1] = 1
		c.Synchronised(b)
		w[2] = 2
		c.Downgrade(b)
		expect(w[1]+w[2], 3)
		c.Release(b)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1]+wordsOf(in, 0)[2], 3)
			c.DestroyBlock(b)
		}, edt.From(b, ro))
	}},
	{"a block that the last of its readers destroys", func(c *edt.Ctx) {
		b := words(c, 3000, 1)
		l := after(c, 6, func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(in.Dep(0).GUID()) }, edt.From(b, null))
		for range 6 {
			launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[2999], 2999)
				done(c, in, l)
			}, edt.From(b, konst))
		}
	}},
	{"an EDT keeps a block that another one made ready by it destroys", func(c *edt.Ctx) {
		b := words(c, 1, 0)
		launch(c, "keeper", func(c *edt.Ctx, in edt.Args) {
			launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
			expect(wordsOf(in, 0)[0], 0)
		}, edt.From(b, ro))
	}},
	{"a block is destroyed by one that comes after what made its readers runnable", func(c *edt.Ctx) {
		b, e := words(c, 1, 0), c.NewEvent(edt.Sticky)
		// A single worker runs this EDT last, except for the EDT that waits for it.
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		for range 3 {
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) { expect(wordsOf(in, 0)[0], 0) }, edt.From(b, ro))
		}
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		}, edt.From(e, null))
	}},
}

// neighbours makes EDTs that each write size bytes of their own, next to each other's.
func neighbours(mode datablock.Mode, size int) program {
	return func(c *edt.Ctx) {
		const n = 21
		b := c.NewBlockNoAcquire(n * size)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			for k, v := range in.Dep(0).Bytes() {
				expect(uint64(v), uint64(k/size))
			}
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for k := range n {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				for at := range size {
					datablock.Slice[byte](in.Dep(0))[k*size+at] = byte(k) // 0 before
				}
				done(c, in, l)
			}, edt.From(b, mode))
		}
	}
}

func TestRightProgramsHaveNoFaults(t *testing.T) { inBothWays(t, testRightProgramsHaveNoFaults) }

func testRightProgramsHaveNoFaults(t *testing.T, _ bool) {
	for k, p := range slices.Concat(right, clear, orderly) {
		for _, workers := range []int{1, 2, 3, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", p.name, workers), func(t *testing.T) {
				for range testrun.Sized(1, 1, 4) {
					found, err := runChecked(t, workers, p.main)
					if err != nil || len(found) > 0 && k < len(right) {
						t.Errorf("found %v, error %v", found, err)
					}
				}
			})
		}
	}
}

// An EDT destroys two blocks. In between it creates an EDT with the second block, which begins on another worker before
// that block is destroyed.
func TestUserMadeBetweenTwoDestructions(t *testing.T) {
	var began, destroyed atomic.Bool
	found, err := runChecked(t, 2, func(c *edt.Ctx) {
		a, b := words(c, 1, 0), words(c, 1, 0)
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyBlock(a)
			launch(c, "reader", func(*edt.Ctx, edt.Args) {
				began.Store(true)
				until(&destroyed)
			}, edt.From(b, ro))
			until(&began)
			c.DestroyBlock(b)
			destroyed.Store(true)
		}, edt.From(a, ro))
	})
	if err != nil || len(found) > 0 {
		t.Errorf("found %v, error %v", found, err)
	}
}

// until waits until another EDT has set the flag.
func until(so *atomic.Bool) {
	for !so.Load() {
		goruntime.Gosched()
	}
}
