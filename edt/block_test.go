package edt_test

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestBlocksAreZeroedAndAligned(t *testing.T) {
	sizes := []int{1, 7, 8, 63, 64, 65, 1000, 1024, 1025, 4096, 40_000, 300_000}
	everywhere(t, counting("rounds", 6, func(tr *trial, c *edt.Ctx, ran *tally) {
		var round *edt.Template
		round = c.NewTemplate("round", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
			ran.add()
			for _, size := range sizes {
				g, b := c.NewBlock(size)
				if len(b) != size || c.BlockSize(g) != size {
					tr.Errorf("%d bytes, size %d, want %d", len(b), c.BlockSize(g), size)
				}
				testrun.Equal(tr, 0, uintptr(unsafe.Pointer(&b[0]))%64, "block of %d bytes at %p", size, &b[0])
				for k := range b {
					if b[k] != 0 {
						tr.Errorf("byte %d of a new block of %d is %d", k, size, b[k])
						break
					}
				}
				for k := range b {
					b[k] = 0xff
				}
				c.DestroyBlock(g)
			}
			if left := in.Param(0); left > 1 {
				c.NewEDT(round, edt.Params(left-1))
			}
		}))
		c.NewEDT(round, edt.Params(6))
	}))
}

// The same block on several slots in one mode is acquired once and given back once (OCR tests DuplicateDeps0 to 2).
func TestOneBlockOnSeveralSlots(t *testing.T) {
	for _, mode := range modes {
		for _, slots := range []int{2, 4, 5, 40} {
			for _, how := range []string{"listed", "added", "events"} {
				t.Run(fmt.Sprintf("%v on %d, %s", mode, slots, how), func(t *testing.T) {
					everywhere(t, func(tr *trial) edt.Func {
						ran := tr.times("EDT", 1)
						after := tr.times("writer after it", 1)
						return body(func(c *edt.Ctx, _ edt.Args) {
							block := wordBlock(c, 12)
							e := c.NewEvent(edt.Sticky)
							check := func(c *edt.Ctx, in edt.Args) {
								ran.add()
								for k := range slots {
									checkDep(tr, in.Dep(k), block, mode)
									testrun.Equal(tr, unsafe.SliceData(in.Dep(0).Bytes()), unsafe.SliceData(in.Dep(k).Bytes()),
										"bytes on slot %d, beside slot 0", k)
								}
								if mode != datablock.Null {
									c.Release(block)
									for k := range slots {
										if in.Dep(k).Bytes() != nil {
											tr.Errorf("slot %d gives access after the release", k)
										}
									}
								}
								launch(c, func(*edt.Ctx, edt.Args) { after.add() }, edt.From(block, datablock.EW))
							}
							task := guid.Null
							switch how {
							case "listed":
								deps := make([]edt.Source, slots)
								for k := range deps {
									deps[k] = edt.From(block, mode)
								}
								launch(c, check, deps...)
								return
							case "added", "events":
								task = open(c, slots, check)
							}
							for k := range slots {
								if how == "events" && k%2 == 0 {
									c.AddDependence(e, task, k, mode)
								} else {
									c.AddDependence(block, task, k, mode)
								}
							}
							c.Satisfy(e, block)
						})
					})
				})
			}
		}
	}
}

// A block that is destroyed when its users are runnable stays in one process for those, too, that wait for another one
// first. They have it in any slot, and few or many of them.
func TestDestroyedBlocksStayForWaiters(t *testing.T) {
	for _, mode := range modes[:4] {
		for _, slots := range []int{2, 6, 20} {
			t.Run(fmt.Sprintf("%v, %d slots", mode, slots), func(t *testing.T) {
				oneRank(t, 10, counting("users", 3, func(tr *trial, c *edt.Ctx, ran *tally) {
					var blocks []guid.GUID
					var deps []edt.Source
					had := []int{0, slots / 2, slots - 1} // main has these
					for k := range slots {
						g, b := c.NewBlock(8)
						datablock.SliceOf[uint64](b)[0] = uint64(k)
						if !slices.Contains(had, k) {
							c.Release(g)
						}
						blocks, deps = append(blocks, g), append(deps, edt.From(g, mode))
					}
					for _, k := range had {
						deps := slices.Clone(deps)
						deps[k] = edt.From(blocks[k], datablock.EW)
						launch(c, func(c *edt.Ctx, in edt.Args) {
							ran.add()
							for k := range slots {
								if d := in.Dep(k); d.GUID() != blocks[k] || wordOf(d) != uint64(k) {
									tr.Errorf("slot %d has block %v with %d, want %v with %d", k, d.GUID(), wordOf(d), blocks[k], k)
								}
							}
						}, deps...)
					}
					for k, g := range blocks {
						if !slices.Contains(had, k) {
							c.DestroyBlock(g)
						}
					}
					for range slots {
						wordBlock(c, ^uint64(0))
					}
					for _, k := range slices.Compact(had) {
						c.DestroyBlock(blocks[k])
						wordBlock(c, ^uint64(0))
					}
				}))
			})
		}
	}
}
