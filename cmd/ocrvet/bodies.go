package main

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// bodyAt says which argument of a call is the body of EDTs.
var bodyAt = map[string]int{
	"ocr/edt.NewTemplate": 3, "ocr/edt.Ctx.NewTemplate": 4,
	"ocr/task.Define0": 1, "ocr/task.Define1": 1, "ocr/task.Define2": 1, "ocr/task.Define3": 1, "ocr/task.Define4": 1, "ocr/task.DefineN": 1,
	"ocr/task.Task0.Body": 1, "ocr/task.Task1.Body": 1, "ocr/task.Task2.Body": 1, "ocr/task.Task3.Body": 1, "ocr/task.Task4.Body": 1, "ocr/task.TaskN.Body": 1,
	"ocr/task/par.DefineFor0": 1, "ocr/task/par.DefineFor1": 1, "ocr/task/par.DefineFor2": 1, "ocr/task/par.DefineFor3": 1,
	"ocr/task/par.DefineFunc": 1, "ocr/task/par.DefineMap": 1, "ocr/task/par.DefineReduce": 1,
}

// A body is a function that EDTs run.
type body struct {
	fn       *ssa.Function
	receiver bool // its first parameter is bound to a value that all EDTs of the body share
	once     bool // one EDT only runs it
}

// bodies finds the bodies that the package gives to templates, tasks and loops.
func (p *program) bodies() (all []body) {
	p.each(func(_ *ssa.Function, i ssa.Instruction) {
		call, ok := i.(*ssa.Call)
		if !ok {
			return
		}
		name := nameOf(call.Common())
		n, ok := bodyAt[name]
		if !ok {
			return
		}
		once := strings.HasSuffix(name, ".NewTemplate") && createsOne(call)
		for _, fn := range functionsIn(call.Call.Args[n], 0) {
			fn.once = once
			all = append(all, fn)
		}
	})
	return all
}

// functionsIn lists the functions of the package that a value may be: also if a function of the package returns it.
func functionsIn(v ssa.Value, depth int) (all []body) {
	if depth > 3 {
		return nil
	}
	for _, from := range origins(v) {
		switch from := from.(type) {
		case *ssa.Function:
			all = append(all, body{fn: source(from)})
		case *ssa.MakeClosure:
			fn := from.Fn.(*ssa.Function)
			if method := boundMethod(fn); method != nil {
				all = append(all, body{fn: method, receiver: true})
				continue
			}
			all = append(all, body{fn: fn})
		case *ssa.Call:
			if maker := from.Call.StaticCallee(); maker != nil {
				for _, b := range source(maker).Blocks {
					if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 {
						all = append(all, functionsIn(r.Results[0], depth+1)...)
					}
				}
			}
		}
	}
	return all
}

// boundMethod is the method behind a method value, nil if fn is none.
func boundMethod(fn *ssa.Function) *ssa.Function {
	if !strings.HasSuffix(fn.Name(), "$bound") {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(*ssa.Call); ok {
				return source(call.Call.StaticCallee())
			}
		}
	}
	return nil
}

// source is the function as it is written: of an instance of a generic function that one.
func source(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

var creates = set("ocr/edt.Ctx.NewEDT", "ocr/edt.Ctx.NewEDTAt", "ocr/edt.Ctx.NewLabelledEDT", "ocr/edt.Ctx.Spawn")

// createsOne reports whether one EDT at most is made of a template, which stays in variables of its function.
func createsOne(template *ssa.Call) bool {
	u := usage{seen: map[ssa.Value]bool{}}
	u.of(template)
	created := 0
	for _, call := range u.calls {
		switch name := nameOf(call.Common()); {
		case creates[name]:
			created++
			if call.Block() != template.Block() && loops(call.Block()) {
				return false
			}
		case !keepsTemplate[name]:
			return false
		}
	}
	return !u.elsewhere && created <= 1
}

var keepsTemplate = set("ocr/edt.Ctx.DestroyTemplate", "ocr/edt.Template.SetHint", "ocr/edt.Template.NameSlots",
	"ocr/edt.Template.TypeSlots")

// A usage is what becomes of a value: calls that have it as an argument, through variables of its function too.
type usage struct {
	calls     []*ssa.Call
	elsewhere bool
	seen      map[ssa.Value]bool
}

func (u *usage) of(v ssa.Value) {
	if u.seen[v] {
		return
	}
	u.seen[v] = true
	for _, i := range *v.Referrers() {
		switch i := i.(type) {
		case *ssa.Call:
			u.calls = append(u.calls, i)
		case *ssa.UnOp:
			u.of(i)
		case *ssa.Store:
			if _, ok := i.Addr.(*ssa.Alloc); ok {
				u.of(i.Addr)
			} else if i.Addr != v {
				u.elsewhere = true
			}
		case *ssa.MakeClosure:
			for k, b := range i.Bindings {
				if b == v {
					u.of(i.Fn.(*ssa.Function).FreeVars[k])
				}
			}
		default:
			u.elsewhere = true
		}
	}
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
	values := append([]ssa.Value{call.Common().Value}, call.Common().Args...)
	for _, v := range values {
		switch v := v.(type) {
		case *ssa.Function:
			all = append(all, source(v))
		case *ssa.MakeClosure:
			fn := v.Fn.(*ssa.Function)
			if method := boundMethod(fn); method != nil {
				fn = method
			}
			all = append(all, source(fn))
		}
	}
	for k := len(all) - 1; k >= 0; k-- {
		if all[k].Pkg == nil || all[k].Pkg.Pkg != p.Pkg || all[k].Blocks == nil {
			all = append(all[:k], all[k+1:]...)
		}
	}
	return all
}
