package main

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var released = rule("released", `finds uses of a block after the EDT has given it up

After a release, a send or a destruction the memory of a block must not be used, nor the block be given up again;
what was sent belongs to the EDT that gets it, and the name of a destroyed block is stale. What was handed on, or
downgraded, and not yet released must not be written any more. The rule follows the paths of one function. See
go doc ocr/edt.Ctx.Release.`,
	func(p *program) {
		p.each(func(i ssa.Instruction) {
			if call, ok := i.(*ssa.Call); ok {
				if e, ok := endOf(call.Common()); ok {
					p.lookAfter(call, e)
				}
			}
		})
	})

// A hold is what an EDT still may do with a block.
type hold int

const (
	published hold = iota // it may read
	givenUp               // it may use the name
	sentOn                // it may use the name to hand it to others, too
	destroyed             // it may do nothing
)

func (h hold) String() string { return [...]string{"published", "released", "sent", "destroyed"}[h] }

// An end is a call after which the EDT has less of a block.
type end struct {
	block block
	hold  hold
}

// ends says which argument of a call is the block, and what the EDT has of it afterwards.
var ends = map[string]struct {
	argument int
	hold     hold
}{
	"ocr/edt.Ctx.Downgrade":    {1, published},
	"ocr/edt.Ctx.Satisfy":      {2, published},
	"ocr/edt.Ctx.SatisfySlot":  {2, published},
	"ocr/edt.Ctx.Release":      {1, givenUp},
	"ocr/edt.Ctx.ReleaseDep":   {1, givenUp},
	"ocr/task.held.Release":    {0, givenUp},
	"ocr/task.Block.Release":   {0, givenUp},
	"ocr/edt.Ctx.PassDep":      {2, sentOn},
	"ocr/task.held.SendTo":     {0, sentOn},
	"ocr/task.Event.Send":      {2, sentOn},
	"ocr/task.Port.Send":       {2, sentOn},
	"ocr/task/par.Room.Send":   {3, sentOn},
	"ocr/edt.Ctx.DestroyBlock": {1, destroyed},
	"ocr/task.held.Destroy":    {0, destroyed},
	"ocr/task.Block.Destroy":   {0, destroyed},
	"ocr/task/par.Item.Done":   {0, destroyed},
	"ocr/task/par.Value.Take":  {0, destroyed},
}

func endOf(call *ssa.CallCommon) (end, bool) {
	name := nameOf(call)
	if name == "ocr/edt.Ctx.Pass" {
		return end{slotAt(nil, call.Args[2]), sentOn}, true
	}
	e, ok := ends[name]
	if !ok {
		return end{}, false
	}
	b, ok := blockOf(call.Args[e.argument])
	return end{b, e.hold}, ok
}

// lookAfter reports the first use of a block on each path behind the call that ended it.
func (p *program) lookAfter(call *ssa.Call, e end) {
	forward(call, func(i ssa.Instruction) (stop bool) {
		if v, ok := i.(ssa.Value); ok && (v == e.block.of || v == e.block.slot) {
			return true // the name means another block from here on
		}
		what := e.misused(i)
		if what == "" {
			return false
		}
		p.say(placeOf(i), "the block is %s here, but the EDT has %s it in line %d (go doc ocr/edt.Ctx.Release)", what, e.hold,
			p.Fset.Position(call.Pos()).Line)
		return true
	})
}

// usesName says which argument of a call must not be the name of a destroyed block.
var usesName = map[string]int{
	"ocr/edt.From": 0, "ocr/edt.Ctx.AddDependence": 1, "ocr/task.Block.From": 0, "ocr/task.Event.Pass": 2,
}

// misused says what an instruction does to the block that it must not, "" if nothing.
func (e end) misused(i ssa.Instruction) string {
	switch i := i.(type) {
	case *ssa.Store:
		if e.memory(i.Addr) {
			return "written"
		}
	case *ssa.UnOp:
		if e.hold > published && e.memory(i.X) {
			return "read"
		}
	case *ssa.Convert:
		if e.hold > published && !refers(i.Type()) && e.memory(i.X) {
			return "read"
		}
	case *ssa.Call:
		return e.misusedBy(i.Common())
	}
	return ""
}

func (e end) misusedBy(call *ssa.CallCommon) string {
	name := nameOf(call)
	if again, ok := endOf(call); ok && again.block == e.block {
		switch {
		case again.hold == published && e.hold == destroyed:
			return "used by its name"
		case again.hold == destroyed && (e.hold == destroyed || e.hold == sentOn):
			return "destroyed"
		case again.hold == givenUp && e.hold > published:
			return "released"
		case again.hold == sentOn && e.hold > published:
			return "sent, which releases it,"
		}
		return ""
	}
	if n, ok := usesName[name]; ok && e.hold == destroyed && e.is(call.Args[n]) {
		return "used by its name"
	}
	if n, ok := reads[name]; ok {
		if e.hold > published && e.is(call.Args[n]) {
			return "used"
		}
		return ""
	}
	for _, k := range writtenBy(call, nil) {
		if e.memory(call.Args[k]) {
			return "written"
		}
	}
	if e.hold == published || name == "builtin.len" || name == "builtin.cap" {
		return ""
	}
	if slices.ContainsFunc(call.Args, e.memory) {
		return "used"
	}
	return ""
}

func (e end) is(v ssa.Value) bool {
	b, ok := blockOf(v)
	return ok && b == e.block
}

// memory reports whether v is a slice of the block, or a pointer into it.
func (e end) memory(v ssa.Value) bool {
	if p, ok := v.Type().Underlying().(*types.Pointer); ok && slotType(p) != nil {
		return false
	}
	return memoryFrom(v) != nil && e.is(v)
}
