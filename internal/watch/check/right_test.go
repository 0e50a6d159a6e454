package check_test

import (
	"fmt"
	"io"
	"os"
	goruntime "runtime"
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

// expect panics in the line of its caller's caller if a result is wrong.
func expect(got, want uint64) {
	if got != want {
		panic(fmt.Sprintf("%d, want %d", got, want))
	}
}

func wordsOf(in edt.Args, slot int) []uint64 { return datablock.Slice[uint64](in.Dep(slot)) }

// words makes a block of n words, each k times factor.
func words(c *edt.Ctx, n int, factor uint64) guid.GUID {
	b, bytes := c.NewBlock(8 * n)
	for k, w := 0, datablock.SliceOf[uint64](bytes); k < n; k++ {
		w[k] = uint64(k) * factor
	}
	c.Release(b)
	return b
}

// after launches a body that runs when the latch that it returns was counted down n times.
func after(c *edt.Ctx, count int64, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) (latch guid.GUID) {
	latch = c.NewLatch(count)
	launch(c, "after", body, append(deps, edt.From(latch, null))...)
	return latch
}

// done releases what an EDT holds, and counts on a latch.
func done(c *edt.Ctx, in edt.Args, latch guid.GUID) {
	for d := range in.Deps() {
		if dep := in.Dep(d); !dep.IsNull() && dep.Mode() != null {
			c.Release(dep.GUID())
		}
	}
	c.Satisfy(latch, guid.Null)
}

// right are programs without a fault. notes says that some of what they do in no order may be noted.
var right = []struct {
	name  string
	notes bool
	main  program
}{
	{"a recorded graph runs several times", false, func(c *edt.Ctx) {
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
	{"zeroed bytes are read", false, func(c *edt.Ctx) {
		b := c.NewBlockNoAcquire(10_000)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			for _, w := range wordsOf(in, 0) {
				expect(w, 0)
			}
			c.DestroyBlock(b)
		}, edt.From(b, ro))
	}},
	{"satisfactions from outside", false, func(c *edt.Ctx) {
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
	{"disjoint words in mode RW, of which one stays as it is", false, func(c *edt.Ctx) {
		const n = 60
		b := words(c, n, 0)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			for k, w := range wordsOf(in, 0) {
				expect(w, uint64(k))
			}
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for k := range n {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[k] += uint64(k)
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"disjoint parts of many pages in mode RW", false, func(c *edt.Ctx) {
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
	{"the system reads from blocks and writes to them", false, func(c *edt.Ctx) {
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
	{"EDTs write what is there, or not, to bytes of their own", false, func(c *edt.Ctx) {
		b := words(c, 30, 1)
		l := after(c, 30, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		for k := range 30 {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[k] = uint64(k/2) * 2
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"neighbouring bytes in mode EW", false, func(c *edt.Ctx) {
		const n = 21
		b := c.NewBlockNoAcquire(n)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			for k, v := range in.Dep(0).Bytes() {
				expect(uint64(v), uint64(k))
			}
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for k := range n {
			launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
				in.Dep(0).Bytes()[k] = byte(k) // byte 0 is 0 before
				done(c, in, l)
			}, edt.From(b, ew))
		}
	}},
	{"a counter in mode EW", false, func(c *edt.Ctx) {
		const n = 50
		b := words(c, 1, 0)
		c.AllowUnordered(b, edt.ExclusiveWriters)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0], n)
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for range n {
			launch(c, "adder", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[0]++
				done(c, in, l)
			}, edt.From(b, ew))
		}
	}},
	{"two accounts in mode EW, whatever the order of slots", false, func(c *edt.Ctx) {
		const n = 30
		a, b := words(c, 2, 500), words(c, 2, 500)
		c.AllowUnordered(a, edt.ExclusiveWriters)
		c.AllowUnordered(b, edt.ExclusiveWriters)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1]+wordsOf(in, 1)[1], 1000)
			c.DestroyBlock(a)
			c.DestroyBlock(b)
		}, edt.From(a, ro), edt.From(b, ro))
		for k := range n {
			from, to := a, b
			if k%2 == 1 {
				from, to = b, a
			}
			launch(c, "transfer", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[1]--
				wordsOf(in, 1)[1]++
				done(c, in, l)
			}, edt.From(from, ew), edt.From(to, ew))
		}
	}},
	{"a histogram: private counts, added up in mode EW", false, func(c *edt.Ctx) {
		const n, bins = 12, 16
		data, total := words(c, n*100, 7), words(c, bins, 0)
		c.AllowUnordered(total, edt.ExclusiveWriters)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			sum := uint64(0)
			for _, w := range wordsOf(in, 0) {
				sum += w
			}
			expect(sum, n*100)
			c.DestroyBlock(total)
			c.DestroyBlock(data)
		}, edt.From(total, ro))
		for p := range n {
			launch(c, "part", func(c *edt.Ctx, in edt.Args) {
				for _, w := range wordsOf(in, 0)[p*100 : (p+1)*100] {
					wordsOf(in, 1)[w%bins]++
				}
				done(c, in, l)
			}, edt.From(data, ro), edt.From(total, ew))
		}
	}},
	{"double buffers", false, buffers(2)},
	{"triple buffers", false, buffers(3)},
	{"a tree of sums by output events", false, func(c *edt.Ctx) {
		start := c.NewEvent(edt.Once)
		made := func(f edt.Func, deps ...edt.Source) (out guid.GUID) {
			t := c.NewTemplate("node", 0, len(deps), f)
			_, out = c.Spawn(t, &edt.Spec{Output: true, Deps: deps})
			c.DestroyTemplate(t)
			return out
		}
		var sum func(lo, hi uint64) guid.GUID
		sum = func(lo, hi uint64) guid.GUID {
			if hi-lo == 1 {
				return made(func(c *edt.Ctx, _ edt.Args) guid.GUID {
					b, bytes := c.NewBlock(8)
					datablock.SliceOf[uint64](bytes)[0] = lo
					return b
				}, edt.From(start, null))
			}
			return made(func(c *edt.Ctx, in edt.Args) guid.GUID {
				wordsOf(in, 0)[0] += wordsOf(in, 1)[0]
				c.DestroyBlock(in.Dep(1).GUID())
				return in.Dep(0).GUID()
			}, edt.From(sum(lo, (lo+hi)/2), rw), edt.From(sum((lo+hi)/2, hi), ro))
		}
		launch(c, "result", func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0], 16*15/2)
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(sum(0, 16), ro))
		c.Satisfy(start, guid.Null)
	}},
	{"a reduction into words of one block, then one sum", false, func(c *edt.Ctx) {
		const n = 10
		data, sums := words(c, n*1000, 1), words(c, n, 0)
		l := after(c, n, func(c *edt.Ctx, in edt.Args) {
			total := uint64(0)
			for _, s := range wordsOf(in, 0) {
				total += s
			}
			expect(total, n*1000*(n*1000-1)/2)
			c.DestroyBlock(sums)
			c.DestroyBlock(data)
		}, edt.From(sums, ro))
		for p := range n {
			launch(c, "part", func(c *edt.Ctx, in edt.Args) {
				for _, w := range wordsOf(in, 0)[p*1000 : (p+1)*1000] {
					wordsOf(in, 1)[p] += w
				}
				done(c, in, l)
			}, edt.From(data, konst), edt.From(sums, rw))
		}
	}},
	{"a pipeline by a channel event", false, func(c *edt.Ctx) {
		const n = 40
		ch := c.NewChannel(edt.Unbounded)
		stage := c.NewTemplate("stage", 1, 2, silent(func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0], in.Param(0))
			c.DestroyBlock(in.Dep(0).GUID())
		}))
		last := heldBack(c, "end", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyEvent(ch)
			c.DestroyTemplate(stage)
		})
		before := guid.Null
		for k := range n {
			task, out := c.Spawn(stage, &edt.Spec{Params: edt.Params(uint64(k)), Output: true,
				Deps: []edt.Source{edt.From(ch, ro), edt.Open}})
			if k > 0 {
				c.AddDependence(before, task, 1, null)
			} else {
				defer c.AddDependence(guid.Null, task, 1, null)
			}
			before = out
		}
		c.AddDependence(before, last, 0, null)
		launch(c, "source", func(c *edt.Ctx, _ edt.Args) {
			for k := range n {
				b, bytes := c.NewBlock(8)
				datablock.SliceOf[uint64](bytes)[0] = uint64(k)
				c.Release(b)
				c.Satisfy(ch, b)
			}
		})
	}},
	{"a broadcast by a sticky event", false, broadcast(func(c *edt.Ctx, _ int) guid.GUID { return c.NewEvent(edt.Sticky) },
		true)},
	{"a broadcast by a once event", false, broadcast(func(c *edt.Ctx, _ int) guid.GUID { return c.NewEvent(edt.Once) },
		false)},
	{"a broadcast by a counted event", false, broadcast(func(c *edt.Ctx, n int) guid.GUID { return c.NewCounted(n) },
		false)},
	{"a chain that hands one block on in mode RW", false, chain(rw)},
	{"a chain that hands one block on in mode EW", false, chain(ew)},
	{"rounds of readers in mode Const and a writer in mode EW", false, rounds(konst, ew)},
	{"rounds of readers in mode RO and a writer in mode RW", false, rounds(ro, rw)},
	{"divide and conquer in nested finish scopes", false, func(c *edt.Ctx) {
		b := words(c, 64, 1)
		var split func(lo, hi int) edt.Func
		split = func(lo, hi int) edt.Func {
			return silent(func(c *edt.Ctx, in edt.Args) {
				if hi-lo == 1 {
					wordsOf(in, 0)[lo] += 1000
					return
				}
				for _, half := range [][2]int{{lo, (lo + hi) / 2}, {(lo + hi) / 2, hi}} {
					t := c.NewTemplate("half", 0, 1, split(half[0], half[1]))
					c.Spawn(t, &edt.Spec{Finish: true, Deps: []edt.Source{edt.From(b, rw)}})
					c.DestroyTemplate(t)
				}
			})
		}
		t := c.NewTemplate("root", 0, 2, split(0, 64))
		task, out := c.Spawn(t, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{edt.From(b, rw), edt.Open}})
		launch(c, "check", func(c *edt.Ctx, in edt.Args) {
			for k, w := range wordsOf(in, 0) {
				expect(w, uint64(k)+1000)
			}
			c.DestroyBlock(b)
			c.DestroyTemplate(t)
		}, edt.From(b, ro), edt.From(out, null))
		c.AddDependence(guid.Null, task, 1, null)
	}},
	{"a downgrade lets readers at what was written", false, func(c *edt.Ctx) {
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
	{"shared counters of a synchronised block", false, func(c *edt.Ctx) {
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
	{"a block is synchronised once it is written and released", false, func(c *edt.Ctx) {
		b := words(c, 2000, 3)
		c.Synchronised(b)
		l := after(c, 2, func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1999], 2*3*1999)
			c.DestroyBlock(b)
		}, edt.From(b, ro))
		for half := range 2 {
			launch(c, "doubler", func(c *edt.Ctx, in edt.Args) {
				for k := half * 1000; k < (half+1)*1000; k++ {
					wordsOf(in, 0)[k] *= 2
				}
				done(c, in, l)
			}, edt.From(b, rw))
		}
	}},
	{"a block is synchronised, written, and then read by its creator", false, func(c *edt.Ctx) {
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
	{"the first of several answers counts", false, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Idempotent)
		l := after(c, 5, func(c *edt.Ctx, _ edt.Args) { c.DestroyEvent(e) })
		launch(c, "taker", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(l, guid.Null) }, edt.From(e, null))
		for range 4 {
			launch(c, "answer", func(c *edt.Ctx, _ edt.Args) {
				c.Satisfy(e, guid.Null)
				c.Satisfy(l, guid.Null)
			})
		}
	}},
	{"a block that the last of its readers destroys", false, func(c *edt.Ctx) {
		b := words(c, 3000, 1)
		l := after(c, 6, func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(in.Dep(0).GUID()) }, edt.From(b, null))
		for range 6 {
			launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[2999], 2999)
				done(c, in, l)
			}, edt.From(b, konst))
		}
	}},
	{"a receiver destroys the event that it waited for", false, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Sticky)
		launch(c, "receiver", func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[1], 9)
			c.DestroyEvent(e)
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(e, rw))
		launch(c, "sender", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, words(c, 2, 9)) })
	}},
	{"odd and even words in turn", false, func(c *edt.Ctx) {
		const n, steps = 40, 6
		b := words(c, n, 1)
		var step func(c *edt.Ctx, s int)
		step = func(c *edt.Ctx, s int) {
			l := after(c, 2, func(c *edt.Ctx, in edt.Args) {
				if s == steps {
					c.DestroyBlock(b)
					return
				}
				step(c, s+1)
			})
			for half := range 2 {
				launch(c, "sweep", func(c *edt.Ctx, in edt.Args) {
					w := wordsOf(in, 0)
					for k := 2 + half*n/2 + s%2; k < (half+1)*n/2; k += 2 {
						w[k] += w[k-1] // which this step does not change
					}
					done(c, in, l)
				}, edt.From(b, rw))
			}
		}
		step(c, 0)
	}},
	{"an EDT that connects a later one to itself", false, func(c *edt.Ctx) {
		b := words(c, 1, 0)
		var next func(c *edt.Ctx, left int)
		next = func(c *edt.Ctx, left int) {
			launch(c, "link", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[0]++
				c.Release(b)
				if left > 0 {
					next(c, left-1)
					return
				}
				c.DestroyBlock(b)
			}, edt.From(b, rw))
		}
		next(c, 20)
	}},
	{"an EDT keeps a block that another one made ready by it destroys", false, func(c *edt.Ctx) {
		b := words(c, 1, 0)
		launch(c, "keeper", func(c *edt.Ctx, in edt.Args) {
			launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
			expect(wordsOf(in, 0)[0], 0)
		}, edt.From(b, ro))
	}},
	{"a block is destroyed by one that comes after what made its readers runnable", false, func(c *edt.Ctx) {
		b, e := words(c, 1, 0), c.NewEvent(edt.Sticky)
		// One worker runs this one last, but for the one that waits for it.
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		for range 3 {
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) { expect(wordsOf(in, 0)[0], 0) }, edt.From(b, ro))
		}
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		}, edt.From(e, null))
	}},
	{"credits bound a queue", false, func(c *edt.Ctx) {
		const n, depth = 20, 3
		items, credits := c.NewChannel(depth), c.NewChannel(depth)
		var produce, consume *edt.Template
		end := c.NewLatch(2)
		launch(c, "end", func(c *edt.Ctx, _ edt.Args) {
			c.DestroyEvent(items)
			c.DestroyEvent(credits)
			c.DestroyTemplate(produce)
			c.DestroyTemplate(consume)
		}, edt.From(end, null))
		produce = c.NewTemplate("produce", 1, 1, silent(func(c *edt.Ctx, in edt.Args) {
			k := in.Param(0)
			c.Satisfy(items, words(c, 2, k))
			if k+1 < n {
				c.NewEDT(produce, edt.Params(k+1), edt.From(credits, null))
				return
			}
			c.Satisfy(end, guid.Null)
		}))
		consume = c.NewTemplate("consume", 1, 1, silent(func(c *edt.Ctx, in edt.Args) {
			k := in.Param(0)
			expect(wordsOf(in, 0)[1], k)
			c.DestroyBlock(in.Dep(0).GUID())
			if k+1 < n {
				if k+1+depth <= n {
					c.Satisfy(credits, guid.Null)
				}
				c.NewEDT(consume, edt.Params(k+1), edt.From(items, ro))
				return
			}
			c.Satisfy(end, guid.Null)
		}))
		for range depth - 1 {
			c.Satisfy(credits, guid.Null)
		}
		c.NewEDT(consume, edt.Params(0), edt.From(items, ro))
		c.NewEDT(produce, edt.Params(0), edt.From(guid.Null, null))
	}},
}

