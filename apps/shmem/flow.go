package shmem

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Flow is a PE's part of the graph form of a world: its operations are EDTs, ordered by events. Nothing in it polls
// or blocks. PE i's operations run on worker i.
//
// A program is written as steps. A [Step] is an operation and what follows from it: its Then, which runs at the end of
// the operation's EDT, starts the next operations, of this PE or of another. So a graph unfolds as it runs, and its
// memory does not grow with its length.
//
//	var ping, pong *shmem.Step
//	ping = flow.NewPut(func(c *edt.Ctx, op shmem.Op) {
//		pong.Notify(c, shmem.Op{Origin: 1, Target: 0, Dst: 0, Src: 64, Bytes: 8, Tag: op.Tag})
//	})
//
// Completion: when Then is called, the operation is complete, puts remotely: its
// blocks are released. What Then starts or satisfies sees it.
//
// Concurrency: a flow, its steps and meetings are used on the PE's worker alone.
type Flow struct {
	world    *World
	me       int
	steps    []*Step
	begin    func(c *edt.Ctx)
	segments [][]byte  // of the visit that runs
	far      *oneSided // nil if all windows are in memory
	ended    guid.GUID // latch: PEs that have not ended
}

// Rank returns the PE's number, 0 to the number of PEs - 1.
func (f *Flow) Rank() int { return f.me }

// Arg returns [Config.Arg], which must not be changed.
func (f *Flow) Arg() []byte { return f.world.cfg.Arg }

// End is the end of the PE's part. No step of it may be started after that, nor be under way: the Then of each notice
// to it has run, and that of each [Meeting] that it has entered.
func (f *Flow) End(c *edt.Ctx) {
	f.world.flows[f.me] = nil
	c.Satisfy(f.ended, guid.Null)
}

var buildTemplate, beginTemplate *edt.Template

func init() {
	buildTemplate = edt.NewTemplate("shmem.build", 3, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worldOf(int(uint32(in.Param(0))), in.Dep(0))
		f := &Flow{world: w, me: c.Worker(), segments: make([][]byte, w.cfg.PEs)}
		f.ended = guid.FromWords(in.Param(1), in.Param(2))
		if w.perRank > 0 {
			f.far = oneSidedAt(w.site(c, w.near(c)))
		}
		f.begin = w.program(int(in.Param(0)>>programAt)).build(c, f)
		w.flows[f.me] = f
		return guid.Null
	})
	beginTemplate = edt.NewTemplate("shmem.begin", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		flowOf(c, int(in.Param(0))).begin(c)
		return guid.Null
	})
}

// startFlows starts the EDTs that build each PE's part, and those that begin when all are built.
func (w *World) startFlows(c *edt.Ctx, which uint64, all guid.GUID) {
	ready, built := c.NewEvent(edt.Sticky), c.NewLatch(int64(w.cfg.PEs))
	c.AddDependence(built, ready, 0, datablock.Null)
	w.events = append(w.events, ready)
	hi, lo := all.Words()
	for pe := range w.cfg.PEs {
		c.NewEDTAt(edt.BindTo(pe), beginTemplate, edt.Params(uint64(w.number)), edt.From(ready, datablock.Null))
	}
	for pe := range w.cfg.PEs {
		c.Spawn(buildTemplate, &edt.Spec{
			Params: edt.Params(which, hi, lo), Deps: []edt.Source{edt.From(w.setup, datablock.RO)},
			OutputEvent: built, Hint: edt.Hint{Affinity: c.Bind(pe)},
		})
	}
}

// flowOf returns the part of the PE that the EDT is of.
func flowOf(c *edt.Ctx, world int) *Flow {
	me := c.Worker()
	if w := worlds[world].Load(); w != nil && w.flows[me] != nil {
		return w.flows[me]
	}
	misuse("step", me, "the PE has ended")
	return nil
}
