package main

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var shared = rule("shared", `finds bodies that write Go variables which other EDTs use

EDTs run at the same time, so a body must not write variables of the package or captured ones, unless by
sync/atomic or with a sync.Mutex held. The rule follows calls of functions of the same package. It leaves out an
element whose index is no constant, as each EDT may have its own; bodies of a template from which one EDT is made; and
the main EDT. See "Rules" in go doc ocr/task.`,
	func(p *program) {
		s := &sharing{parameters: map[*ssa.Parameter]bool{}}
		for _, b := range p.bodies() {
			if b.once {
				continue
			}
			if b.receiver && len(b.fn.Params) > 0 && refers(b.fn.Params[0].Type()) {
				s.parameters[b.fn.Params[0]] = true
			}
			s.reach(b.fn)
		}
		for len(s.open) > 0 {
			fn := s.open[0]
			s.open = s.open[1:]
			p.lookAtWrites(fn, s)
		}
	})

// A sharing is what is known of the variables that EDTs share.
type sharing struct {
	parameters map[*ssa.Parameter]bool // those that point to what is shared
	reached    map[*ssa.Function]bool
	open       []*ssa.Function // yet to be looked at
}

func (s *sharing) reach(fn *ssa.Function) {
	if s.reached == nil {
		s.reached = map[*ssa.Function]bool{}
	}
	if !s.reached[fn] {
		s.reached[fn] = true
		s.open = append(s.open, fn)
	}
}

// share marks a parameter, and has its function looked at again.
func (s *sharing) share(q *ssa.Parameter) {
	if !s.parameters[q] {
		s.parameters[q] = true
		delete(s.reached, q.Parent())
	}
}

func (p *program) lookAtWrites(fn *ssa.Function, s *sharing) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if root := s.written(i); root != nil && !locked(i) {
				p.say(placeOf(i), "the body of EDTs writes %s, which other EDTs use at the same time: pass it in a block, a parameter or ocr/task/par.Reduce, or use sync/atomic or a sync.Mutex (go doc ocr/task)", describe(root))
			}
			for _, callee := range p.called(i) {
				if locked(i) {
					continue
				}
				if call := i.(ssa.CallInstruction).Common(); call.StaticCallee() != nil && source(call.StaticCallee()) == callee {
					for k, a := range call.Args {
						if refers(a.Type()) && s.root(a, false) != nil {
							s.share(callee.Params[k])
						}
					}
				}
				s.reach(callee)
			}
		}
	}
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
func (s *sharing) root(v ssa.Value, elements bool) ssa.Value {
	return s.follow(v, elements, map[ssa.Value]bool{})
}

func (s *sharing) follow(v ssa.Value, elements bool, seen map[ssa.Value]bool) ssa.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	var next []ssa.Value
	switch v := v.(type) {
	case *ssa.Global:
		return v
	case *ssa.Parameter:
		if s.parameters[v] {
			return v
		}
	case *ssa.FreeVar:
		outer := outermost(v)
		if _, ok := outer.(*ssa.FreeVar); ok {
			return v
		}
		next = []ssa.Value{outer}
	case *ssa.FieldAddr:
		next = []ssa.Value{v.X}
	case *ssa.IndexAddr:
		if _, ok := v.Index.(*ssa.Const); ok || elements {
			next = []ssa.Value{v.X}
		}
	case *ssa.Lookup:
		if elements {
			next = []ssa.Value{v.X}
		}
	case *ssa.ChangeType:
		next = []ssa.Value{v.X}
	case *ssa.Phi:
		next = v.Edges
	case *ssa.UnOp:
		if next = loaded(v.X); next == nil && refersOrMap(v.Type()) {
			next = []ssa.Value{v.X}
		}
	}
	for _, n := range next {
		if root := s.follow(n, elements, seen); root != nil {
			return root
		}
	}
	return nil
}

func refersOrMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok || refers(t)
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
