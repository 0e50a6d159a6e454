package edt_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestBlocksAreZeroedAndAligned(t *testing.T) {
	sizes := []int{1, 7, 8, 63, 64, 65, 1000, 1024, 1025, 4096, 40_000, 300_000}
	everywhere(t, counting("rounds", 6, func(tr *trial, c *edt.Ctx, ran *tally) {
		var round *edt.Template
		round = c.NewTemplate("round", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
			ran.add()
			for _, size := range sizes {
				g, b := c.NewBlock(size)
				testrun.Equal(tr, size, len(b), "bytes")
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

// TestDestroyedBlocksStayForWaiters: in one process, a block that is destroyed when its users are runnable stays for
// them, also if they first wait for another block, on their first, middle or last slot.
func TestDestroyedBlocksStayForWaiters(t *testing.T) {
	for _, mode := range modes[:4] {
		for _, slots := range []int{2, 6, 20} {
			t.Run(fmt.Sprintf("%v, %d slots", mode, slots), func(t *testing.T) {
				oneRank(t, 10, counting("users", 3, func(tr *trial, c *edt.Ctx, ran *tally) {
					var blocks []guid.GUID
					var deps []edt.Source
					had := []int{0, slots / 2, slots - 1} // main holds these
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

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}

// compatible is the table of OCR 1.2, §1.6.
var compatible = map[[2]datablock.Mode]bool{
	{datablock.RW, datablock.RW}: true, {datablock.RW, datablock.RO}: true,
	{datablock.EW, datablock.RO}: true,
	{datablock.RO, datablock.RO}: true, {datablock.RO, datablock.Const}: true,
	{datablock.Const, datablock.Const}: true,
}

// holders has the number of EDTs that hold a block at the same time, by mode.
type holders [5]atomic.Int32

func (h *holders) enter(tr *trial, m datablock.Mode) {
	h[m].Add(1)
	for _, other := range modes[:4] {
		n := h[other].Load()
		if other == m {
			n--
		}
		if n > 0 && !compatible[[2]datablock.Mode{m, other}] && !compatible[[2]datablock.Mode{other, m}] {
			tr.Errorf("%v holds beside %d of %v", m, n, other)
		}
	}
}

func (h *holders) leave(m datablock.Mode) { h[m].Add(-1) }

// TestEmptyBlock: an empty block has a GUID and no address. It is acquired in each mode, released, downgraded, queried,
// passed on and destroyed as any block is.
func TestEmptyBlock(t *testing.T) {
	for name, create := range map[string]maker{
		"held":         func(c *edt.Ctx) guid.GUID { g, _ := c.NewBlock(0); c.Release(g); return g },
		"not acquired": func(c *edt.Ctx) guid.GUID { return c.NewBlockNoAcquire(0) },
		"near":         func(c *edt.Ctx) guid.GUID { return c.NewBlockNear(0, c.Place(c.Workers()-1)) },
	} {
		for _, mode := range modes {
			everywhere(t, func(tr *trial) edt.Func {
				ran := tr.times("EDTs with the block", 3)
				tr.after(func() {
					for _, l := range tr.leaks {
						if l.Kind != guid.KindTemplate {
							tr.Errorf("%s, %v: left: %v", name, mode, l)
						}
					}
				})
				return body(func(c *edt.Ctx, _ edt.Args) {
					g, other := create(c), create(c)
					if g == other || g.IsNull() {
						tr.Errorf("blocks %v and %v, Null or the same", g, other)
					}
					c.DestroyBlock(other)
					event, last := c.NewCounted(1), c.NewCounted(1)
					sees := func(c *edt.Ctx, d *datablock.Dep) {
						if ran.add(); d.IsNull() || d.GUID() != g || d.Size() != 0 || d.Bytes() != nil || d.Memory() != nil ||
							datablock.Slice[uint64](d) != nil {
							tr.Errorf("%s, %v: %v with %v", name, mode, d.GUID(), d.Bytes())
						}
					}
					launch(c, func(c *edt.Ctx, in edt.Args) { sees(c, in.Dep(0)); c.DestroyBlock(g) }, edt.From(last, mode))
					launch(c, func(c *edt.Ctx, in edt.Args) { // on two slots
						sees(c, in.Dep(0))
						sees(c, in.Dep(1))
						if mode != datablock.Null {
							c.Downgrade(g)
							c.Release(g)
						}
						c.Satisfy(last, g)
					}, edt.From(event, mode), edt.From(g, mode))
					c.Satisfy(event, g)
				})
			})
		}
	}
}

// launchTidy is launch from a template that it then destroys.
func launchTidy(c *edt.Ctx, f action, deps ...edt.Source) {
	t := c.NewTemplate("once", 0, len(deps), body(f))
	c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
}

// TestEmptyBlockInCheckMode: a recorded graph takes empty blocks, as inputs and inside. Check mode reports nothing.
func TestEmptyBlockInCheckMode(t *testing.T) {
	for _, mode := range []runtime.Option{runtime.Check(), runtime.TrackSites()} {
		times := 0
		err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
			g, bytes := c.NewBlock(0)
			if bytes != nil {
				t.Errorf("an empty block has bytes %v", bytes)
			}
			c.Release(g)
			r := c.NewRecording()
			node := func(c *edt.Ctx, in edt.Args) {
				if times++; in.Dep(0).Bytes() != nil || in.Dep(0).GUID() != g {
					t.Errorf("a node has %v", in.Dep(0).Bytes())
				}
			}
			each := c.NewTemplate("node", 0, 1, body(node))
			first := r.Add(each, nil, edt.From(g, datablock.RW))
			r.Add(each, nil, edt.From(first.Slot(0), datablock.RW))
			ended := c.NewCounted(1)
			launchTidy(c, func(c *edt.Ctx, _ edt.Args) { r.Destroy(c); c.DestroyTemplate(each); c.DestroyBlock(g) }, rw(ended))
			r.Run(c, 3, ended)
		}), mode, runtime.Workers(2))
		if err != nil || times != 6 {
			t.Errorf("%v, %d nodes have run", err, times)
		}
	}
}

// TestEmptyFromOutside: a satisfaction from outside without bytes brings an empty block; a signal brings no block.
func TestEmptyFromOutside(t *testing.T) {
	err := runtime.Run(context.Background(), body(func(c *edt.Ctx, _ edt.Args) {
		for empty, satisfy := range map[bool]func(x *edt.External) error{
			true:  func(x *edt.External) error { return x.Satisfy(nil) },
			false: (*edt.External).Signal,
		} {
			event, x := c.NewExternal(1)
			launchTidy(c, func(c *edt.Ctx, in edt.Args) {
				d := in.Dep(0)
				if d.IsNull() == empty || d.Bytes() != nil {
					t.Errorf("%v came, want an empty block: %v", d.GUID(), empty)
				}
				if empty {
					c.DestroyBlock(d.GUID())
				}
				c.DestroyEvent(event)
			}, rw(event))
			go func() {
				if err := satisfy(x); err != nil {
					t.Error(err)
				}
			}()
		}
		b := edt.NewBlocking(1)
		launchTidy(c, func(c *edt.Ctx, in edt.Args) {
			if in.Dep(0).IsNull() || !in.Dep(1).IsNull() {
				t.Errorf("%v and %v came", in.Dep(0).GUID(), in.Dep(1).GUID())
			}
			c.DestroyBlock(in.Dep(0).GUID())
		}, rw(b.Call(c, func(context.Context) ([]byte, error) { return nil, nil })),
			rw(b.Do(c, func(context.Context) error { return nil })))
	}), runtime.Check(), runtime.Workers(2))
	testrun.OK(t, err)
}
