package main

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var shared = rule("shared", `finds bodies that write Go variables which other EDTs use

EDTs run at the same time, so a body must not write variables of the package or captured ones, unless by
sync/atomic or with a sync.Mutex held. The rule reports bodies of which several EDTs are created, in a loop or twice on
a path, and follows calls of functions of the same package. It leaves out an element whose index is no constant, as
each EDT may have its own, and EDTs that may come one after the other: each creates the next, or waits for an event. See
"Rules" in go doc ocr/task.`,
	func(p *program) {
		for _, b := range p.bodies() {
			s := &sharing{
				several:    func(v ssa.Value) bool { return (&evidence{p: p, variable: v}).ofBody(b) },
				parameters: map[*ssa.Parameter]bool{},
				reached:    p.reached([]*ssa.Function{b.fn}, func(i ssa.Instruction) bool { return !alone(i) }),
			}
			if r := b.receiver; r != nil && len(b.fn.Params) > 0 && refers(r.Type()) && s.several(append(origins(r), r)[0]) {
				s.parameters[b.fn.Params[0]] = true
			}
			for before := -1; before < len(s.parameters); {
				before = len(s.parameters)
				eachIn(s.reached, s.shareArguments)
			}
			eachIn(s.reached, func(i ssa.Instruction) {
				if root := s.written(i); root != nil && !alone(i) {
					p.say(placeOf(i), "several EDTs of this body may run at the same time, and write %s: pass it in a block, "+
						"a parameter or ocr/task/par.Reduce, or use sync/atomic or a sync.Mutex (go doc ocr/task)", describe(root))
				}
			})
		}
	})

// A sharing is what is known of the variables that EDTs of a body share.
type sharing struct {
	several    func(v ssa.Value) bool  // of the EDTs have a variable; nil: what is older than an EDT counts
	parameters map[*ssa.Parameter]bool // those that point to what is shared
	reached    []*ssa.Function         // by the EDTs, without a lock
}

// shareArguments marks the parameters that a call gives what is shared.
func (s *sharing) shareArguments(i ssa.Instruction) {
	call, ok := i.(ssa.CallInstruction)
	if !ok || alone(i) || call.Common().StaticCallee() == nil {
		return
	}
	if callee := source(call.Common().StaticCallee()); slices.Contains(s.reached, callee) {
		for k, a := range call.Common().Args {
			if refers(a.Type()) && s.root(a, false) != nil {
				s.parameters[callee.Params[k]] = true
			}
		}
	}
}

// has reports whether the EDTs share a variable: it is none of a function that each of them calls.
func (s *sharing) has(v ssa.Value) bool {
	return s.several == nil || !slices.Contains(s.reached, v.Parent()) && s.several(v)
}

// written is the shared variable that an instruction writes, nil if it writes none.
func (s *sharing) written(i ssa.Instruction) ssa.Value {
	switch i := i.(type) {
	case *ssa.Store:
		return s.root(i.Addr, false)
	case *ssa.MapUpdate:
		return s.root(i.Map, false)
	case *ssa.Call:
		if name := nameOf(i.Common()); name == "builtin.delete" || name == "builtin.clear" {
			if _, ok := i.Call.Args[0].Type().Underlying().(*types.Map); ok {
				return s.root(i.Call.Args[0], false)
			}
		}
	}
	return nil
}

// root is the shared variable through which an address or a map is found, nil if there is none. With elements,
// an element of what is shared counts.
func (s *sharing) root(v ssa.Value, elements bool) (root ssa.Value) {
	walk(v, func(v ssa.Value) []ssa.Value {
		if root != nil {
			return nil
		}
		found := false
		switch v := v.(type) {
		case *ssa.Global:
			found = s.has(v)
		case *ssa.Parameter:
			found = s.parameters[v]
		case *ssa.FreeVar:
			outer := outward(v, true)
			if _, free := outer.(*ssa.FreeVar); !free || !s.has(outward(v, false)) {
				return []ssa.Value{outer}
			}
			found = true
		case *ssa.FieldAddr:
			return []ssa.Value{v.X}
		case *ssa.IndexAddr:
			if _, ok := v.Index.(*ssa.Const); ok || elements {
				return []ssa.Value{v.X}
			}
		case *ssa.Lookup:
			if elements {
				return []ssa.Value{v.X}
			}
		case *ssa.ChangeType:
			return []ssa.Value{v.X}
		case *ssa.Phi:
			return v.Edges
		case *ssa.UnOp:
			_, isMap := v.Type().Underlying().(*types.Map)
			if next := loaded(v.X); next != nil || !isMap && !refers(v.Type()) {
				return next
			}
			return []ssa.Value{v.X}
		}
		if found {
			root = v
		}
		return nil
	})
	return root
}

func describe(root ssa.Value) string {
	switch v := root.(type) {
	case *ssa.Global:
		return "the package's variable " + v.Name()
	case *ssa.Parameter:
		return "what " + v.Name() + " points to"
	}
	return "the captured variable " + root.Name()
}

var (
	locks   = set("sync.Mutex.Lock", "sync.RWMutex.Lock")
	unlocks = set("sync.Mutex.Unlock", "sync.RWMutex.Unlock")
)

// alone reports whether one EDT at a time may come to an instruction: with a mutex, or as the one for which two values
// are equal, or a function says so.
func alone(i ssa.Instruction) bool {
	for condition, is := range conditionsAt(i.Block()) {
		switch c := condition.(type) {
		case *ssa.BinOp:
			k, isConst := c.Y.(*ssa.Const)
			if (c.Op == token.EQL && is || c.Op == token.NEQ && !is) && !(isConst && k.IsNil()) {
				return true
			}
		case *ssa.Call:
			if is {
				return true
			}
		}
	}
	return locked(i)
}

// locked reports whether the function holds a mutex at an instruction, on every path to it.
func locked(i ssa.Instruction) bool {
	held := 0
	for b := i.Block(); b != nil; b = b.Idom() {
		for _, before := range b.Instrs {
			if before == i {
				break
			}
			if call, ok := before.(*ssa.Call); ok {
				switch name := nameOf(call.Common()); {
				case locks[name]:
					held++
				case unlocks[name]:
					held--
				}
			}
		}
	}
	return held > 0
}
