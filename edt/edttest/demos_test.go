package edttest_test

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

func body(f func(c *edt.Ctx, in edt.Args)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		f(c, in)
		return guid.Null
	}
}

func start(c *edt.Ctx, name string, f func(c *edt.Ctx, in edt.Args), deps ...edt.Source) guid.GUID {
	return c.NewEDT(c.NewTemplate(name, 0, len(deps), body(f)), nil, deps...)
}

func word(in edt.Args, slot int) *uint64 { return &datablock.Slice[uint64](in.Dep(slot))[0] }

// unorderedSum adds floats, whose sum depends on the order, in EDTs that are not ordered.
func unorderedSum(trial *edttest.Trial) edt.Func {
	sum := 0.0
	trial.Same("sum", func() any { return sum })
	return body(func(c *edt.Ctx, _ edt.Args) {
		block := c.NewBlockNoAcquire(8)
		done := c.NewLatch(3)
		for _, v := range []float64{1e16, 1, -1e16} {
			start(c, fmt.Sprintf("add %g", v), func(c *edt.Ctx, in edt.Args) {
				datablock.Slice[float64](in.Dep(0))[0] += v
				c.Release(block)
				c.Satisfy(done, guid.Null)
			}, edt.From(block, datablock.RW))
		}
		start(c, "collect", func(c *edt.Ctx, in edt.Args) {
			sum = datablock.Slice[float64](in.Dep(0))[0]
			c.DestroyBlock(block)
		}, edt.From(block, datablock.RW), edt.From(done, datablock.Null))
	})
}

// lostOnce adds a dependence on a once event in an EDT that can run too late for it.
func lostOnce(*edttest.Trial) edt.Func {
	return body(func(c *edt.Ctx, _ edt.Args) {
		once := c.NewEvent(edt.Once)
		start(c, "wait", func(c *edt.Ctx, _ edt.Args) {
			start(c, "waiter", func(*edt.Ctx, edt.Args) {}, edt.From(once, datablock.Null))
		})
		start(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(once, guid.Null) })
	})
}

// pipeline sends messages down a chain of ranks, as synch_p2p does. The first rank uses the buffers of a pool in turn,
// but does not know how far its messages have come. A buffer holds the number of its message.
func pipeline(buffers, ranks, messages int) edttest.Program {
	return func(trial *edttest.Trial) edt.Func {
		var got []uint64
		trial.Check(func() error {
			for k, v := range got {
				if v != uint64(k) {
					return fmt.Errorf("message %d reads %d", k, v)
				}
			}
			if len(got) != messages {
				return fmt.Errorf("%d of %d messages came", len(got), messages)
			}
			return nil
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			pool := make([]guid.GUID, buffers)
			for k := range pool {
				pool[k] = c.NewBlockNoAcquire(8)
			}
			links := make([]guid.GUID, ranks)
			for k := range links {
				links[k] = c.NewChannel(edt.Unbounded)
			}
			var send, receive func(c *edt.Ctx, rank, message int)
			send = func(c *edt.Ctx, rank, message int) {
				start(c, "send", func(c *edt.Ctx, in edt.Args) {
					*word(in, 0) = uint64(message)
					c.Release(in.Dep(0).GUID())
					c.Satisfy(links[1], in.Dep(0).GUID())
					if message+1 < messages {
						send(c, rank, message+1)
					}
				}, edt.From(pool[message%buffers], datablock.RW))
			}
			receive = func(c *edt.Ctx, rank, message int) {
				start(c, fmt.Sprintf("rank %d", rank), func(c *edt.Ctx, in edt.Args) {
					if buffer := in.Dep(0).GUID(); rank < ranks-1 {
						c.Release(buffer)
						c.Satisfy(links[rank+1], buffer)
					} else {
						got = append(got, *word(in, 0))
					}
					if message+1 < messages {
						receive(c, rank, message+1)
					}
				}, edt.From(links[rank], datablock.RW))
			}
			for rank := 1; rank < ranks; rank++ {
				receive(c, rank, 0)
			}
			send(c, 0, 0)
		})
	}
}

// exclusiveOrder has two writers in mode EW. It relies on the one whose input is satisfied first to write first.
func exclusiveOrder(trial *edttest.Trial) edt.Func {
	var last uint64
	trial.Check(func() error {
		if last != 2 {
			return fmt.Errorf("writer %d was the last", last)
		}
		return nil
	})
	return body(func(c *edt.Ctx, _ edt.Args) {
		block := c.NewBlockNoAcquire(8)
		done := c.NewLatch(2)
		for k := range uint64(2) {
			input := c.NewEvent(edt.Once)
			start(c, fmt.Sprintf("writer %d", k+1), func(c *edt.Ctx, in edt.Args) {
				*word(in, 0) = k + 1
				c.Release(block)
				c.Satisfy(done, guid.Null)
			}, edt.From(block, datablock.EW), edt.From(input, datablock.Null))
			start(c, fmt.Sprintf("input %d", k+1), func(c *edt.Ctx, _ edt.Args) { c.Satisfy(input, guid.Null) })
		}
		start(c, "read", func(_ *edt.Ctx, in edt.Args) { last = *word(in, 0) },
			edt.From(block, datablock.RO), edt.From(done, datablock.Null))
	})
}

// earlySatisfy satisfies an event with a block before the last write to the block: a mistake that shows while the EDT
// is still running.
func earlySatisfy(trial *edttest.Trial) edt.Func {
	var read uint64
	trial.Same("value", func() any { return read })
	return body(func(c *edt.Ctx, _ edt.Args) {
		event := c.NewEvent(edt.Once)
		start(c, "read", func(_ *edt.Ctx, in edt.Args) { read = *word(in, 0) }, edt.From(event, datablock.RW))
		block := c.NewBlockNoAcquire(8)
		start(c, "write", func(c *edt.Ctx, in edt.Args) {
			*word(in, 0) = 1
			c.Satisfy(event, block)
			*word(in, 0) = 2
		}, edt.From(block, datablock.RW))
	})
}
