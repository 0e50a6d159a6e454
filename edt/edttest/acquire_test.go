package edttest_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

// queue makes n writers wait for a block that main holds. note gets the order in which they acquire it.
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

// With seeds, EDTs that wait for one block acquire it in every order. Without seeds they acquire it in one order.
func TestAcquireOrders(t *testing.T) {
	for n, orders := range []int{1, 1, 2, 6, 24} {
		for seeds, want := range map[int]int{0: 1, 500: orders} {
			seen := make(map[string]bool)
			edttest.Search(queue(n, func(s string) { seen[s] = true }), edttest.Seeds(seeds))
			testrun.Equal(t, want, len(seen), "orders of %d writers by %d seeds", n, seeds)
		}
	}
}
