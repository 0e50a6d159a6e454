package taskbench

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
)

// take checks the inputs of a task (their number, which task each comes from, every pair of each) and the scratch
// memory, and notes the EDTs whose GUIDs came with them. At the first input that is wrong it ends the run, and returns
// false.
func (g *graph) take(c *edt.Ctx, in edt.Args, col *column, words []uint64, t, i, set int) bool {
	p, deps := g.plan, in.Deps()
	if g.verify && (len(deps) != col.slots[set] || g.more) && !g.checkTask(c, len(deps), col, words, t, i, set) {
		return false
	}
	takes, all, before, size, n := col.takes[set], col.complete.has(t), p.buffer(t-1), p.pairs, 0
	if g.verify && all && size == 2 {
		n = p.takeRight(takes, deps, words, t)
	}
	for k := n; k < len(takes); k++ {
		input := &takes[k]
		dep := &deps[input.slot]
		if !all && !col.inputs[set][k].there.has(t) {
			if !dep.IsNull() && input.slot != slotOwn {
				return g.failOutput(c, t, i, &col.inputs[set][k], "one", "none")
			}
			continue
		}
		if dep.IsNull() {
			return g.failOutput(c, t, i, &col.inputs[set][k], "none", "one")
		}
		from, at := words, int(input.outputAt)+before
		if input.remote {
			from = datablock.Slice[uint64](dep)
		}
		if p.links == mutual {
			putGUID(words, int(input.peer), getGUID(from, at))
			at += guidWords
		}
		if !g.verify {
			continue
		}
		output := from[at:][:size]
		if pair := differs(output, t-1, input.source); pair >= 0 {
			return g.failPair(c, t, i, &col.inputs[set][k], output, pair)
		}
	}
	return true
}

// takeRight takes inputs of one pair each, up to the first that is missing or wrong, and returns their number. It calls
// nothing, so all that it needs stays in registers.
func (p *plan) takeRight(takes []take, deps []datablock.Dep, words []uint64, t int) int {
	before := p.buffer(t - 1)
	for k := range takes {
		input := &takes[k]
		dep := &deps[input.slot]
		if dep.IsNull() {
			return k
		}
		from, at := words, int(input.outputAt)+before
		if input.remote {
			from = datablock.Slice[uint64](dep)
		}
		if p.links == mutual {
			putGUID(words, int(input.peer), getGUID(from, at))
			at += guidWords
		}
		if from[at] != uint64(t-1) || from[at+1] != input.source {
			return k
		}
	}
	return len(takes)
}

// failPair ends the run: a pair of an output is wrong.
//
//go:noinline
func (g *graph) failPair(c *edt.Ctx, t, i int, from *input, output []uint64, pair int) bool {
	return g.fail(c, wrongPair(g.number, t, i, from.from, output, pair))
}

// failOutput ends the run: a task has, or lacks, the output of a column. It is not inlined into the loop of take.
//
//go:noinline
func (g *graph) failOutput(c *edt.Ctx, t, i int, from *input, got, want string) bool {
	return g.fail(c, wrong(g.number, t, i, fmt.Sprintf("output of (%d,%d)", t-1, from.from), got, want))
}

// checkTask checks the number of inputs and the scratch memory.
func (g *graph) checkTask(c *edt.Ctx, slots int, col *column, words []uint64, t, i, set int) bool {
	want := col.slots[set]
	if g.isTurn(t) {
		want += len(col.consumers)
	}
	if slots != want {
		return g.fail(c, wrong(g.number, t, i, "slots", slots, want))
	}
	if g.Scratch != 0 {
		if wrong := g.checkScratch(words[col.scratchAt:], t, i); wrong != nil {
			return g.fail(c, wrong)
		}
	}
	return true
}

// fail ends the run with the first thing that is wrong.
func (g *graph) fail(c *edt.Ctx, wrong *trial.VerifyError) bool {
	if g.app == nil {
		g.ranks.report(c, wrong)
		return false
	}
	g.app.failure.CompareAndSwap(nil, wrong)
	c.Shutdown()
	return false
}
