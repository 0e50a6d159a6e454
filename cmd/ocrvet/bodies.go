package main

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// bodyAt says which argument of a call is the body of EDTs.
var bodyAt = map[string]int{
	"ocr/edt.NewTemplate": 3, "ocr/edt.Ctx.NewTemplate": 4,
	"ocr/task.Define0": 1, "ocr/task.Define1": 1, "ocr/task.Define2": 1, "ocr/task.Define3": 1, "ocr/task.Define4": 1,
	"ocr/task.DefineN":    1,
	"ocr/task.Task0.Body": 1, "ocr/task.Task1.Body": 1, "ocr/task.Task2.Body": 1, "ocr/task.Task3.Body": 1,
	"ocr/task.Task4.Body": 1, "ocr/task.TaskN.Body": 1,
	"ocr/task/par.DefineFor0": 1, "ocr/task/par.DefineFor1": 1, "ocr/task/par.DefineFor2": 1, "ocr/task/par.DefineFor3": 1,
	"ocr/task/par.DefineFunc": 1, "ocr/task/par.DefineMap": 1, "ocr/task/par.DefineReduce": 1,
}

// A body is a function that EDTs run.
type body struct {
	fn       *ssa.Function
	receiver ssa.Value           // what its first parameter is bound to, nil if it is one like others
	template ssa.Value           // or the loop of package par, whose EDTs run at the same time
	through  ssa.CallInstruction // of the function that makes the template, nil for any
	inside   *ssa.Call           // of the function in which it was found, nil for any
}

// bodies finds the bodies that the package gives to templates, tasks and loops, also through its own functions.
func (p *program) bodies() []body {
	if p.calls != nil {
		return p.found
	}
	p.calls = map[*ssa.Function][]ssa.CallInstruction{}
	p.each(func(i ssa.Instruction) {
		if call, ok := i.(ssa.CallInstruction); ok && call.Common().StaticCallee() != nil {
			fn := source(call.Common().StaticCallee())
			p.calls[fn] = append(p.calls[fn], call)
		}
	})
	p.each(func(i ssa.Instruction) {
		if call, ok := i.(*ssa.Call); ok {
			if n, ok := bodyAt[nameOf(call.Common())]; ok {
				p.addBodies(call.Call.Args[n], body{template: call}, 0)
			}
		}
	})
	return p.found
}

// addBodies adds the functions of the package that a value may be: also if a function of the package returns it, or
// calls of one give it to a parameter.
func (p *program) addBodies(v ssa.Value, b body, depth int) {
	if depth++; depth > 4 {
		return
	}
	for _, from := range origins(v) {
		next := b
		if next.fn, next.receiver = functionOf(from); next.fn != nil {
			p.found = append(p.found, next)
			eachIn([]*ssa.Function{next.fn}, func(i ssa.Instruction) { // it may call what the function around it was given
				if call, ok := i.(ssa.CallInstruction); ok {
					if load, ok := call.Common().Value.(*ssa.UnOp); ok {
						if a, ok := outward(load.X, false).(*ssa.Alloc); ok && a.Parent() != next.fn {
							for _, given := range storedIn(a) {
								p.addBodies(given, next, depth)
							}
						}
					}
				}
			})
		}
		switch from := from.(type) {
		case *ssa.Parameter:
			next.inside = nil
			for _, call := range p.calls[from.Parent()] {
				if b.inside == nil { // the function makes the template, too
					next.through = call
				}
				if b.inside == nil || b.inside == call {
					p.addBodies(call.Common().Args[slices.Index(from.Parent().Params, from)], next, depth)
				}
			}
		case *ssa.Call:
			if next.inside = from; from.Call.StaticCallee() != nil {
				eachIn([]*ssa.Function{source(from.Call.StaticCallee())}, func(i ssa.Instruction) {
					if r, ok := i.(*ssa.Return); ok && len(r.Results) == 1 {
						p.addBodies(r.Results[0], next, depth)
					}
				})
			}
		}
	}
}

// functionOf is the function that a value is, nil if it is none, and of a method value the method's receiver.
func functionOf(v ssa.Value) (fn *ssa.Function, receiver ssa.Value) {
	switch v := v.(type) {
	case *ssa.Function:
		return source(v), nil
	case *ssa.MakeClosure:
		fn = v.Fn.(*ssa.Function)
		if strings.HasSuffix(fn.Name(), "$bound") {
			receiver = v.Bindings[0]
			eachIn([]*ssa.Function{fn}, func(i ssa.Instruction) {
				if call, ok := i.(*ssa.Call); ok {
					fn = source(call.Call.StaticCallee())
				}
			})
		}
	}
	return fn, receiver
}

// source is the function as it is written: of an instance of a generic function that one.
func source(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// reached lists functions, and those of the package that they call by instructions that count.
func (p *program) reached(all []*ssa.Function, counts func(i ssa.Instruction) bool) []*ssa.Function {
	for k := 0; k < len(all); k++ {
		eachIn(all[k:k+1], func(i ssa.Instruction) {
			for _, callee := range p.called(i) {
				if counts(i) && !slices.Contains(all, callee) {
					all = append(all, callee)
				}
			}
		})
	}
	return all
}

// called lists the functions of the package that an instruction calls, or gives to a function that may
// call them, on this goroutine. The bodies of EDTs are not among them.
func (p *program) called(i ssa.Instruction) (all []*ssa.Function) {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	if _, ok := i.(*ssa.Go); ok {
		return nil
	}
	name := nameOf(call.Common())
	if _, ok := bodyAt[name]; ok || elsewhere[name] || strings.HasPrefix(name, "sync.") {
		return nil
	}
	for n, v := range append([]ssa.Value{call.Common().Value}, call.Common().Args...) {
		fn, _ := functionOf(v)
		given := n > 0 && slices.ContainsFunc(p.bodies(), func(b body) bool { return b.fn == fn })
		if fn != nil && !given && fn.Pkg != nil && fn.Pkg.Pkg == p.Pkg && fn.Blocks != nil {
			all = append(all, fn)
		}
	}
	return all
}