// silent makes an EDT's body of one that returns nothing.
func silent(body func(c *edt.Ctx, in edt.Args)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, in)
		return guid.Null
	}
}

// heldBack makes an EDT with one open slot.
func heldBack(c *edt.Ctx, name string, body func(c *edt.Ctx, in edt.Args)) guid.GUID {
	t := job(c, name, 1, body)
	defer c.DestroyTemplate(t)
	return c.NewEDT(t, nil)
}

// buffers has EDTs write blocks in turn, which others read, with a bounded number of blocks.
func buffers(n int) program {
	return func(c *edt.Ctx) {
		const steps = 20
		var blocks, free []guid.GUID
		for range n {
			blocks = append(blocks, words(c, 600, 0))
		}
		start := c.NewEvent(edt.Sticky)
		for range n {
			free = append(free, start)
		}
		before := start
		for s := range steps {
			b := blocks[s%n]
			full, read := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
			launch(c, "write", func(c *edt.Ctx, in edt.Args) {
				for k := range wordsOf(in, 0) {
					wordsOf(in, 0)[k] = uint64(s)
				}
				c.Release(b)
				c.Satisfy(full, guid.Null)
			}, edt.From(b, rw), edt.From(free[s%n], null))
			launch(c, "read", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[599], uint64(s))
				c.Release(b)
				c.DestroyEvent(full)
				c.Satisfy(read, guid.Null)
			}, edt.From(b, ro), edt.From(full, null), edt.From(before, null))
			free[s%n], before = read, read
			if s+n >= steps {
				continue
			}
			launch(c, "clean", func(c *edt.Ctx, _ edt.Args) { c.DestroyEvent(read) }, edt.From(read, null))
		}
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
			for k := range n {
				c.DestroyBlock(blocks[k])
				c.DestroyEvent(free[k])
			}
			c.DestroyEvent(start)
		}, edt.From(before, null))
		c.Satisfy(start, guid.Null)
	}
}

