package check_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/runtime/finding"
)

// notJudged reports whether random graphs may have such a fault. They pass blocks on before the release, leave some
// reads and sums in no order, and in a few plans add dependences to once and latch events in no order with the trigger.
func notJudged(f finding.Finding) bool {
	switch f.Kind {
	case finding.EarlyExposure, finding.OnceRace, finding.ReadRace, finding.TurnOrder:
		return true
	}
	return false
}

func TestRandomGraphsHaveNoOtherFaults(t *testing.T) {
	for seed := range testrun.Sized[uint64](10, 30, 1000) {
		for _, workers := range []int{1, 2, 3, 8} {
			x := graphtest.Generate(seed, 40).NewExecution()
			err := runtime.Run(t.Context(), x.Main, append(checking(t), runtime.Workers(workers))...)
			var faults *finding.Error
			if errors.As(err, &faults) {
				err = faults.Cause
				for _, f := range faults.Findings {
					if !notJudged(f) {
						t.Errorf("graph %d on %d workers: %v", seed, workers, f)
					}
				}
			}
			if err != nil {
				t.Errorf("graph %d on %d workers: %v", seed, workers, err)
			}
		}
	}
}

// clear are programs without faults, for reasons that are not obvious.
var clear = []sample{
	{"neighbouring bytes in mode RW", neighbours(rw, 1)},
	{"neighbours of three bytes, some of two words, in mode RW", neighbours(rw, 3)},
	{"exclusive holders come after all before them, however many", func(c *edt.Ctx) {
		const twins, owners = 300, 20
		b := c.NewBlockNoAcquire(8 * twins)
		c.AllowUnordered(b, edt.ExclusiveWriters)
		done := c.NewLatch(twins + owners)
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, null))
		for n := range twins + owners {
			mode := rw
			if n%15 == 14 {
				mode = ew
			}
			launch(c, "holder", func(c *edt.Ctx, in edt.Args) {
				words := wordsOf(in, 0)
				if mode == ew {
					for k := range words {
						words[k]++
					}
				} else {
					words[n%twins] += uint64(n) + 1
				}
				c.Release(b)
				c.Satisfy(done, guid.Null)
			}, edt.From(b, mode))
		}
	}},
	{"blocks of one byte and of many pages", func(c *edt.Ctx) {
		for _, size := range []int{1, 7, 9, 4095, 4097, 300_000} {
			b, bytes := c.NewBlock(size)
			for k := range bytes {
				bytes[k] = byte(k)
			}
			c.Release(b)
			launch(c, "second", func(c *edt.Ctx, in edt.Args) {
				bytes := in.Dep(0).Bytes()
				for k := range bytes {
					if bytes[k] != byte(k) {
						c.Abort(1)
					}
					bytes[k]++
				}
				c.Release(b)
				launch(c, "third", func(c *edt.Ctx, in edt.Args) {
					if last := in.Dep(0).Bytes()[size-1]; last != byte(size-1)+1 {
						c.Abort(2)
					}
					c.DestroyBlock(b)
				}, edt.From(b, ro))
			}, edt.From(b, rw))
		}
	}},
	{"an EDT that goes on comes after what it was, and a block that is passed on after its giver", func(c *edt.Ctx) {
		b, mine, e := c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(8), c.NewEvent(edt.Sticky)
		rounds := 0
		launch(c, "taker", func(c *edt.Ctx, in edt.Args) {
			if in.Dep(0).Bytes()[0]++; in.Dep(0).Bytes()[0] != 2 {
				c.Abort(1)
			}
			c.DestroyBlock(b)
			c.DestroyEvent(e)
		}, edt.From(e, rw))
		launch(c, "giver", func(c *edt.Ctx, in edt.Args) {
			in.Dep(1).Bytes()[0]++
			if rounds++; rounds < 4 {
				c.Again()
				return
			}
			in.Dep(0).Bytes()[0]++
			c.Pass(e, 0)
			if in.Dep(1).Bytes()[0] != 4 {
				c.Abort(2)
			}
			c.DestroyBlock(mine)
		}, edt.From(b, rw), edt.From(mine, rw))
	}},
	{"a block is destroyed while others hold it", func(c *edt.Ctx) {
		b, bytes := c.NewBlock(100)
		bytes[0] = 1
		c.Release(b)
		holding := c.NewLatch(2)
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(holding, null))
		for range 2 {
			launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
				c.Satisfy(holding, guid.Null)
				if in.Dep(0).Bytes()[0] != 1 {
					c.Abort(1)
				}
			}, edt.From(b, ro))
		}
	}},
	{"an EDT that waits for a finish scope comes after all in it, and in scopes in it", func(c *edt.Ctx) {
		b := c.NewBlockNoAcquire(8)
		write := func(c *edt.Ctx, in edt.Args) { wordsOf(in, 0)[0]++ }
		inner := job(c, "inner", 0, func(c *edt.Ctx, _ edt.Args) { launch(c, "writer", write, edt.From(b, rw)) })
		outer := job(c, "outer", 1, func(c *edt.Ctx, _ edt.Args) { c.Spawn(inner, &edt.Spec{Finish: true}) })
		task, out := c.Spawn(outer, &edt.Spec{Finish: true, Output: true})
		launch(c, "after", func(c *edt.Ctx, in edt.Args) {
			write(c, in)
			c.DestroyBlock(b)
			c.DestroyTemplate(inner)
			c.DestroyTemplate(outer)
		}, edt.From(b, rw), edt.From(out, null))
		c.AddDependence(guid.Null, task, 0, null)
	}},
	{"a block comes back as the value of an EDT, through two events", func(c *edt.Ctx) {
		maker := c.NewTemplate("maker", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b, bytes := c.NewBlock(8)
			bytes[0] = 1
			return b // released before the output event is satisfied
		})
		task, out := c.Spawn(maker, &edt.Spec{Output: true})
		second := c.NewEvent(edt.Once)
		c.AddDependence(out, second, 0, rw)
		launch(c, "user", func(c *edt.Ctx, in edt.Args) {
			in.Dep(0).Bytes()[0]++
			c.DestroyBlock(in.Dep(0).GUID())
			c.DestroyTemplate(maker)
		}, edt.From(second, rw))
		c.AddDependence(guid.Null, task, 0, null)
	}},
}
