package main

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// forward calls f for every instruction that can follow one in its function, on each path until f returns true. It
// leaves out paths on which a condition that held at the first instruction does not hold.
func forward(from ssa.Instruction, f func(i ssa.Instruction) (stop bool)) {
	type place struct {
		block    *ssa.BasicBlock
		computed bool // a condition has been computed again: what held before tells nothing
	}
	held := conditionsAt(from.Block())
	seen := map[place]bool{}
	first := 0
	for k, i := range from.Block().Instrs {
		if i == from {
			first = k + 1
		}
	}
	for next := []place{{block: from.Block()}}; len(next) > 0; first = 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		stopped := false
		for _, i := range at.block.Instrs[first:] {
			if v, ok := i.(ssa.Value); ok {
				_, condition := held[v]
				at.computed = at.computed || condition
			}
			if stopped = f(i); stopped {
				break
			}
		}
		if stopped {
			continue
		}
		for k, b := range at.block.Succs {
			to := place{b, at.computed}
			if !seen[to] && (at.computed || !excluded(at.block, k, held)) {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
}

// conditionsAt says which conditions hold whenever a block of instructions runs, and which do not.
func conditionsAt(b *ssa.BasicBlock) map[ssa.Value]bool {
	held := map[ssa.Value]bool{}
	for d := b; d.Idom() != nil; d = d.Idom() {
		if branch, ok := lastOf(d.Idom()).(*ssa.If); ok && len(d.Preds) == 1 {
			condition, is := positive(branch.Cond, d.Idom().Succs[0] == d)
			held[condition] = is
		}
	}
	return held
}

// excluded reports whether a block of instructions does not go on with its k-th successor if these conditions hold.
func excluded(b *ssa.BasicBlock, k int, held map[ssa.Value]bool) bool {
	branch, ok := lastOf(b).(*ssa.If)
	if !ok {
		return false
	}
	condition, is := positive(branch.Cond, k == 0)
	holds, known := held[condition]
	return known && holds != is
}

// positive takes the negations off a condition.
func positive(condition ssa.Value, is bool) (ssa.Value, bool) {
	for {
		not, ok := condition.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return condition, is
		}
		condition, is = not.X, !is
	}
}

func lastOf(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[len(b.Instrs)-1] }
