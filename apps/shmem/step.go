package shmem

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An Op is one transfer: Bytes bytes between the origin's segment and the target's. In a put Src is an offset into the
// origin's segment and Dst into the target's, in a get it is the other way round.
type Op struct {
	Origin, Target int
	Dst, Src       int
	Bytes          int
	Tag            int // for the program: 0 to 2^48-1
}

// Then follows an operation. It runs in the EDT of the operation, which holds no block any more.
type Then func(c *edt.Ctx, op Op)

// A Step is one kind of operation in a flow, with what follows from it.
type Step struct {
	kind           kind
	flow           *Flow
	t              *edt.Template
	world, number  uint64 // of the step in its flow; where parameters have them
	then           Then
	segment, width int // where the segment begins; bytes of an element in strided steps, else 0
	strides        Strides
	visit          func(segments [][]byte, op Op)
	stage          func(own, target []byte, op Op) // of whole windows
}

// A kind is an operation of a step's EDT.
type kind uint8

const (
	putKind kind = iota
	getKind
	stridedPutKind
	stridedGetKind
	noticeKind
	stageKind
	visitOwnKind
	visitAllKind
	numKinds
)

// kinds has the name of each kind and the template of its EDTs, in worlds in memory and in others. A template serves
// all steps of a kind, so other ranks know it.
var kinds [numKinds]struct {
	name   string
	t, far *edt.Template
}

func init() {
	for k, of := range [numKinds]struct {
		name, template string
		slots          int
		run            edt.Func
	}{
		putKind:        {"put", "shmem.put", numSlots, runTransfer},
		getKind:        {"get", "shmem.get", numSlots, runTransfer},
		stridedPutKind: {"strided put", "shmem.strided-put", numSlots, runTransfer},
		stridedGetKind: {"strided get", "shmem.strided-get", numSlots, runTransfer},
		noticeKind:     {"notice", "shmem.notice", 1, runNotice},
		stageKind:      {"sum to all", "shmem.sum-stage", slotAfter, runStage},
		visitOwnKind:   {"visit", "shmem.visit", 1, runVisit},
		visitAllKind:   {"visit", "shmem.visit-all", edt.Unknown, runVisit},
	} {
		t := edt.NewTemplate(of.template, 4, of.slots, of.run)
		kinds[k].name, kinds[k].t, kinds[k].far = of.name, t, t
		if kind(k) != noticeKind {
			kinds[k].far = edt.NewTemplate(of.template+"-far", 4, of.slots, runFar)
		}
	}
}

// The slots of a transfer's EDT.
const (
	slotTarget = iota
	slotOwn
	slotAfter
	numSlots
)

// The four parameters of a step's EDT are the target above the tag, the offsets, and the bytes. Above the offsets are
// the numbers of the world and of the step in its flow.
const (
	tagBits   = 48
	mostSteps = 1<<(64-tagBits) - 1
)

func (f *Flow) newStep(s Step) *Step {
	if len(f.steps) > mostSteps {
		misuse("new step", f.me, "a flow has at most %d", mostSteps+1)
	}
	s.flow, s.segment, s.t = f, f.world.layout.segment, kinds[s.kind].t
	if f.far != nil {
		s.t = kinds[s.kind].far
	}
	s.world, s.number = uint64(f.world.number)<<tagBits, uint64(len(f.steps))<<tagBits
	f.steps = append(f.steps, &s)
	return &s
}

// NewPut makes the step that copies from the origin's segment to the target's.
func (f *Flow) NewPut(then Then) *Step { return f.newStep(Step{kind: putKind, then: then}) }

// NewGet makes the step that copies from the target's segment to the origin's.
func (f *Flow) NewGet(then Then) *Step { return f.newStep(Step{kind: getKind, then: then}) }

// NewStrided makes the step that gets, or else puts, elements of width bytes, strides apart;
// Bytes are those of the elements without their gaps.
func (f *Flow) NewStrided(gets bool, width int, strides Strides, then Then) *Step {
	s := Step{kind: stridedPutKind, width: width, strides: strides, then: then}
	if gets {
		s.kind = stridedGetKind
	}
	checkStrides("new "+kinds[s.kind].name, -1, width, strides)
	return f.newStep(s)
}

// NewNotice makes the step that transfers nothing: its EDT has no blocks. All of its operation but Origin is for the
// program; offsets and tag are 0 to 2^48-1.
func (f *Flow) NewNotice(then Then) *Step { return f.newStep(Step{kind: noticeKind, then: then}) }

// NewVisit makes the step whose EDT has the PE's own segment, or all; visit works on them. segments are by PE, and nil
// if the EDT does not have them. The operation is as with a notice.
func (f *Flow) NewVisit(all bool, visit func(segments [][]byte, op Op), then Then) *Step {
	s := Step{kind: visitOwnKind, visit: visit, then: then}
	if all {
		s.kind = visitAllKind
	}
	return f.newStep(s)
}

// unpack returns the step and the operation of an EDT, which runs on the origin's worker.
func unpack(c *edt.Ctx, in edt.Args) (*Step, Op) {
	const mask = 1<<tagBits - 1
	head, dst, src := in.Param(0), in.Param(1), in.Param(2)
	f := flowOf(c, int(dst>>tagBits))
	return f.steps[src>>tagBits], Op{
		Origin: f.me, Target: int(head >> tagBits), Tag: int(head & mask),
		Dst: int(dst & mask), Src: int(src & mask), Bytes: int(in.Param(3)),
	}
}

