package shmem

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

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
	flow   *Flow
	number uint64 // of the step in its flow, and of the world: what a parameter has above its offset
	kind   *kind
	then   Then

	// What the operation does, by kind. Windows are whole.
	width   int // of the elements, in strided steps
	strides Strides
	work    func(own, target []byte, op Op)
	visit   func(segments [][]byte, op Op)
}

// A kind is what steps have in common: a template.
type kind struct {
	name string
	t    *edt.Template
	get  bool
}

var putKind, getKind, stridedPutKind, stridedGetKind, noticeKind, stageKind, visitKind, visitAllKind kind

func init() {
	for _, k := range []struct {
		kind  *kind
		name  string
		under string // its template
		slots int
		run   func(*Step, *edt.Ctx, edt.Args, Op)
	}{
		{&putKind, "put", "shmem.put", numSlots, (*Step).runTransfer},
		{&getKind, "get", "shmem.get", numSlots, (*Step).runTransfer},
		{&stridedPutKind, "strided put", "shmem.strided-put", numSlots, (*Step).runTransfer},
		{&stridedGetKind, "strided get", "shmem.strided-get", numSlots, (*Step).runTransfer},
		{&noticeKind, "notice", "shmem.notice", 1, (*Step).runNotice},
		{&stageKind, "sum to all", "shmem.sum-stage", slotAfter, (*Step).runTransfer},
		{&visitKind, "visit", "shmem.visit", 1, (*Step).runVisit},
		{&visitAllKind, "visit", "shmem.visit-all", edt.Unknown, (*Step).runVisit},
	} {
		*k.kind = kind{name: k.name, get: k.name == "get" || k.name == "strided get", t: edt.NewTemplate(k.under, 4, k.slots, func(c *edt.Ctx, in edt.Args) guid.GUID {
			s, op := unpack(c, in)
			k.run(s, c, in, op)
			return guid.Null
		})}
	}
}

// The slots of a transfer's EDT.
const (
	slotTarget = iota
	slotOwn
	slotAfter
	numSlots
)

// The four parameters of a step's EDT are the target above the tag, the offsets, and the bytes. Above the offsets are the
// numbers of the world and of the step in its flow.
const (
	tagBits = 48
	mostOps = 1<<(64-tagBits) - 1 // steps of a flow
)

func (f *Flow) newStep(s Step) *Step {
	if len(f.steps) > mostOps {
		misuse("new step", f.me, "a flow has at most %d", mostOps)
	}
	s.flow, s.number = f, uint64(len(f.steps))
	f.steps = append(f.steps, &s)
	return &s
}

// NewPut makes the step that copies from the origin's segment to the target's.
func (f *Flow) NewPut(then Then) *Step { return f.newTransfer(Step{kind: &putKind, then: then}) }

// NewGet makes the step that copies from the target's segment to the origin's.
func (f *Flow) NewGet(then Then) *Step { return f.newTransfer(Step{kind: &getKind, then: then}) }

// NewStrided makes the step that gets, or else puts, elements of width bytes, strides apart;
// Bytes is what the elements take without their gaps.
func (f *Flow) NewStrided(get bool, width int, strides Strides, then Then) *Step {
	s := Step{kind: &stridedPutKind, width: width, strides: strides, then: then}
	if get {
		s.kind = &stridedGetKind
	}
	checkStrides("new "+s.kind.name, -1, width, strides)
	return f.newTransfer(s)
}

func (f *Flow) newTransfer(s Step) *Step {
	segment, get, width, strides := f.world.layout.segment, s.kind.get, s.width, s.strides
	s.work = func(own, target []byte, op Op) {
		dst, src := target[segment:], own[segment:]
		if get {
			dst, src = src, dst
		}
		if width > 0 {
			moveStrided(dst[op.Dst:], src[op.Src:], op.Bytes/width, width, strides)
			return
		}
		move(dst[op.Dst:op.Dst+op.Bytes], src[op.Src:op.Src+op.Bytes])
	}
	return f.newStep(s)
}

// NewNotice makes the step that transfers nothing: its EDT has no blocks. What its operation says beside Origin is for the program; offsets and
// tag are 0 to 2^48-1.
func (f *Flow) NewNotice(then Then) *Step { return f.newStep(Step{kind: &noticeKind, then: then}) }

