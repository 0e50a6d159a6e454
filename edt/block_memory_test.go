package edt_test

import (
	"context"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// Memory of destroyed blocks serves blocks of other sizes: a run needs what is live at a
// time, half as much again, and 2 MiB a worker.
func TestMemoryServesOtherSizes(t *testing.T) {
	const mib = 1 << 20
	group := func(c *edt.Ctx, total, size int) (all []guid.GUID) {
		for range total / size {
			all = append(all, c.NewBlockNoAcquire(size))
		}
		return all
	}
	for _, tc := range []struct {
		name  string
		limit uint64
		main  func(c *edt.Ctx)
	}{
		{"24 MiB of 64 bytes, then of 256", 40 * mib, func(c *edt.Ctx) {
			for _, size := range []int{64, 256} {
				for _, g := range group(c, 24*mib, size) {
					c.DestroyBlock(g)
				}
			}
		}},
		{"64 MiB of each class from 8 to 64 KiB", (64 + 32 + 2) * mib, func(c *edt.Ctx) {
			for octave := 8 << 10; octave < 64<<10; octave *= 2 {
				for quarter := 5; quarter <= 8; quarter++ {
					for _, g := range group(c, 64*mib, octave*quarter/4) {
						c.DestroyBlock(g)
					}
				}
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			main := body(func(c *edt.Ctx, _ edt.Args) { tc.main(c) })
			testrun.OK(t, runtime.Run(context.Background(), main, runtime.Workers(1), runtime.Memory(tc.limit)))
		})
	}
}
