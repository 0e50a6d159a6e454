package shmem

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Flow is a PE in the graph form. As in the direct form a PE does one thing at a time, but each thing is an EDT, and
// what follows is a function that runs at the end of the EDT. So the graph unfolds as it runs, and its memory does not
// grow with its length.
//
//	var put *shmem.Step
//	put = f.NewStep(func(pe *shmem.PE) { pe.Put(1, 0, message) }, func(c *edt.Ctx) {
//		f.Notify(c, 1)
//		f.Wait(c, f.End)
//	})
//	put.Start(c, 1)
//
// Concurrency: only the PE's worker uses a flow and its steps.
type Flow struct {
	world  *world
	pe     *PE
	params []uint64

	next *Step // the step that runs
	with int   // the other PE whose segment the step's EDT holds; in an EDT of a notification, the sender
	held bool  // the running EDT is that of a notification, and holds both segments

	came  []int            // notifications that the PE has not waited for, by kind
	waits int              // the kind for which it waits, -1 for none
	then  func(c *edt.Ctx) // runs after the notification

	barrier struct {
		round int
		pass  func(c *edt.Ctx) // runs after a round
		then  func(c *edt.Ctx)
	}
	sum flowSum
}

// Kinds of notifications: the program's, and those of each round of barriers and of sums.
const ofProgram = 0

func (f *Flow) ofBarrier(round int) int { return 1 + round }

func (f *Flow) ofSum(round int) int { return 1 + f.world.layout.rounds + round }

func newFlow(w *world, pe *PE) *Flow {
	f := &Flow{
		world: w, pe: pe, params: edt.Params(uint64(w.number)), waits: -1, came: make([]int, 1+2*w.layout.rounds),
	}
	f.barrier.pass = f.passBarrier
	f.makeSum()
	return f
}

// Rank returns the PE's number.
func (f *Flow) Rank() int { return f.pe.rank }

// Arg returns [Config.Arg], which the program must not change.
func (f *Flow) Arg() []byte { return f.pe.arg }

// End ends the PE's part. After it the program must neither start a step of this PE nor notify this PE.
func (f *Flow) End(c *edt.Ctx) { c.Satisfy(f.world.Ended, guid.Null) }

// A Step is one act of a PE: op, a function that uses segments but does not wait, and a function that follows op.
type Step struct {
	flow *Flow
	all  bool
	op   func(pe *PE)
	then func(c *edt.Ctx)
}

// NewStep makes a step. Its second function runs when op's puts are complete, and the EDT has released the segments.
func (f *Flow) NewStep(op func(pe *PE), then func(c *edt.Ctx)) *Step {
	return &Step{flow: f, op: op, then: then}
}

var stepTemplate, allTemplate, noticeTemplate *edt.Template

func init() {
	stepTemplate = edt.NewTemplate("shmem.step", 1, 2, runStep)
	allTemplate = edt.NewTemplate("shmem.step-on-all", 1, edt.Unknown, runOnAll)
	noticeTemplate = edt.NewTemplate("shmem.notice", 2, 2, runNotice)
}

func flowOf(c *edt.Ctx, in edt.Args) *Flow { return worlds[in.Param(0)].Load().flows[c.Worker()] }

// Start runs the step on the segments of this PE and of a second PE (with), which may be this one. If the running EDT
// is a notification by the second PE, the step is the rest of that EDT. If not, it is a new EDT.
func (s *Step) Start(c *edt.Ctx, with int) {
	f := s.flow
	rest := f.held && f.with == with && !s.all
	f.next, f.held = s, false
	switch {
	case rest:
		f.run(c)
	case s.all:
		c.NewEDTAt(edt.BindTo(f.pe.rank), allTemplate, f.params, sources(f.world.held)...)
	default:
		f.with = with
		own, other := f.world.pair(f.pe.rank, with)
		c.NewEDTAt(edt.BindTo(f.pe.rank), stepTemplate, f.params, own, other)
	}
}

// pair returns dependences on the windows of two PEs: one if they are the same PE, none if MPI has the windows.
func (w *world) pair(pe, with int) (own, other edt.Source) {
	if w.PerRank > 0 {
		return
	}
	own = edt.From(w.held[pe], datablock.RW)
	if with != pe {
		other = edt.From(w.held[with], datablock.RW)
	}
	return own, other
}

func runStep(c *edt.Ctx, in edt.Args) guid.GUID {
	f := flowOf(c, in)
	f.show(in)
	f.run(c)
	return guid.Null
}

// show gives the PE the windows that the running EDT holds.
func (f *Flow) show(in edt.Args) {
	if f.world.PerRank == 0 {
		f.pe.windows[f.pe.rank] = in.Dep(0).Bytes()
		if f.with != f.pe.rank {
			f.pe.windows[f.with] = in.Dep(1).Bytes()
		}
	}
}

func (f *Flow) run(c *edt.Ctx) {
	s := f.next
	s.op(f.pe)
	f.pe.settle()
	f.release(c, f.pe.rank)
	if f.with != f.pe.rank {
		f.release(c, f.with)
	}
	s.then(c)
}

