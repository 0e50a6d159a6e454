package main

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An evidence is a search for what shows that several EDTs of a body have a variable: they are created in a loop, or
// twice on a path, or so is what creates them. Those that wait for something may come one after the other.
type evidence struct {
	p        *program
	variable ssa.Value // another one whenever it is made, or the function around it is called
	seen     []*ssa.Function
}

func (e *evidence) ofBody(b body) bool {
	name := nameOfValue(b.template)
	return strings.HasPrefix(name, "ocr/task/par.") && !strings.HasSuffix(name, ".DefineFunc") ||
		e.ofCalls(e.p.created(b.template, b.through))
}

// ofCalls reports whether calls come several times.
func (e *evidence) ofCalls(calls []ssa.CallInstruction) bool {
	made, _ := e.variable.(ssa.Instruction)
	for k, call := range calls {
		again := slices.Contains(calls[:k], call)
		forward(call, func(i ssa.Instruction) (stop bool) {
			next, ok := i.(ssa.CallInstruction)
			again = again || ok && slices.Contains(calls, next) && !mayWait(next, next == call)
			return again || made != nil && i == made.Block().Instrs[0]
		})
		if again || !mayWait(call, false) && e.ofFunction(call.Parent()) {
			return true
		}
	}
	return false
}

func (e *evidence) ofFunction(fn *ssa.Function) bool {
	if fn == e.variable.Parent() || slices.Contains(e.seen, fn) {
		return false
	}
	e.seen = append(e.seen, fn)
	isOne := func(b body) bool { return b.fn == fn && e.ofBody(b) }
	return slices.ContainsFunc(e.p.bodies(), isOne) || e.ofCalls(e.p.calls[fn])
}

var waitedFor = set("ocr/guid.GUID", "ocr/edt.Source", "ocr/edt.Spec",
	"ocr/task.Source", "ocr/task.Event", "ocr/task.Latch")

// mayWait reports whether a call is given anything but blocks that an EDT can wait for; if it comes again, anything
// that is another thing then.
func mayWait(call ssa.CallInstruction, again bool) bool {
	var is func(v ssa.Value) bool
	is = func(v ssa.Value) bool {
		switch nameOfValue(v) {
		case "ocr/edt.From", "ocr/task.Block.From", "ocr/task.Event.From", "ocr/task.Event.After":
			v = v.(*ssa.Call).Call.Args[0]
		}
		switch v := v.(type) {
		case *ssa.Slice:
			return is(v.X)
		case *ssa.Alloc:
			return slices.ContainsFunc(storedIn(v), is)
		case *ssa.Const:
			return false
		case *ssa.Phi, *ssa.UnOp:
		default:
			if again {
				return false
			}
		}
		b, isBlock := blockOf(v)
		_, given := b.of.(*ssa.Parameter) // a name of anything
		return isType(v.Type(), waitedFor) && (given || !isBlock)
	}
	return slices.ContainsFunc(call.Common().Args, is)
}

// created lists the calls that create EDTs of a template; of one that a function makes, as a call of that sees it.
func (p *program) created(template ssa.Value, through ssa.CallInstruction) (all []ssa.CallInstruction) {
	u := usage{p: p, seen: map[ssa.Value]bool{}}
	if u.of(template); strings.HasSuffix(nameOfValue(template), ".Body") {
		if load, ok := template.(*ssa.Call).Call.Args[0].(*ssa.UnOp); ok {
			u.ofVariable(load.X)
		}
	}
	for _, call := range u.calls {
		name := nameOf(call.Common())
		switch method := name[strings.LastIndex(name, ".")+1:]; {
		case strings.HasPrefix(method, "New"), method == "Spawn", method == "Call":
			all = append(all, call)
		}
	}
	if through != nil && len(all) > 0 {
		in := evidence{p: p, variable: source(through.Common().StaticCallee()).Params[0]}
		times := map[bool]int{false: 1, true: 2}[in.ofCalls(all)]
		all = slices.Repeat([]ssa.CallInstruction{through}, times)
	}
	for _, call := range p.calls[template.Parent()] {
		if u.returned && (through == nil || call == through) {
			all = append(all, p.created(call.Value(), nil)...)
		}
	}
	return all
}

// A usage is what becomes of a value: calls of it, or with it as an argument, through variables too.
type usage struct {
	p                          *program
	calls                      []ssa.CallInstruction
	given, returned, elsewhere bool
	seen                       map[ssa.Value]bool
}

func (u *usage) of(v ssa.Value) {
	if u.seen[v] || v.Referrers() == nil {
		return
	}
	u.seen[v] = true
	for _, i := range *v.Referrers() {
		switch i := i.(type) {
		case ssa.CallInstruction:
			u.calls, u.given = append(u.calls, i), u.given || slices.Contains(i.Common().Args, v)
		case *ssa.UnOp:
			u.of(i)
		case *ssa.Store:
			if i.Val == v {
				u.ofVariable(i.Addr)
			}
		case *ssa.MakeClosure:
			u.of(i.Fn.(*ssa.Function).FreeVars[slices.Index(i.Bindings, v)])
		case *ssa.Return:
			u.returned = true
		default:
			u.elsewhere = true
		}
	}
}

func (u *usage) ofVariable(address ssa.Value) {
	if a, ok := outward(address, false).(*ssa.Alloc); ok {
		u.of(a)
	} else if v := named(address); v == nil || u.p == nil {
		u.elsewhere = true
	} else {
		u.p.each(func(i ssa.Instruction) {
			if load, ok := i.(*ssa.UnOp); ok && named(load.X) == v {
				u.of(load)
			}
		})
	}
}

// named is the variable of the package or the field at an address, nil if it is neither.
func named(address ssa.Value) any {
	switch v := address.(type) {
	case *ssa.Global:
		return v
	case *ssa.FieldAddr:
		return pointee(v.X.Type()).Underlying().(*types.Struct).Field(v.Field)
	}
	return nil
}
