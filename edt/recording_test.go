package edt_test

import (
	goruntime "runtime"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

func value(d *datablock.Dep) *uint64 { return &datablock.Slice[uint64](d)[0] }

// TestReplay: a diamond over two blocks, run several times, alone and with other EDTs that want its blocks.
func TestReplay(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		add := c.NewTemplate("add", 1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
			for k := range in.Deps() {
				*value(in.Dep(k)) += in.Param(0)
			}
			return guid.Null
		})
		double := c.NewTemplate("double", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			*value(in.Dep(0)) *= 2
			return guid.Null
		})
		a, b := c.NewBlockNoAcquire(8), c.NewBlockNoAcquire(8)
		r := c.NewRecording()
		first := r.Add(add, edt.Params(1), edt.From(a, datablock.EW), edt.From(b, datablock.EW))
		left := r.Add(double, nil, edt.From(first.Slot(0), datablock.RW))
		right := r.Add(double, nil, edt.From(b, datablock.EW))
		right.After(first, edt.Node{})
		last := r.Add(add, edt.Params(3), edt.From(left.Slot(0), datablock.EW), edt.From(b, datablock.RW))
		last.After(right)
		done := c.NewEvent(edt.Sticky)
		r.Run(c, 3, done)
		// ((0+1)*2+3)=5, (6*2+3)=15, 16*2+3=35
		look := c.NewTemplate("look", 0, 3, func(c *edt.Ctx, in edt.Args) guid.GUID {
			if x, y := *value(in.Dep(0)), *value(in.Dep(1)); x != 35 || y != 35 {
				tr.Errorf("%d and %d, want 35", x, y)
			}
			r.Destroy(c)
			return guid.Null
		})
		c.NewEDTAt(edt.BindTo(c.Worker()), look, nil, edt.From(a, datablock.RO), edt.From(b, datablock.RO),
			edt.From(done, datablock.Null))
	}))
}

// TestRecordingMemory: a sealed node with two edges and a block takes at most 200 bytes, its record included.
func TestRecordingMemory(t *testing.T) {
	const nodes, record = 20_000, 128
	heap := func() uint64 {
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	err := runtime.Run(t.Context(), body(func(c *edt.Ctx, _ edt.Args) {
		nop := c.NewTemplate("nop", 0, 1, body(nothing))
		blocks := make([]guid.GUID, nodes)
		for k := range blocks {
			blocks[k] = c.NewBlockNoAcquire(8)
		}
		before := heap()
		r := c.NewRecording()
		last := [2]edt.Node{}
		for k := range nodes {
			n := r.Add(nop, nil, edt.From(blocks[k], datablock.EW))
			n.After(last[0], last[1])
			last = [2]edt.Node{last[1], n}
		}
		r.Seal(c)
		if each := record + float64(heap()-before)/nodes; each > 200 {
			t.Errorf("%.0f bytes a node", each)
		} else {
			t.Logf("%.0f bytes a node", each)
		}
		r.Destroy(c)
	}), runtime.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
}