func (f *Flow) release(c *edt.Ctx, pe int) {
	if f.world.PerRank == 0 {
		f.pe.windows[pe] = nil
		c.Release(f.world.held[pe])
	}
}

func runOnAll(c *edt.Ctx, in edt.Args) guid.GUID {
	f := flowOf(c, in)
	if f.world.PerRank == 0 {
		for k := range in.Deps() {
			f.pe.windows[k] = in.Dep(k).Bytes()
		}
	}
	f.next.op(f.pe)
	f.pe.settle()
	for k := range in.Deps() {
		f.release(c, k)
	}
	f.next.then(c)
	return guid.Null
}

// Notify notifies a PE: it creates an EDT there that holds the segments of both PEs, so that a step on these segments
// can be the rest of that EDT.
func (f *Flow) Notify(c *edt.Ctx, to int) {
	own, other := f.world.pair(to, f.pe.rank)
	f.notify(c, to, ofProgram, own, other)
}

func (f *Flow) notify(c *edt.Ctx, to, kind int, segments ...edt.Source) {
	params := [2]uint64{f.params[0], uint64(kind)<<32 | uint64(f.pe.rank)}
	c.NewEDTAt(edt.BindTo(to), noticeTemplate, params[:], segments...)
}

func runNotice(c *edt.Ctx, in edt.Args) guid.GUID {
	f := flowOf(c, in)
	kind, from := int(in.Param(1)>>32), int(uint32(in.Param(1)))
	if f.waits != kind {
		f.came[kind]++
		return guid.Null
	}
	f.waits = -1
	if f.held = !in.Dep(0).GUID().IsNull(); f.held {
		f.with = from
		f.show(in)
	}
	f.then(c)
	f.held = false
	return guid.Null
}

// Wait calls a function when the PE has been notified once more: at once, or in the EDT of the notification.
func (f *Flow) Wait(c *edt.Ctx, then func(c *edt.Ctx)) { f.wait(c, ofProgram, then) }

func (f *Flow) wait(c *edt.Ctx, kind int, then func(c *edt.Ctx)) {
	if f.came[kind] > 0 {
		f.came[kind]--
		then(c)
		return
	}
	f.waits, f.then = kind, then
}

// Barrier is [PE.Barrier], but it calls a function when all PEs have entered the barrier.
func (f *Flow) Barrier(c *edt.Ctx, then func(c *edt.Ctx)) {
	f.barrier.round, f.barrier.then = -1, then
	f.passBarrier(c)
}

func (f *Flow) passBarrier(c *edt.Ctx) {
	b, l := &f.barrier, &f.world.layout
	if b.round++; b.round == l.rounds {
		b.then(c)
		return
	}
	f.notify(c, (f.pe.rank+1<<b.round)%l.pes, f.ofBarrier(b.round), edt.Source{}, edt.Source{})
	f.wait(c, f.ofBarrier(b.round), b.pass)
}

// A flowSum is a PE's part in a sum of the graph form.
type flowSum struct {
	target, source, bytes, round int
	then                         func(c *edt.Ctx)

	send, add, share *Step            // rounds of a small sum; the PE's share of a large one
	came, leave      func(c *edt.Ctx) // after a message of a small sum; after the share of a large one
	enter            func(c *edt.Ctx) // after the barrier before a large sum
}

func (f *Flow) makeSum() {
	s := &f.sum
	s.send = f.NewStep(func(pe *PE) {
		if s.round == 0 {
			pe.beginSum(s.target, s.source, s.bytes)
		}
		pe.sendSum(s.target, s.bytes, s.round)
	}, func(c *edt.Ctx) {
		peer := f.pe.peer(s.round)
		own, other := f.world.pair(peer, f.pe.rank)
		f.notify(c, peer, f.ofSum(s.round), own, other)
		f.wait(c, f.ofSum(s.round), s.came)
	})
	s.came = func(c *edt.Ctx) { s.add.Start(c, f.pe.peer(s.round)) }
	s.add = f.NewStep(func(pe *PE) { pe.addSum(s.target, s.bytes, s.round) }, func(c *edt.Ctx) {
		if s.round++; s.round < f.world.layout.rounds {
			s.send.Start(c, f.pe.peer(s.round))
		} else {
			s.then(c)
		}
	})
	s.enter = func(c *edt.Ctx) { s.share.Start(c, f.pe.rank) }
	s.share = f.NewStep(func(pe *PE) { pe.sumShare(s.target, s.source, s.bytes) }, func(c *edt.Ctx) {
		f.Barrier(c, s.leave)
	})
	s.share.all = true
	s.leave = func(c *edt.Ctx) { s.then(c) }
}

// SumToAll is [PE.SumToAll], by the same algorithms, with an EDT for each message that it sends, and for the share of a
// large vector. It calls a function when the PE's own target is complete.
func (f *Flow) SumToAll(c *edt.Ctx, target, source, n int, then func(c *edt.Ctx)) {
	s := &f.sum
	s.target, s.source, s.bytes, s.round, s.then = target, source, n*ElementBytes, 0, then
	if f.pe.isSmall(s.bytes) {
		s.send.Start(c, f.pe.peer(0))
	} else {
		f.Barrier(c, s.enter)
	}
}
