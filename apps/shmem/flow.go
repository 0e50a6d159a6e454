package shmem

import (
	"strings"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Flow is the graph form of a world: its operations are EDTs, and what orders them are
// events. Nothing in it polls or blocks. PE i's operations run on worker i.
//
// A program is written as steps. A [Step] is an operation and what follows from
// it: its Then, which runs at the end of the operation's EDT, starts the next
// operations, of this PE or of another. So a graph unfolds as it runs, and its memory does
// not grow with its length.
//
//	var ping, pong *shmem.Step
//	ping = flow.NewPut(c, func(c *edt.Ctx, op shmem.Op) {
//		pong.Notify(c, shmem.Op{Origin: 1, Target: 0, Dst: 0, Src: 64, Bytes: 8, Tag: op.Tag})
//	})
//
// Completion: when Then is called, the operation is complete, puts remotely: its
// blocks are released. What Then starts or satisfies sees it.
type Flow struct{ world *World }

// NewFlow makes the graph form of a world. What belongs to it is destroyed with the world.
func (w *World) NewFlow() *Flow { return &Flow{w} }

// An Op is one transfer: Bytes bytes between the origin's segment and the target's. In a
// put Src is an offset into the origin's segment and Dst into the target's, in a get it is the other
// way round.
type Op struct {
	Origin, Target int
	Dst, Src       int
	Bytes          int
	Tag            int // for the program: 0 to 2^48-1
}

// Then is what follows from an operation. It runs in the EDT of the operation, which holds no block
// any more.
type Then func(c *edt.Ctx, op Op)

// A Step is one kind of operation in a flow, with what follows from it.
type Step struct {
	flow    *Flow
	t       *edt.Template
	name    string
	get     bool
	notice  bool
	width   int // of the elements, in strided steps
	strides Strides
}

const tagBits = 48

// NewPut makes the step that copies from the origin's segment to the target's.
func (f *Flow) NewPut(c *edt.Ctx, then Then) *Step { return f.newStep(c, Step{name: "put"}, then) }

// NewGet makes the step that copies from the target's segment to the origin's.
func (f *Flow) NewGet(c *edt.Ctx, then Then) *Step {
	return f.newStep(c, Step{name: "get", get: true}, then)
}

// NewStrided makes the step that gets, or else puts, elements of width bytes, strides apart;
// Bytes is what the elements take without their gaps.
func (f *Flow) NewStrided(c *edt.Ctx, get bool, width int, s Strides, then Then) *Step {
	name := "strided put"
	if get {
		name = "strided get"
	}
	checkStrides("new "+name, -1, width, s)
	return f.newStep(c, Step{name: name, get: get, width: width, strides: s}, then)
}

// NewNotice makes the step that transfers nothing: its EDT has no blocks.
func (f *Flow) NewNotice(c *edt.Ctx, then Then) *Step {
	t := c.NewTemplate("shmem.notice", 4, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		then(c, unpack(c.Worker(), in))
		return guid.Null
	})
	f.world.templates = append(f.world.templates, t)
	return &Step{flow: f, t: t, name: "notice", notice: true}
}

// The slots of a step's EDT.
const (
	slotTarget = iota
	slotOwn
	slotAfter
	numSlots
)

func (f *Flow) newStep(c *edt.Ctx, s Step, then Then) *Step {
	segment := f.world.layout.segment
	t := c.NewTemplate("shmem."+strings.ReplaceAll(s.name, " ", "-"), 4, numSlots, func(c *edt.Ctx, in edt.Args) guid.GUID {
		op := unpack(c.Worker(), in)
		target, own := in.Dep(slotTarget), in.Dep(slotOwn)
		s.move(own.Bytes()[segment:], target.Bytes()[segment:], op)
		c.Release(target.GUID())
		if op.Target != op.Origin {
			c.Release(own.GUID())
		}
		then(c, op)
		return guid.Null
	})
	f.world.templates = append(f.world.templates, t)
	s.flow, s.t = f, t
	return &s
}

func (s *Step) move(own, target []byte, op Op) {
	dst, src := target, own
	if s.get {
		dst, src = own, target
	}
	if s.width > 0 {
		moveStrided(dst[op.Dst:], src[op.Src:], op.Bytes/s.width, s.width, s.strides)
		return
	}
	move(dst[op.Dst:op.Dst+op.Bytes], src[op.Src:op.Src+op.Bytes])
}

// unpack reads an operation from the four parameters of its EDT, which runs on its
// origin's worker.
func unpack(origin int, in edt.Args) Op {
	head := in.Param(0)
	return Op{
		Origin: origin, Target: int(head >> tagBits), Tag: int(head & (1<<tagBits - 1)),
		Dst: int(in.Param(1)), Src: int(in.Param(2)), Bytes: int(in.Param(3)),
	}
}

// Start starts an operation: it runs once after has triggered, at once if that is
// guid.Null. after is an event whose dependences may still be added. It ends the run with
// an *[Error] if op is out of range.
func (s *Step) Start(c *edt.Ctx, op Op, after guid.GUID) {
	s.check(&op)
	params := [4]uint64{uint64(op.Target)<<tagBits | uint64(op.Tag), uint64(op.Dst), uint64(op.Src), uint64(op.Bytes)}
	if s.notice {
		c.NewEDTAt(edt.BindTo(op.Origin), s.t, params[:], edt.From(after, datablock.Null))
		return
	}
	blocks := s.flow.world.blocks
	c.NewEDTAt(edt.BindTo(op.Origin), s.t, params[:],
		edt.From(blocks[op.Target], datablock.RW), edt.From(blocks[op.Origin], datablock.RW), edt.From(after, datablock.Null))
}

// Notify starts an operation of another PE by notifying that PE: an event that the operation waits
// for, satisfied at once. The operation sees everything that was complete when
// Notify was called.
func (s *Step) Notify(c *edt.Ctx, op Op) {
	e := c.NewEvent(edt.Once)
	s.Start(c, op, e)
	c.Satisfy(e, guid.Null)
}

// check ends the run if an operation is not one that the step can do. It is on the path of every
// operation: those that are in order pass by comparisons alone.
func (s *Step) check(op *Op) {
	b := &s.flow.world.bounds
	inOrder := b.reaches(op.Origin, op.Dst, op.Bytes) && b.reaches(op.Target, op.Src, op.Bytes) && uint64(op.Tag) < 1<<tagBits
	if !inOrder || s.width > 0 {
		s.checkEach(op)
	}
}

func (s *Step) checkEach(op *Op) {
	b := &s.flow.world.bounds
	b.peer(s.name, -1, op.Origin)
	b.peer(s.name, op.Origin, op.Target)
	switch {
	case uint64(op.Tag) >= 1<<tagBits:
		misuse(s.name, op.Origin, "tag %d, must be 0 to %d", op.Tag, uint64(1)<<tagBits-1)
	case s.notice:
	case s.width > 0:
		n := op.Bytes / s.width
		if op.Bytes%s.width != 0 {
			misuse(s.name, op.Origin, "%d bytes are not a multiple of the element's %d", op.Bytes, s.width)
		}
		b.strided(s.name, op.Origin, op.Origin, op.Dst, s.strides.Dst, n, s.width)
		b.strided(s.name, op.Origin, op.Origin, op.Src, s.strides.Src, n, s.width)
	default:
		b.inRange(s.name, op.Origin, op.Origin, op.Dst, op.Bytes)
		b.inRange(s.name, op.Origin, op.Origin, op.Src, op.Bytes)
	}
}
