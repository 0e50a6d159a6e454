package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
)

// OCR tests Counted0 to 2: dependences before and after the satisfaction.
func TestCountedServesItsDependencesAndIsGone(t *testing.T) {
	for _, n := range []int{1, 2, 9} {
		for _, before := range []int{0, n / 2, n} {
			t.Run(fmt.Sprintf("%d of %d before", before, n), func(t *testing.T) {
				everywhere(t, counting("waiters", n, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := c.NewCounted(n), wordBlock(c, 2)
					for k := range n + 1 {
						if k == before {
							if !c.Exists(e) {
								tr.Errorf("gone before it was satisfied")
							}
							c.Satisfy(e, block)
						}
						if k == n {
							break
						}
						if !c.Exists(e) {
							tr.Errorf("gone after %d of %d dependences", k, n)
						}
						launch(c, tr.gets(ran, block), edt.From(e, datablock.RO))
					}
					if c.Exists(e) {
						tr.Errorf("the event exists after %d dependences and its satisfaction", n)
					}
				}))
			})
		}
	}
}
