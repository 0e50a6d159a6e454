package edt_test

import (
	"math/rand/v2"
	"testing"

	"ocr/edt"
	"ocr/guid"
)

// A filled channel does what a channel does that was satisfied so often without a block: dependences and satisfactions
// in a random order, with as many satisfactions as there is room for.
func TestFilledChannel(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		rng := rand.New(rand.NewPCG(uint64(tr.workers), 8))
		n, steps := 1+rng.IntN(6), 40
		ran := tr.times("EDTs that wait", 2*steps)
		return body(func(c *edt.Ctx, _ edt.Args) {
			filled, plain := c.NewFilledChannel(n), c.NewChannel(n)
			for range n {
				c.Satisfy(plain, guid.Null)
			}
			waiting := n // below 0 if dependences wait
			for took := 0; took < steps || waiting < 0; {
				if took < steps && (waiting == n || waiting > -n && rng.IntN(2) == 0) {
					for _, g := range []guid.GUID{filled, plain} {
						launch(c, func(_ *edt.Ctx, in edt.Args) {
							if ran.add(); !in.Dep(0).IsNull() {
								tr.Errorf("a block %v came", in.Dep(0).GUID())
							}
						}, rw(g))
					}
					took++
					waiting--
					continue
				}
				c.Satisfy(filled, guid.Null)
				c.Satisfy(plain, guid.Null)
				waiting++
			}
		})
	})
}
