package edttest_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// queue has n writers wait for a block that main holds, and notes in which order they get it.
func queue(n int, note func(string)) edttest.Program {
	return func(trial *edttest.Trial) edt.Func {
		order := ""
		trial.Check(func() error {
			note(order)
			return nil
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			block, _ := c.NewBlock(8)
			for k := range n {
				start(c, fmt.Sprint(k), func(*edt.Ctx, edt.Args) { order += fmt.Sprint(k) }, edt.From(block, datablock.EW))
			}
		})
	}
}

// EDTs that wait for one block get it in every order by seeds; no order of ready EDTs alone could cause these.
func TestAcquireOrders(t *testing.T) {
	for n, orders := range []int{1, 1, 2, 6, 24} {
		for seeds, want := range map[int]int{0: 1, 500: orders} {
			seen := make(map[string]bool)
			edttest.Search(queue(n, func(s string) { seen[s] = true }), edttest.Seeds(seeds))
			testrun.Equal(t, want, len(seen), "orders of %d writers by %d seeds", n, seeds)
		}
	}
}

// queueOrder assumes that EDTs that wait for a block get it first come, first served.
func queueOrder(trial *edttest.Trial) edt.Func {
	var last uint64
	trial.Same("last writer", func() any { return last })
	return body(func(c *edt.Ctx, _ edt.Args) {
		block, _ := c.NewBlock(8)
		done := c.NewLatch(2)
		for k := range uint64(2) {
			start(c, fmt.Sprintf("writer %d", k+1), func(c *edt.Ctx, in edt.Args) {
				*word(in, 0) = k + 1
				c.Release(block)
				c.Satisfy(done, guid.Null)
			}, edt.From(block, datablock.EW))
		}
		start(c, "read", func(_ *edt.Ctx, in edt.Args) { last = *word(in, 0) },
			edt.From(block, datablock.RO), edt.From(done, datablock.Null))
	})
}

// The two writers are made in one body: only the queue of the block can swap them.
func ExampleSearch_acquireOrder() {
	found(queueOrder)
	// Output: overlap:1 fails, fifo passes
}
