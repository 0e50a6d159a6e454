package main

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// walk visits a value, and those that f returns for a value, each once.
func walk(v ssa.Value, f func(v ssa.Value) (next []ssa.Value)) {
	seen := map[ssa.Value]bool{}
	for left := []ssa.Value{v}; len(left) > 0; {
		v, left = left[0], left[1:]
		if !seen[v] {
			seen[v] = true
			left = slices.Concat(f(v), left)
		}
	}
}

// origins lists where a value comes from, through slices of it, pointers into it, names of it, and variables: calls,
// parameters, captured variables. Of a block's memory or name it is the slot or the call that made it.
func origins(v ssa.Value) (found []ssa.Value) {
	walk(v, func(v ssa.Value) []ssa.Value {
		switch v := v.(type) {
		case *ssa.Slice, *ssa.FieldAddr, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.SliceToArrayPointer:
			return []ssa.Value{*v.(ssa.Instruction).Operands(nil)[0]} // what it is of comes first
		case *ssa.IndexAddr:
			if nameOfValue(v.X) != "ocr/edt.Args.Deps" {
				return []ssa.Value{v.X}
			}
		case *ssa.Phi:
			return v.Edges
		case *ssa.FreeVar:
			if outer := outward(v, true); outer != v {
				return []ssa.Value{outer}
			}
		case *ssa.Const:
			return nil
		default:
			if next := through(v); next != nil {
				return next
			}
		}
		found = append(found, v)
		return nil
	})
	return found
}

// through lists the values that v is another form of: the same memory, or a name of the same block. It is nil if v is
// an origin.
func through(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Convert:
		if refers(v.Type()) && refers(v.X.Type()) {
			return []ssa.Value{v.X}
		}
	case *ssa.Field:
		if embedded(v.X.Type(), v.Field) {
			return []ssa.Value{v.X}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return loaded(v.X)
		}
	case *ssa.Call:
		name := nameOf(v.Common())
		if n, ok := reads[name]; ok && refers(v.Type()) {
			return []ssa.Value{v.Call.Args[n]}
		}
		if n, ok := namesBlock[name]; ok {
			return []ssa.Value{v.Call.Args[n]}
		}
		if name == "builtin.append" {
			if s, ok := v.Type().Underlying().(*types.Slice); ok && refers(s.Elem()) {
				return v.Call.Args
			}
			return v.Call.Args[:1]
		}
	}
	return nil
}

// loaded lists what may be in a variable of the function or of one around it, nil if it is another variable.
func loaded(address ssa.Value) []ssa.Value {
	for {
		f, ok := address.(*ssa.FieldAddr)
		if !ok || !embedded(pointee(f.X.Type()), f.Field) {
			break
		}
		address = f.X
	}
	if a, ok := outward(address, true).(*ssa.Alloc); ok {
		return storedIn(a)
	}
	return nil
}

// storedIn lists what is stored in a variable, or in a part of it, by its function and by closures in it.
func storedIn(a ssa.Value) (values []ssa.Value) {
	for _, i := range *a.Referrers() {
		switch i := i.(type) {
		case *ssa.Store:
			if i.Addr == a {
				values = append(values, i.Val)
			}
		case *ssa.IndexAddr:
			values = append(values, storedIn(i)...)
		case *ssa.FieldAddr:
			values = append(values, storedIn(i)...)
		case *ssa.MakeClosure:
			for k, b := range i.Bindings {
				if b == a {
					values = append(values, storedIn(i.Fn.(*ssa.Function).FreeVars[k])...)
				}
			}
		}
	}
	return values
}

// outward follows a captured variable out to where it is declared; in an EDT, as far as that belongs to it.
func outward(v ssa.Value, inEDT bool) ssa.Value {
	for {
		f, ok := v.(*ssa.FreeVar)
		if !ok || inEDT && ofEDT(f.Parent()) {
			return v
		}
		m := closure(f.Parent())
		if m == nil {
			return v
		}
		v = m.Bindings[slices.Index(f.Parent().FreeVars, f)]
	}
}

