package edt_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestMisuseBlockSize(t *testing.T) {
	const op = "create data block"
	sized := func(name string, size int, cause *edt.Condition) []misuse {
		return []misuse{
			without(name, op, cause, func(c *edt.Ctx) { c.NewBlock(size) }),
			without(name+", not acquired", op, cause, func(c *edt.Ctx) { c.NewBlockNoAcquire(size) }),
			without(name+", near", op, cause, func(c *edt.Ctx) { c.NewBlockNear(size, 0) }),
			{name + ", near to the last worker", op, cause, func(c *edt.Ctx, f *fault) {
				f.anyTarget = true
				f.at(c, guid.Null, func() { c.NewBlockNear(size, c.Place(c.Workers()-1)) })
			}},
		}
	}
	checkMisuses(t, sized("-1", -1, edt.ErrSize))
	checkMisuses(t, sized("too large", datablock.MaxSize+1, edt.ErrMemory))
}

func TestMemoryLimit(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.memory = 8 << 20
		tr.want = func(err error) { wantCondition(tr, err, edt.ErrMemory) }
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 10 { // reused, so that this much fits
				c.DestroyBlock(c.NewBlockNoAcquire(2 << 20))
			}
			for range 5 {
				c.NewBlockNoAcquire(2 << 20)
			}
			tr.Errorf("10 MiB fit into 8")
		})
	})
}

// If not even the argument block fits, the run ends with an error as well.
func TestMemoryLimitBelowTheArgumentBlock(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.memory = 1
		tr.want = func(err error) {
			testrun.Is(tr, err, edt.ErrMemory, "error")
		}
		return body(nothing)
	})
}

// TestMemoryLimitIsNamed: the error has the option, its value, and what was needed, by any call that needs memory, and
// the line if a body makes it.
func TestMemoryLimitIsNamed(t *testing.T) {
	for _, x := range []struct {
		limit uint64
		main  edt.Func
		want  []string
	}{
		{7, body(nothing), []string{"8 bytes: ", "may have 7, see runtime.Memory"}},
		{20_000, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(20_001) }),
			[]string{"20001 bytes: ", "may have 20000, see runtime.Memory", "(misuse_block_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) {
			for {
				c.NewBlockNoAcquire(5000)
			}
		}), []string{"5000 bytes: ", "may have 1048576, see runtime.Memory", "(misuse_block_test.go:"}},
		{1 << 20, body(func(c *edt.Ctx, _ edt.Args) { c.NewBlock(datablock.MaxSize + 1) }),
			[]string{fmt.Sprintf("%d bytes: a data block may have %d", datablock.MaxSize+1, datablock.MaxSize)}},
	} {
		h := edttest.New(1, edt.Config{Workers: 1, Memory: x.limit})
		err := h.Run(x.main)
		testrun.Is(t, err, edt.ErrMemory, "limit %d", x.limit)
		testrun.Contains(t, fmt.Sprint(err), x.want...)
		h.Graph.Close()
	}
}

// A limit is in bytes of blocks, not of what is set aside for them.
func TestSmallMemoryLimitIsUsable(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.memory = 64 << 10
		return body(func(c *edt.Ctx, _ edt.Args) { c.NewBlockNoAcquire(1024) })
	})
}

func TestMisuseRelease(t *testing.T) {
	const op = "release"
	release, destroy := (*edt.Ctx).Release, (*edt.Ctx).DestroyBlock
	held := func(c *edt.Ctx) guid.GUID {
		g, _ := c.NewBlock(8)
		return g
	}
	checkMisuses(t, wrongKinds(op, []string{"block"}, release))
	checkMisuses(t, []misuse{
		wrong("never acquired", op, edt.ErrNotHeld, unheldBlock, release),
		wrong("twice", op, edt.ErrNotHeld, someBlock, release),
		wrong("foreign", op, edt.ErrForeign, foreignBlock, release),
		wrong("twice, not the last created", op, edt.ErrNotHeld, then(held, func(c *edt.Ctx, g guid.GUID) {
			c.NewBlock(8)
			c.Release(g)
		}), release),
		wrong("destroyed", op, edt.ErrNotHeld, then(held, destroy), release),
		wrong("destroyed, place reused", op, edt.ErrNotHeld, then(held, destroy, func(c *edt.Ctx, g guid.GUID) {
			now, _ := c.NewBlock(8)
			mustBeReplaced(g, now)
		}), release),
		{"a copy of a dependence", op, edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			g := wordBlock(c, 1)
			launch(c, func(c *edt.Ctx, in edt.Args) {
				copied := slices.Clone(in.Deps()) // which go vet does not see
				f.at(c, g, func() { c.ReleaseDep(&copied[0]) })
			}, edt.From(g, datablock.RO), rw(guid.Null))
		}},
		{"twice, by a user", op, edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			g := wordBlock(c, 1)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				c.Release(g)
				f.at(c, g, func() { c.Release(g) })
			}, rw(g), rw(guid.Null), rw(g))
		}},
		{"in Null mode", op, edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			g := wordBlock(c, 1)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, g, func() { c.Release(g) })
			}, edt.From(g, datablock.Null))
		}},
		{"held by another EDT", op, edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			g, _ := c.NewBlock(8)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				f.at(c, g, func() { c.Release(g) })
			})
		}},
	})
}

