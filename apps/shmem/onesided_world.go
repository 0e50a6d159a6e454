package shmem

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// WindowBytes returns the bytes of runtime.Window for each rank, for a world with perRank PEs on each.
func WindowBytes(cfg Config, perRank int) int {
	return perRank * pad(newLayout(cfg.PEs).segment+cfg.Bytes)
}

// holder is the world that has the window of a run, the latest one of this process.
var holder atomic.Pointer[World]

// takeWindow has the world use the window of the run, if it has one.
func (w *World) takeWindow(c *edt.Ctx) {
	window := w.windowOf(c)
	if window == nil {
		return
	}
	w.perRank = c.Workers() / c.Ranks()
	if w.cfg.windows != nil {
		w.perRank = 1
	}
	if need := WindowBytes(w.cfg, w.perRank); need > len(window.Bytes()) {
		misuse("new world", -1, "it needs %d bytes of each rank's window, which has %d, see WindowBytes",
			need, len(window.Bytes()))
	}
	if other := holder.Load(); other != nil && other.window == window {
		misuse("new world", -1, "the run's window is for one world at a time, and another one is there")
	}
	w.window = window
	holder.Store(w)
}

// windowOf returns the window of the run, on this rank.
func (w *World) windowOf(c *edt.Ctx) edt.Window {
	if w.cfg.windows != nil {
		return w.cfg.windows(c.Worker())
	}
	return c.Window()
}

// near returns the windows of the PEs of this rank, by PE; those of others are nil.
func (w *World) near(c *edt.Ctx) [][]byte {
	memory, windows := w.windowOf(c).Bytes(), make([][]byte, w.cfg.PEs)
	size := w.layout.segment + w.cfg.Bytes
	for pe := range windows {
		if p := placeOf(pe, w.perRank, size); p.rank == c.Worker()/w.perRank {
			windows[pe] = memory[p.at:][:size:size]
		}
	}
	return windows
}

var openTemplate, startTemplate, closeTemplate *edt.Template

func init() {
	openTemplate = edt.NewTemplate("shmem.open", 1, 2, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worldOf(int(uint32(in.Param(0))), in.Dep(1))
		own, control := w.near(c)[c.Worker()], w.layout.segment
		clear(own[:control])
		copy(own[control:], w.Segment(in.Dep(0)))
		return guid.Null
	})
	startTemplate = edt.NewTemplate("shmem.start", 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		which := in.Param(0)
		worlds[uint32(which)].Load().start(c, which, guid.FromWords(in.Param(1), in.Param(2)))
		return guid.Null
	})
	closeTemplate = edt.NewTemplate("shmem.close", 1, 3, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worldOf(int(uint32(in.Param(0))), in.Dep(2))
		copy(w.Segment(in.Dep(1)), w.near(c)[c.Worker()][w.layout.segment:])
		return guid.Null
	})
}

// startInWindow starts a program in the window of the run: EDTs copy the segments there from their blocks first, and
// back when all PEs have ended.
func (w *World) startInWindow(c *edt.Ctx, which uint64, all, ended guid.GUID) {
	hi, lo := all.Words()
	opened, closed, over := c.NewLatch(int64(w.cfg.PEs)), c.NewLatch(int64(w.cfg.PEs)), c.NewEvent(edt.Sticky)
	w.events = append(w.events, over)
	c.AddDependence(all, over, 0, datablock.Null)
	c.AddDependence(closed, ended, 0, datablock.Null)
	c.NewEDT(startTemplate, edt.Params(which, hi, lo), edt.From(opened, datablock.Null))
	for pe, block := range w.blocks {
		own, setup, at := edt.From(block, datablock.RW), edt.From(w.setup, datablock.RO), edt.Hint{Affinity: c.Bind(pe)}
		c.Spawn(closeTemplate, &edt.Spec{
			Params: edt.Params(which), Deps: []edt.Source{edt.From(over, datablock.Null), own, setup},
			OutputEvent: closed, Hint: at,
		})
		c.Spawn(openTemplate, &edt.Spec{
			Params: edt.Params(which), Deps: []edt.Source{own, setup}, OutputEvent: opened, Hint: at,
		})
	}
}