// closure is where a function that captures variables becomes a value, nil if there is none.
func closure(fn *ssa.Function) (made *ssa.MakeClosure) {
	if fn.Parent() != nil {
		eachIn([]*ssa.Function{fn.Parent()}, func(i ssa.Instruction) {
			if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn {
				made = m
			}
		})
	}
	return made
}

// ofEDT reports whether a function is given a Ctx or Args: what it captures is older than the EDT that calls it. A
// closure that is only called runs in the EDT around it.
func ofEDT(fn *ssa.Function) bool {
	u := usage{seen: map[ssa.Value]bool{}}
	if m := closure(fn); m != nil {
		if u.of(m); !u.given && !u.returned && !u.elsewhere {
			return false
		}
	}
	ofEDT := set("ocr/edt.Ctx", "ocr/edt.Args")
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return isType(pointee(p.Type()), ofEDT) })
}

// A block is how a function names a data block.
type block struct {
	of   ssa.Value // the call that made it, or the slot; of a dependence the list it is in, nil for the EDT's
	slot ssa.Value // a dependence's index that is no constant
	n    int64     // its index that is one, -1 for a block that is no dependence
}

// blockOf says which block a value is the slot, the name or the memory of.
func blockOf(v ssa.Value) (found block, ok bool) {
	for k, from := range origins(v) {
		b, known := blockFrom(from)
		if !known || k > 0 && b != found {
			return block{}, false
		}
		found, ok = b, true
	}
	return found, ok
}

func blockFrom(v ssa.Value) (block, bool) {
	switch v := v.(type) {
	case *ssa.Call:
		switch name := nameOf(v.Common()); {
		case name == "ocr/edt.Args.Dep" || name == "ocr/task.SlotOf":
			return slotAt(nil, v.Call.Args[1]), true
		case name == "ocr/task.List.At":
			return slotAt(v.Call.Args[0], v.Call.Args[1]), true
		case makesBlock[name]:
			return block{of: v, n: -1}, true
		}
	case *ssa.IndexAddr:
		return slotAt(nil, v.Index), true
	case *ssa.Extract:
		if makesBlock[nameOfValue(v.Tuple)] {
			return block{of: v.Tuple, n: -1}, true
		}
	case *ssa.Parameter:
		return block{of: v, n: -1}, true
	}
	return block{}, false
}

func slotAt(list, index ssa.Value) block {
	if c, ok := index.(*ssa.Const); ok && c.Value != nil {
		n, _ := constant.Int64Val(constant.ToInt(c.Value))
		return block{of: list, n: n}
	}
	return block{of: list, slot: index}
}

// slotTypes are the types of what a body gets on its slots.
var slotTypes = set("ocr/task.RW", "ocr/task.EW", "ocr/task.RO", "ocr/task.Const", "ocr/task.Ref", "ocr/task.After",
	"ocr/task.List", "ocr/datablock.Dep")

// memoryFrom returns the origin of a slice of a block or of a pointer into it, nil if v is neither.
func memoryFrom(v ssa.Value) ssa.Value {
	if !refers(v.Type()) {
		return nil
	}
	for _, from := range origins(v) {
		if e, ok := from.(*ssa.Extract); ok && makesBlock[nameOfValue(e.Tuple)] {
			return from
		}
		if from != v && slotType(from.Type()) != nil {
			return from
		}
	}
	return nil
}

// slotType is the slot type that t is, points to, or embeds, as those of package par do. It is nil if t is none.
func slotType(t types.Type) types.Type {
	t = types.Unalias(t)
	if isType(pointee(t), slotTypes) {
		return pointee(t)
	}
	if s, ok := t.Underlying().(*types.Struct); ok && s.NumFields() == 1 && s.Field(0).Embedded() {
		return slotType(s.Field(0).Type())
	}
	return nil
}

func embedded(t types.Type, field int) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 1 && s.Field(field).Embedded()
}

// refers reports whether a value of type t refers to memory.
func refers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Interface, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
