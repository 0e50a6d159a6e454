package main

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// nameOf names what a call calls: "ocr/edt.Ctx.Release", "ocr/task.Make", "builtin.copy". A method of an embedded
// type has the embedded type's name. It is "" if only a run knows.
func nameOf(call *ssa.CallCommon) string {
	switch v := call.Value.(type) {
	case *ssa.Builtin:
		return "builtin." + v.Name()
	case *ssa.MakeClosure:
		return "" // also a method value, whose receiver is no argument
	}
	var object *types.Func
	if call.IsInvoke() {
		object = call.Method
	} else if fn := call.StaticCallee(); fn != nil {
		object, _ = fn.Object().(*types.Func)
	}
	if object == nil || object.Pkg() == nil {
		return ""
	}
	name := object.Pkg().Path() + "."
	if recv := object.Signature().Recv(); recv != nil {
		name += typeName(recv.Type()) + "."
	}
	return name + object.Name()
}

// nameOfValue names the call that a value is the result of, "" if it is none.
func nameOfValue(v ssa.Value) string {
	if call, ok := v.(*ssa.Call); ok {
		return nameOf(call.Common())
	}
	return ""
}

// typeName is the name of a type, or of what it points to, without its package.
func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// isType reports whether t is a named type of one of these full names.
func isType(t types.Type, names map[string]bool) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && names[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// reads says which argument of a call is the slot, Dep or bytes whose memory the call reads or returns.
var reads = map[string]int{
	"ocr/datablock.Dep.Bytes":  0,
	"ocr/datablock.Slice":      0,
	"ocr/datablock.SliceOf":    0,
	"ocr/datablock.ElementsOf": 0,
	"ocr/datablock.View.At":    1,
	"ocr/datablock.View.Of":    1,
	"ocr/datablock.View.Rest":  1,
	"ocr/task.reading.Slice":   0,
	"ocr/task.reading.All":     0,
	"ocr/task.reading.At":      0,
	"ocr/task.reading.Len":     0,
	"ocr/task.writing.Slice":   0,
	"ocr/task.Head":            0,
	"ocr/task.Rest":            0,
}

// namesBlock says which argument of a call is the slot or Dep whose block the call returns the name of.
var namesBlock = map[string]int{
	"ocr/datablock.Dep.GUID": 0,
	"ocr/task.held.Block":    0,
}

// makesBlock are the calls that return the name of a new block, and its memory behind it.
var makesBlock = set("ocr/edt.Ctx.NewBlock", "ocr/task.Make", "ocr/task.MakeHeaded", "ocr/edt.Ctx.NewBlockNoAcquire",
	"ocr/edt.Ctx.NewBlockNear", "ocr/task.Reserve", "ocr/task.ReserveHeaded")

// elsewhere are the calls that have a function called on another goroutine.
var elsewhere = set("ocr/runtime.Unpinned", "ocr/task.Blocking", "ocr/edt.Blocking.Call", "time.AfterFunc",
	"context.AfterFunc", "sync.WaitGroup.Go",
	"golang.org/x/sync/errgroup.Group.Go")