// broadcast has an event give one block to many.
func broadcast(event func(c *edt.Ctx, n int) guid.GUID, destroy bool) program {
	return func(c *edt.Ctx) {
		const n = 9
		e, b := event(c, n), words(c, 8, 1)
		l := after(c, n, func(c *edt.Ctx, _ edt.Args) {
			c.DestroyBlock(b)
			if destroy {
				c.DestroyEvent(e)
			}
		})
		for range n {
			launch(c, "receiver", func(c *edt.Ctx, in edt.Args) {
				expect(wordsOf(in, 0)[3], 3)
				done(c, in, l)
			}, edt.From(e, ro))
		}
		launch(c, "sender", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, b) })
	}
}

// chain has EDTs, made beforehand, write to one block one after the other.
func chain(mode datablock.Mode) program {
	return func(c *edt.Ctx) {
		const n = 25
		b := words(c, 700, 0)
		first := c.NewEvent(edt.Once)
		before := first
		for range n {
			next := c.NewEvent(edt.Once)
			launch(c, "link", func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[0]++
				wordsOf(in, 0)[699]++
				c.Release(b)
				c.Satisfy(next, guid.Null)
			}, edt.From(b, mode), edt.From(before, null))
			before = next
		}
		launch(c, "last", func(c *edt.Ctx, in edt.Args) {
			expect(wordsOf(in, 0)[0]+wordsOf(in, 0)[699], 2*n)
			c.DestroyBlock(b)
		}, edt.From(b, ro), edt.From(before, null))
		c.Satisfy(first, guid.Null)
	}
}