func TestMisuseOfBlocksNotHeld(t *testing.T) {
	mode := func(c *edt.Ctx, g guid.GUID) { c.BlockMode(g) }
	size := func(c *edt.Ctx, g guid.GUID) { c.BlockSize(g) }
	unordered := func(c *edt.Ctx, g guid.GUID) { c.AllowUnordered(g, edt.ReadsAndWrites) }
	checkMisuses(t, wrongKinds("block size", []string{"block"}, size))
	checkMisuses(t, wrongKinds("downgrade", []string{"block"}, (*edt.Ctx).Downgrade))
	checkMisuses(t, []misuse{
		wrong("downgrade", "downgrade", edt.ErrNotHeld, unheldBlock, (*edt.Ctx).Downgrade),
		wrong("downgrade after a release", "downgrade", edt.ErrNotHeld, someBlock, (*edt.Ctx).Downgrade),
		wrong("mode", "block mode", edt.ErrNotHeld, unheldBlock, mode),
		wrong("size", "block size", edt.ErrStale, staleBlock, size),
		wrong("synchronised", "synchronised", edt.ErrStale, staleBlock, (*edt.Ctx).Synchronised),
		wrong("unordered", "allow unordered", edt.ErrStale, staleBlock, unordered),
	})
}

// One block on several slots in different modes: found when the last slot is satisfied, by whom it is.
func TestMisuseMixedModes(t *testing.T) {
	for _, slots := range []int{2, 4, 5, 30} {
		for _, modes := range [][2]datablock.Mode{{datablock.RO, datablock.RW}, {datablock.EW, datablock.Const},
			{datablock.RW, datablock.EW}} {
			checkMisuses(t, []misuse{
				{"added", "acquire", edt.ErrMixedModes, func(c *edt.Ctx, f *fault) {
					g, task := wordBlock(c, 1), open(c, slots, nothing)
					for k := range slots - 1 {
						c.AddDependence(g, task, k, modes[0])
					}
					f.at(c, g, func() { c.AddDependence(g, task, slots-1, modes[1]) })
				}},
				{"listed", "acquire", edt.ErrMixedModes, func(c *edt.Ctx, f *fault) {
					g, tmpl := wordBlock(c, 1), c.NewTemplate("mixed", 0, slots, body(nothing))
					deps := make([]edt.Source, slots)
					for k := range deps {
						deps[k] = edt.From(guid.Null, datablock.RW)
					}
					deps[0], deps[slots-1] = edt.From(g, modes[0]), edt.From(g, modes[1])
					f.at(c, g, func() { c.NewEDT(tmpl, nil, deps...) })
				}},
			})
		}
	}
}

// A block that is destroyed while a slot names it, before the EDT is runnable: its record may be free by then, or
// another block's, which may be held. EDTs with few slots and with many acquire in different ways.
func TestMisuseBlockDestroyedBeforeAcquire(t *testing.T) {
	for _, slots := range []int{2, 6, 20} {
		for _, mode := range []datablock.Mode{datablock.RO, datablock.EW} {
			for name, replace := range map[string]func(c *edt.Ctx, old guid.GUID){
				"and free": func(*edt.Ctx, guid.GUID) {},
				"and another": func(c *edt.Ctx, old guid.GUID) {
					mustBeReplaced(old, c.NewBlockNoAcquire(8))
				},
				"and another that is held": func(c *edt.Ctx, old guid.GUID) {
					g, _ := c.NewBlock(8)
					mustBeReplaced(old, g)
				},
			} {
				name = fmt.Sprintf("%d slots, %v, destroyed %s", slots, mode, name)
				checkMisuses(t, []misuse{{name, "acquire", edt.ErrStale, func(c *edt.Ctx, f *fault) {
					g, task := wordBlock(c, 1), open(c, slots, nothing)
					for k := range slots - 1 {
						c.AddDependence(g, task, k, mode)
					}
					c.DestroyBlock(g)
					if f.fine = task.Home() != g.Home(); f.fine { // there it is kept for those that got it
						c.AddDependence(guid.Null, task, slots-1, datablock.RO)
						return
					}
					replace(c, g)
					f.at(c, g, func() { c.AddDependence(guid.Null, task, slots-1, datablock.RO) })
				}}})
			}
		}
	}
}
