package main

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

var readonly = rule("readonly", `finds writes to a block that the EDT holds for reading

The memory of slots RO and Const of package task must not be written: not by an assignment, nor by copy, append,
clear, a sort, or a function of the same package that writes its parameter. With package edt the mode is said where the
EDT is created, so its body does not know it: check mode (--check) finds writes there. See go doc ocr/datablock.Mode.`,
	func(p *program) {
		summaries := &summaries{}
		p.each(func(i ssa.Instruction) {
			switch i := i.(type) {
			case *ssa.Store:
				p.sayReadonly(i, i.Addr)
			case ssa.CallInstruction:
				for _, k := range writtenBy(i.Common(), summaries) {
					p.sayReadonly(i, i.Common().Args[k])
				}
			}
		})
	})

func (p *program) sayReadonly(at ssa.Instruction, memory ssa.Value) {
	from := memoryFrom(memory)
	if from == nil {
		return
	}
	if slot := slotType(from.Type()); slot != nil && isType(slot, set("ocr/task.RO", "ocr/task.Const")) {
		p.say(placeOf(at), "a write to a block that the EDT holds in mode %[1]s, for reading: declare the slot as RW or EW, "+
			"or copy the elements (go doc ocr/task.%[1]s)", typeName(slot))
	}
}

// writers are functions that write the memory of an argument, the first if the table does not say another.
var writers = map[string]int{
	"builtin.copy": 0, "builtin.clear": 0,
	"sort.Slice": 0, "sort.SliceStable": 0, "sort.Sort": 0, "sort.Stable": 0, "sort.Ints": 0, "sort.Float64s": 0,
	"sort.Strings": 0,
	"slices.Sort":  0, "slices.SortFunc": 0, "slices.SortStableFunc": 0, "slices.Reverse": 0,
	"slices.Delete": 0, "slices.DeleteFunc": 0, "slices.Compact": 0, "slices.CompactFunc": 0, "slices.Replace": 0,
	"slices.Insert": 0,
	"io.ReadFull":   1, "io.ReadAtLeast": 1, "io.Reader.Read": 1, "crypto/rand.Read": 0, "encoding/binary.PutUvarint": 0,
	"encoding/binary.PutVarint": 0,
}

// writtenBy lists the arguments of a call whose memory it writes. The summaries are of functions of the same
// package; nil leaves those out.
func writtenBy(call *ssa.CallCommon, s *summaries) (arguments []int) {
	name := nameOf(call)
	n, ok := writers[name]
	if !ok && strings.HasPrefix(name, "encoding/binary.") && strings.Contains(name, ".Put") { // of a ByteOrder
		n, ok = 1, true
	}
	switch {
	case ok && call.IsInvoke(): // the receiver is no argument
		return []int{n - 1}
	case ok:
		return []int{n}
	}
	switch {
	case name == "builtin.append":
		// Behind elements that were left out, append writes into the memory itself.
		if s, ok := call.Args[0].(*ssa.Slice); ok && s.High != nil && s.Max == nil {
			return []int{0}
		}
	case strings.HasPrefix(name, "sync/atomic.") && !strings.Contains(name, "Load") && len(call.Args) > 0:
		return []int{0}
	}
	if fn := call.StaticCallee(); fn != nil && s != nil {
		return s.of(source(fn))
	}
	return nil
}

// summaries says which of its parameters' memory a function writes.
type summaries struct{ known map[*ssa.Function][]int }

func (s *summaries) of(fn *ssa.Function) []int {
	if s.known == nil {
		s.known = map[*ssa.Function][]int{}
	}
	if written, ok := s.known[fn]; ok {
		return written
	}
	s.known[fn] = nil // a function that calls itself
	var written []int
	eachIn([]*ssa.Function{fn}, func(i ssa.Instruction) {
		switch i := i.(type) {
		case *ssa.Store:
			written = append(written, parametersIn(fn, i.Addr)...)
		case ssa.CallInstruction:
			for _, k := range writtenBy(i.Common(), s) {
				written = append(written, parametersIn(fn, i.Common().Args[k])...)
			}
		}
	})
	s.known[fn] = written
	return written
}

// parametersIn lists the parameters of a function whose memory an address is in.
func parametersIn(fn *ssa.Function, address ssa.Value) (parameters []int) {
	for _, from := range origins(address) {
		for k, q := range fn.Params {
			if from == q {
				parameters = append(parameters, k)
			}
		}
	}
	return parameters
}
