package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var pointers = rule("pointers", `finds Go pointers in parameters and blocks

The collector does not look into parameters and blocks, and they may go to another process: no pointers, strings,
slices, maps, channels, functions or uintptrs. The rule looks at the type parameters of packages task and task/par and
of datablock.NewView, and at numbers made of unsafe.Pointers that go into the parameters of an EDT or into a block. See
go doc ocr/task.`,
	func(p *program) {
		p.lookAtTypes()
		p.each(func(i ssa.Instruction) {
			switch i := i.(type) {
			case *ssa.Convert:
				if isUnsafe(i.X.Type()) && !refers(i.Type()) {
					p.lookWhereItGoes(i)
				}
			case *ssa.Call:
				if nameOf(i.Common()) == "ocr/edt.Ctx.NewFlat" {
					p.lookAtFlat(i)
				}
			}
		})
	})

// lookAtTypes reports types with pointers that generic functions of the typed layer are used with.
func (p *program) lookAtTypes() {
	found := slices.SortedFunc(maps.Keys(p.TypesInfo.Instances), func(a, b *ast.Ident) int {
		return cmp.Compare(a.Pos(), b.Pos())
	})
	for _, id := range found {
		instance := p.TypesInfo.Instances[id]
		object := p.TypesInfo.Uses[id]
		if object == nil || object.Pkg() == nil {
			continue
		}
		path := object.Pkg().Path()
		function, ok := object.(*types.Func)
		if !ok || path != "ocr/task" && path != "ocr/task/par" && !(path == "ocr/datablock" && object.Name() == "NewView") {
			continue
		}
		for k := range instance.TypeArgs.Len() {
			t := instance.TypeArgs.At(k)
			if slotType(t) != nil || strings.HasPrefix(function.Signature().TypeParams().At(k).Obj().Name(), "S") {
				continue
			}
			if at := pointerIn(t); at != "" {
				p.say(id.Pos(), "%s must not have Go pointers in it: %s; keep the data in a block and its name in the "+
					"parameters (go doc ocr/task)",
					types.TypeString(t, types.RelativeTo(p.Pkg)), at)
			}
		}
	}
}

// pointerIn says where in a type a Go pointer is, "" if nowhere. It is datablock.PointerIn for the types of a program
// that does not run.
func pointerIn(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsBoolean|types.IsNumeric) != 0 && u.Kind() != types.Uintptr {
			return ""
		}
	case *types.Array:
		return pointerIn(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if at := pointerIn(f.Type()); at != "" {
				return fmt.Sprintf("field %s: %s", f.Name(), at)
			}
		}
		return ""
	}
	return fmt.Sprintf("%s is or holds a pointer", t)
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (p *program) lookAtFlat(call *ssa.Call) {
	for _, from := range origins(call.Call.Args[2]) {
		if at := pointerIn(pointee(from.Type())); at != "" && !isUnsafe(from.Type()) {
			p.say(placeOf(call), "the parameters must not have Go pointers in them: %s (go doc ocr/task)", at)
		}
	}
}

// takesParams are the calls that have the parameters of an EDT among their arguments.
var takesParams = set("ocr/edt.Ctx.NewEDT", "ocr/edt.Ctx.NewEDTAt", "ocr/edt.Ctx.NewLabelledEDT", "ocr/edt.Params")

// lookWhereItGoes reports a number that was a pointer if it comes into the parameters of an EDT, or into a block.
func (p *program) lookWhereItGoes(number ssa.Value) {
	inParameters := func(i ssa.Instruction) {
		p.say(placeOf(i), "a Go pointer goes into the parameters of an EDT as a number: keep the data in a block, and give "+
			"the EDT a slot for it (go doc ocr/task)")
	}
	walk(number, func(v ssa.Value) (next []ssa.Value) {
		if v.Referrers() == nil {
			return nil
		}
		for _, i := range *v.Referrers() {
			switch i := i.(type) {
			case *ssa.Convert, *ssa.ChangeType, *ssa.BinOp, *ssa.Phi, *ssa.Slice:
				next = append(next, i.(ssa.Value))
			case *ssa.Call:
				if takesParams[nameOf(i.Common())] {
					inParameters(number.(ssa.Instruction))
				}
			case *ssa.Store:
				if i.Val != v {
					continue
				}
				if memoryFrom(i.Addr) != nil {
					p.say(placeOf(i), "a Go pointer goes into a block as a number: the collector does not see it, and the block "+
						"may be moved (go doc ocr/datablock)")
					continue
				}
				switch address := i.Addr.(type) {
				case *ssa.IndexAddr:
					next = append(next, address.X)
				case *ssa.FieldAddr:
					if isType(pointee(address.X.Type()), set("ocr/edt.Spec")) {
						inParameters(i)
					}
				}
			}
		}
		return next
	})
}