// NewVisit makes the step whose EDT has the PE's own segment, or all; visit works on them. segments are by PE, and nil if the EDT does not have
// them. The rest is as with a notice.
func (f *Flow) NewVisit(all bool, visit func(segments [][]byte, op Op), then Then) *Step {
	s := Step{kind: &visitKind, visit: visit, then: then}
	if all {
		s.kind = &visitAllKind
	}
	return f.newStep(s)
}

// unpack returns the step and the operation of an EDT, which runs on the origin's worker.
func unpack(c *edt.Ctx, in edt.Args) (*Step, Op) {
	const mask = 1<<tagBits - 1
	head, dst, src := in.Param(0), in.Param(1), in.Param(2)
	f := flowOf(c, int(dst>>tagBits))
	return f.steps[src>>tagBits], Op{
		Origin: f.me, Target: int(head >> tagBits), Tag: int(head & mask), Dst: int(dst & mask), Src: int(src & mask), Bytes: int(in.Param(3)),
	}
}

func (s *Step) runTransfer(c *edt.Ctx, in edt.Args, op Op) {
	target, own := in.Dep(slotTarget), in.Dep(slotOwn)
	s.work(own.Bytes(), target.Bytes(), op)
	c.Release(target.GUID())
	if op.Target != op.Origin {
		c.Release(own.GUID())
	}
	s.then(c, op)
}

func (s *Step) runNotice(c *edt.Ctx, _ edt.Args, op Op) { s.then(c, op) }

func (s *Step) runVisit(c *edt.Ctx, in edt.Args, op Op) {
	f := s.flow
	first := 0
	if s.kind == &visitKind {
		first = f.me
	}
	for k := range in.Deps() {
		f.segments[first+k] = f.world.Segment(in.Dep(k))
	}
	s.visit(f.segments, op)
	clear(f.segments)
	for k := range in.Deps() {
		c.Release(in.Dep(k).GUID())
	}
	s.then(c, op)
}

// Start starts an operation: it runs once after has triggered, at once if that is
// guid.Null. after is an event whose dependences may still be added; visits have none. It ends the run with
// an *[Error] if op is out of range.
func (s *Step) Start(c *edt.Ctx, op Op, after guid.GUID) {
	s.check(&op)
	w := s.flow.world
	params := [4]uint64{
		uint64(op.Target)<<tagBits | uint64(op.Tag), uint64(w.number)<<tagBits | uint64(op.Dst), s.number<<tagBits | uint64(op.Src), uint64(op.Bytes),
	}
	at := edt.BindTo(op.Origin)
	switch s.kind {
	case &noticeKind:
		c.NewEDTAt(at, s.kind.t, params[:], edt.From(after, datablock.Null))
	case &visitKind:
		c.NewEDTAt(at, s.kind.t, params[:], edt.From(w.blocks[op.Origin], datablock.RW))
	case &visitAllKind:
		c.NewEDTAt(at, s.kind.t, params[:], w.Sources()...)
	case &stageKind:
		c.NewEDTAt(at, s.kind.t, params[:], edt.From(w.blocks[op.Target], datablock.RW), edt.From(w.blocks[op.Origin], datablock.RW))
	default:
		c.NewEDTAt(at, s.kind.t, params[:],
			edt.From(w.blocks[op.Target], datablock.RW), edt.From(w.blocks[op.Origin], datablock.RW), edt.From(after, datablock.Null))
	}
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
	b, name := &s.flow.world.bounds, s.kind.name
	b.peer(name, -1, op.Origin)
	b.peer(name, op.Origin, op.Target)
	switch {
	case uint64(op.Tag) >= 1<<tagBits:
		misuse(name, op.Origin, "tag %d, must be 0 to %d", op.Tag, uint64(1)<<tagBits-1)
	case s.work == nil:
		if max(uint64(op.Dst), uint64(op.Src)) >= 1<<tagBits {
			misuse(name, op.Origin, "offsets %d and %d, must be 0 to %d", op.Dst, op.Src, uint64(1)<<tagBits-1)
		}
	case s.width > 0:
		n := op.Bytes / s.width
		if op.Bytes%s.width != 0 {
			misuse(name, op.Origin, "%d bytes are not a multiple of the element's %d", op.Bytes, s.width)
		}
		b.strided(name, op.Origin, op.Origin, op.Dst, s.strides.Dst, n, s.width)
		b.strided(name, op.Origin, op.Origin, op.Src, s.strides.Src, n, s.width)
	default:
		b.inRange(name, op.Origin, op.Origin, op.Dst, op.Bytes)
		b.inRange(name, op.Origin, op.Origin, op.Src, op.Bytes)
	}
}
