package edt_test

import (
	"context"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// Ways to create a block of a size that the caller does not hold when they return.
var creations = map[string]func(c *edt.Ctx, size int) guid.GUID{
	"held": func(c *edt.Ctx, size int) guid.GUID {
		g, bytes := c.NewBlock(size)
		fillBlock(bytes)
		c.Release(g)
		return g
	},
	"not acquired": func(c *edt.Ctx, size int) guid.GUID { return c.NewBlockNoAcquire(size) },
	"near":         func(c *edt.Ctx, size int) guid.GUID { return c.NewBlockNear(size, c.Place(c.Workers()-1)) },
}

func fillBlock(bytes []byte) {
	for k := range bytes {
		bytes[k] = byte(len(bytes) + k)
	}
}

// An empty block has a name of its own and no address. It is acquired in each mode, released, downgraded, queried,
// passed on and destroyed as any block is.
func TestEmptyBlock(t *testing.T) {
	for name, create := range creations {
		for _, mode := range []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null} {
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
					g, other := create(c, 0), create(c, 0)
					if g == other || g.IsNull() || c.Ranks() == 1 && c.BlockSize(g) != 0 {
						tr.Errorf("blocks %v and %v, not empty or the same", g, other)
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
							testrun.Equal(tr, 0, c.BlockSize(g), "size of a block that the EDT holds")
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

// launchTidy is launch, and destroys the template.
func launchTidy(c *edt.Ctx, f action, deps ...edt.Source) {
	t := c.NewTemplate("once", 0, len(deps), body(f))
	c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
}

// A recorded graph takes empty blocks, as inputs and inside. Check mode sees nothing wrong in them.
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

// What comes from outside without bytes is an empty block, and a signal is none.
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