func runTransfer(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	target, own := in.Dep(slotTarget), in.Dep(slotOwn)
	s.move(own.Bytes()[s.segment:], target.Bytes()[s.segment:], op)
	c.Release(target.GUID())
	if op.Target != op.Origin {
		c.Release(own.GUID())
	}
	s.then(c, op)
	return guid.Null
}

func (s *Step) move(own, target []byte, op Op) {
	dst, src := target, own
	if s.kind == getKind || s.kind == stridedGetKind {
		dst, src = own, target
	}
	if s.width > 0 {
		moveStrided(dst[op.Dst:], src[op.Src:], op.Bytes/s.width, s.width, s.strides)
		return
	}
	move(dst[op.Dst:op.Dst+op.Bytes], src[op.Src:op.Src+op.Bytes])
}

func runStage(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	target, own := in.Dep(slotTarget), in.Dep(slotOwn)
	s.stage(own.Bytes(), target.Bytes(), op)
	c.Release(target.GUID())
	if op.Target != op.Origin {
		c.Release(own.GUID())
	}
	s.then(c, op)
	return guid.Null
}

func runNotice(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	s.then(c, op)
	return guid.Null
}

func runVisit(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	f, first := s.flow, 0
	if s.kind == visitOwnKind {
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
	return guid.Null
}

// runFar is a step of a world whose windows are not in one memory: its EDT has no blocks, and its operation, one of
// [oneSided], is complete before Then.
func runFar(c *edt.Ctx, in edt.Args) guid.GUID {
	s, op := unpack(c, in)
	s.far(op)
	s.flow.far.Flush()
	s.then(c, op)
	return guid.Null
}

func (s *Step) far(op Op) {
	f, far := s.flow, s.flow.far
	window := far.windows[far.me]
	own, dst, src := window[s.segment:], s.segment+op.Dst, s.segment+op.Src
	switch s.kind {
	case putKind:
		far.Put(op.Target, dst, own[op.Src:][:op.Bytes])
	case stridedPutKind:
		far.PutStrided(op.Target, dst, own[op.Src:], op.Bytes/s.width, s.width, s.strides)
	case getKind:
		far.Get(own[op.Dst:][:op.Bytes], op.Target, src)
	case stridedGetKind:
		far.GetStrided(own[op.Dst:], op.Target, src, op.Bytes/s.width, s.width, s.strides)
	case stageKind:
		s.stage(window, nil, op)
	default:
		for pe, window := range far.windows {
			if window != nil && (s.kind == visitAllKind || pe == f.me) {
				f.segments[pe] = window[s.segment:]
			}
		}
		s.visit(f.segments, op)
		clear(f.segments)
	}
}

// Start starts an operation: it runs once after has triggered, at once if that is guid.Null. after is an event whose
// dependences may still be added; visits have none. It ends the run with an *[Error] if op is out of range.
func (s *Step) Start(c *edt.Ctx, op Op, after guid.GUID) {
	s.check(&op)
	params := [4]uint64{
		uint64(op.Target)<<tagBits | uint64(op.Tag),
		s.world | uint64(op.Dst), s.number | uint64(op.Src), uint64(op.Bytes),
	}
	at, blocks := edt.BindTo(op.Origin), s.flow.world.held
	switch s.kind {
	default:
		c.NewEDTAt(at, s.t, params[:], edt.From(blocks[op.Target], datablock.RW),
			edt.From(blocks[op.Origin], datablock.RW), edt.From(after, datablock.Null))
	case noticeKind:
		c.NewEDTAt(at, s.t, params[:], edt.From(after, datablock.Null))
	case stageKind:
		c.NewEDTAt(at, s.t, params[:],
			edt.From(blocks[op.Target], datablock.RW), edt.From(blocks[op.Origin], datablock.RW))
	case visitOwnKind:
		c.NewEDTAt(at, s.t, params[:], edt.From(blocks[op.Origin], datablock.RW))
	case visitAllKind:
		c.NewEDTAt(at, s.t, params[:], sources(s.flow.world.held)...)
	}
}

// Notify starts an operation of another PE by notifying that PE: an event that the operation waits for, satisfied at
// once. The operation sees everything that was complete when Notify was called.
func (s *Step) Notify(c *edt.Ctx, op Op) {
	e := c.NewEvent(edt.Once)
	s.Start(c, op, e)
	c.Satisfy(e, guid.Null)
}

// check ends the run if the step cannot do an operation. It is on the path of every operation: those in order pass by
// comparisons alone.
func (s *Step) check(op *Op) {
	b := &s.flow.world.bounds
	inOrder := b.reaches(op.Origin, op.Dst, op.Bytes) && b.reaches(op.Target, op.Src, op.Bytes) &&
		uint64(op.Tag) < 1<<tagBits
	if !inOrder || s.width > 0 {
		s.checkEach(op)
	}
}

func (s *Step) checkEach(op *Op) {
	b, name := &s.flow.world.bounds, kinds[s.kind].name
	b.peer(name, -1, op.Origin)
	b.peer(name, op.Origin, op.Target)
	switch {
	case uint64(op.Tag) >= 1<<tagBits:
		misuse(name, op.Origin, "tag %d, must be 0 to %d", op.Tag, uint64(1)<<tagBits-1)
	case s.kind >= noticeKind && s.kind != stageKind:
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
