package main

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var keeps = rule("keeps", `finds a Ctx, or what belongs to its EDT, that leaves the EDT

A Ctx, Args, a Dep, a slot of package task, and the memory of blocks are valid until the EDT ends, and on its
goroutine only. The rule reports those that a goroutine gets, that go into a channel, or that are stored in a
variable of the package or one that is older than the EDT. See go doc ocr/edt.Ctx.`,
	func(p *program) {
		p.each(func(i ssa.Instruction) {
			switch i := i.(type) {
			case *ssa.Go:
				p.sayGiven(placeOf(i), append(i.Call.Args, i.Call.Value),
					"a goroutine gets %s: %s; create an EDT for the work, or let ocr/task.Blocking call it")
			case *ssa.Call:
				if elsewhere[nameOf(i.Common())] {
					p.sayGiven(placeOf(i), functionsAmong(i.Call.Args),
						"a function that is called on another goroutine captures %s: %s; copy what it needs")
				}
			case *ssa.Send:
				p.sayGiven(placeOf(i), []ssa.Value{i.X}, "%s is sent on a channel: %s; send a copy of the data")
			case *ssa.Select:
				for _, s := range i.States {
					if s.Send != nil {
						p.sayGiven(s.Pos, []ssa.Value{s.Send}, "%s is sent on a channel: %s; send a copy of the data")
					}
				}
			case *ssa.Store:
				if older(i.Addr) {
					p.sayGiven(placeOf(i), []ssa.Value{i.Val},
						"%s is kept in a variable that is older than the EDT: %s; keep a copy of the data, or a GUID")
				}
			case *ssa.MapUpdate:
				if older(i.Map) {
					p.sayGiven(placeOf(i), []ssa.Value{i.Key, i.Value},
						"%s is kept in a map that is older than the EDT: %s; keep a copy of the data, or a GUID")
				}
			}
		})
	})

// sayGiven reports the first of some values that must not leave its EDT.
func (p *program) sayGiven(at token.Pos, values []ssa.Value, format string) {
	for _, v := range values {
		if what := ofItsEDT(v, 0); what != "" {
			p.say(at, format, what, "it is valid until the EDT ends, on the EDT's goroutine (go doc ocr/edt.Ctx)")
			return
		}
	}
}

func functionsAmong(values []ssa.Value) (functions []ssa.Value) {
	for _, v := range values {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			functions = append(functions, v)
		}
	}
	return functions
}

// ofItsEDT says what a value has in it that belongs to one EDT, "" if nothing.
func ofItsEDT(v ssa.Value, depth int) string {
	if v == nil || depth > 3 {
		return ""
	}
	if what := typeOfEDT(v.Type(), 0); what != "" {
		return what
	}
	if memoryFrom(v) != nil {
		return "the memory of a block"
	}
	var parts []ssa.Value
	for _, from := range origins(v) {
		switch from := from.(type) {
		case *ssa.MakeClosure:
			parts = append(parts, from.Bindings...)
		case *ssa.Alloc:
			parts = append(parts, storedIn(from)...)
		default:
			if what := typeOfEDT(from.Type(), 0); what != "" && from != v {
				return what
			}
		}
	}
	for _, part := range parts {
		if what := ofItsEDT(part, depth+1); what != "" {
			return what
		}
	}
	return ""
}

// typeOfEDT says what values of a type have in them that belongs to one EDT, "" if nothing. It does not follow
// pointers.
func typeOfEDT(t types.Type, depth int) string {
	if depth > 4 {
		return "" // a type that has itself in it
	}
	if isType(pointee(t), set("ocr/edt.Ctx")) {
		return "a Ctx"
	}
	if isType(t, set("ocr/edt.Args")) {
		return "the Args of an EDT"
	}
	if slot := slotType(t); slot != nil {
		if typeName(slot) == "Dep" {
			return "a Dep"
		}
		return "a slot (" + typeName(slot) + ")"
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if what := typeOfEDT(f.Type(), depth+1); what != "" {
				return what
			}
		}
	case *types.Slice:
		return typeOfEDT(u.Elem(), depth+1)
	case *types.Array:
		return typeOfEDT(u.Elem(), depth+1)
	case *types.Map:
		return typeOfEDT(u.Elem(), depth+1)
	}
	return ""
}

// older reports whether a variable is one of the package, or was captured from outside of the EDT.
func older(address ssa.Value) bool {
	return (&sharing{}).root(address, true) != nil
}
