package edt_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func TestMisuseBlockSize(t *testing.T) {
	sized := func(name string, size int, cause *edt.Condition) []misuse {
		return []misuse{
			{name, "create data block", cause, func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewBlock(size) }) }},
			{name + ", not acquired", "create data block", cause,
				func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewBlockNoAcquire(size) }) }},
			{name + ", near", "create data block", cause,
				func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.NewBlockNear(size, 0) }) }},
		}
	}
	checkMisuses(t, sized("0", 0, edt.ErrSize))
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
			if !errors.Is(err, edt.ErrMemory) {
				tr.Errorf("error %v, want %v", err, edt.ErrMemory)
			}
		}
		return body(nothing)
	})
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
	notHeld := func(name string, make func(c *edt.Ctx) guid.GUID) misuse {
		return misuse{name, op, edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			g := make(c)
			f.at(c, g, func() { c.Release(g) })
		}}
	}
	checkMisuses(t, []misuse{
		notHeld("never acquired", func(c *edt.Ctx) guid.GUID { return c.NewBlockNoAcquire(8) }),
		notHeld("twice", func(c *edt.Ctx) guid.GUID { return wordBlock(c, 1) }),
		notHeld("twice, not the last created", func(c *edt.Ctx) guid.GUID {
			a, _ := c.NewBlock(8)
			c.NewBlock(8)
			c.Release(a)
			return a
		}),
		notHeld("destroyed", func(c *edt.Ctx) guid.GUID {
			g, _ := c.NewBlock(8)
			c.DestroyBlock(g)
			return g
		}),
		notHeld("destroyed, place reused", func(c *edt.Ctx) guid.GUID {
			g, _ := c.NewBlock(8)
			c.DestroyBlock(g)
			now, _ := c.NewBlock(8)
			return mustBeReplaced(g, now)
		}),
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
		{"foreign", op, edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().block, func() { c.Release(otherRun().block) })
		}},
	})
	checkMisuses(t, wrongKinds(op, []string{"block"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.Release(g) })
	}))
}

func TestMisuseOfBlocksNotHeld(t *testing.T) {
	checkMisuses(t, []misuse{
		{"downgrade", "downgrade", edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			g := c.NewBlockNoAcquire(8)
			f.at(c, g, func() { c.Downgrade(g) })
		}},
		{"downgrade after a release", "downgrade", edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			g := wordBlock(c, 1)
			f.at(c, g, func() { c.Downgrade(g) })
		}},
		{"mode", "block mode", edt.ErrNotHeld, func(c *edt.Ctx, f *fault) {
			g := c.NewBlockNoAcquire(8)
			f.at(c, g, func() { c.BlockMode(g) })
		}},
		{"size", "block size", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g := staleBlock(c)
			f.at(c, g, func() { c.BlockSize(g) })
		}},
		{"affinity", "affinity", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g := staleBlock(c)
			f.at(c, g, func() { c.BlockAffinity(g) })
		}},
	})
	checkMisuses(t, wrongKinds("block size", []string{"block"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.BlockSize(g) })
	}))
	checkMisuses(t, wrongKinds("downgrade", []string{"block"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.Downgrade(g) })
	}))
}

// One block on several slots in different modes: found when the last slot is
// satisfied, by whom it is.
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

// A block that is destroyed while a slot names it, before the EDT is runnable: its record
// may be free by then, or another block's, which may be held. EDTs with few slots and with
// many acquire in different ways.
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