// rounds has many EDTs read a block, then one write to it, in turn.
func rounds(reading, writing datablock.Mode) program {
	return func(c *edt.Ctx) {
		const n, width = 6, 5
		b := words(c, 100, 0)
		var round func(c *edt.Ctx, k uint64)
		round = func(c *edt.Ctx, k uint64) {
			l := after(c, width, func(c *edt.Ctx, in edt.Args) {
				wordsOf(in, 0)[50]++
				c.Release(b)
				if k < n {
					round(c, k+1)
					return
				}
				c.DestroyBlock(b)
			}, edt.From(b, writing))
			for range width {
				launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
					expect(wordsOf(in, 0)[50], k)
					done(c, in, l)
				}, edt.From(b, reading))
			}
		}
		round(c, 0)
	}
}

func TestRightProgramsHaveNoFaults(t *testing.T) { inBothWays(t, testRightProgramsHaveNoFaults) }

func testRightProgramsHaveNoFaults(t *testing.T, _ bool) {
	all := right
	for _, p := range append(clear, orderly...) {
		all = append(all, struct {
			name  string
			notes bool
			main  program
		}{p.name, true, p.main})
	}
	for _, p := range all {
		for _, workers := range []int{1, 2, 3, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", p.name, workers), func(t *testing.T) {
				for range testrun.Sized(1, 1, 4) {
					found, err := runChecked(t, workers, p.main)
					if err != nil || len(found) > 0 && !p.notes {
						t.Errorf("found %v, error %v", found, err)
					}
				}
			})
		}
	}
}

// An EDT destroys two blocks. Between that it makes an EDT that has the second one and has begun, on another worker,
// before it is destroyed.
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

// until waits for another EDT.
func until(so *atomic.Bool) {
	for !so.Load() {
		goruntime.Gosched()
	}
}
