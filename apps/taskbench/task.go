package taskbench

import (
	"fmt"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The parameters of a task, and its slots: the block of the column's own tile, and the outputs of other columns.
const (
	paramStep = iota
	paramColumn
	numParams

	slotOwn    = 0
	firstInput = 1
)

// body returns the body of the tasks. It is one function: a task of the empty kernel takes some hundred nanoseconds.
//
//go:noinline
func (g *graph) body() edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		t, i, deps := int(in.Param(paramStep)), int(in.Param(paramColumn)), in.Deps()
		col, words := &g.columns[i], datablock.Slice[uint64](&deps[slotOwn])
		if g.recorded {
			t = int(words[col.stepAt])
		}
		set, taken, peers := &col.sets[g.setOf(t)], 0, g.peers[c.Worker()]
		if g.pairs == 2 {
			taken = take(set.in, deps, words, peers, g.buffer(t-1), t)
		}
		var scratch []byte
		if taken != len(set.in) || len(deps) != set.slots || g.Scratch != 0 {
			if !g.check(c, deps, words, peers, t, i, taken) {
				return guid.Null
			}
			scratch = bytesOf(words[col.scratch:col.end])
		}
		g.Kernel.Run(int64(g.number), int64(t), int64(i), scratch)
		buffer := col.outputAt + g.buffer(t)
		output := words[buffer+guidWords:][:g.pairs:g.pairs]
		if g.flaw == nil || !g.flaw.write(g, words, output, t, i) {
			fill(output, t, col.source)
		}
		switch {
		case g.recorded:
			words[col.stepAt] = uint64(t + 1)
			return guid.Null
		case g.alone && t < col.last:
			in.Params()[paramStep]++
			c.Again()
			return guid.Null
		}

		following := getGUID(words, g.name(col, t+1))
		if t+g.ahead <= col.last {
			putGUID(words, buffer, g.create(c, col, i, t+g.ahead))
		}
		out := col.sets[g.setOf(t+1)].out
		all := col.whole.has(t) && g.flaw == nil
		if g.period > 1 || !all {
			g.exchange(words, peers, set.in, out, t)
		}
		block := deps[slotOwn].GUID()
		c.Release(block)
		for k := range out {
			to := &out[k]
			if all || g.sends(c, t, i, peers[to.listed], to) {
				c.AddDependence(block, peers[to.listed], to.slot, to.mode)
			}
		}
		if t == col.last {
			c.Satisfy(g.ended, guid.Null)
			return guid.Null
		}
		c.AddDependence(block, following, slotOwn, datablock.RW)
		return guid.Null
	}
}

// exchange keeps the GUIDs that have arrived with inputs until an output goes to their EDTs, and lists the EDTs to
// which the output of step t goes. With one set of edges these are the same EDTs, in steps with all edges.
func (g *graph) exchange(words []uint64, peers []guid.GUID, in, out []edge, t int) {
	turn := g.turn(t)
	for k := range in {
		if in[k].has(t) {
			putGUID(words, in[k].peer+turn, peers[k])
		}
	}
	for k := range out {
		peers[out[k].listed] = getGUID(words, out[k].peer+turn)
	}
}

// sends reports whether a task of the next step takes the output of (t,i).
func (g *graph) sends(c *edt.Ctx, t, i int, to guid.GUID, out *edge) bool {
	return out.has(t) && (g.flaw == nil || !g.flaw.send(g, c, t, i, to, out))
}

// check checks a task's number of slots, its inputs from number k on (the task that each is from, and every pair), and
// its scratch memory. If one is wrong it ends the run, and returns false.
func (g *graph) check(c *edt.Ctx, deps []datablock.Dep, words []uint64, peers []guid.GUID, t, i, k int) bool {
	col := &g.columns[i]
	set := &col.sets[g.setOf(t)]
	if len(deps) != set.slots {
		return g.fail(c, wrong(g.number, t, i, "slots", len(deps), set.slots))
	}
	for in := set.in; k < len(in); k++ {
		id, wrong := g.look(&in[k], deps, words, t, i)
		if wrong != nil {
			return g.fail(c, wrong)
		}
		peers[k] = id
	}
	wrong := g.checkScratch(words[col.scratch:col.end], t, i)
	return wrong == nil || !g.verify || g.fail(c, wrong)
}

// take checks inputs of one pair each, until one is missing or wrong, and returns their number. It lists the EDTs whose
// GUIDs arrive with them. It calls nothing, so all its values stay in registers.
func take(in []edge, deps []datablock.Dep, words []uint64, peers []guid.GUID, before, t int) int {
	const bufferWords = guidWords + pairBytes/wordBytes
	peers = peers[:len(in)]
	for k := range in {
		e := &in[k]
		if e.slot >= len(deps) || deps[e.slot].IsNull() {
			return k
		}
		dep, from := &deps[e.slot], words
		if e.mode == datablock.RO {
			from = datablock.Slice[uint64](dep)
		}
		at := e.at + before
		input := from[at : at+bufferWords : at+bufferWords]
		if input[guidWords] != uint64(t-1) || input[guidWords+1] != e.source {
			return k
		}
		peers[k] = getGUID(input, 0)
	}
	return len(in)
}

// look checks one input of any kind. It returns the GUID that arrives with it, and the error if it is wrong.
func (g *graph) look(e *edge, deps []datablock.Dep, words []uint64, t, i int) (guid.GUID, *trial.VerifyError) {
	dep, from := &deps[e.slot], words
	there, none := e.has(t), dep.IsNull()
	if !there && (none || e.slot == slotOwn) {
		return guid.Null, nil
	}
	if there == none {
		number := map[bool]string{true: "one", false: "none"}
		return guid.Null, wrong(g.number, t, i, fmt.Sprintf("output of (%d,%d)", t-1, e.column), number[!none], number[there])
	}
	if e.mode == datablock.RO {
		from = datablock.Slice[uint64](dep)
	}
	at := e.at + g.buffer(t-1)
	output := from[at+guidWords:][:g.pairs]
	if pair := differs(output, t-1, e.source); g.verify && pair >= 0 {
		return guid.Null, wrongPair(g.number, t, i, e.column, output, pair)
	}
	return getGUID(from, at), nil
}

// fail ends the run with the first error.
func (g *graph) fail(c *edt.Ctx, wrong *trial.VerifyError) bool {
	if g.app == nil {
		g.ranks.report(c, wrong)
		return false
	}
	g.app.failure.CompareAndSwap(nil, wrong)
	c.Shutdown()
	return false
}

// A flaw is a fault that tests put into a task.
type flaw interface {
	// create creates a faulty EDT of (t,i); a null GUID means that it has created none.
	create(g *graph, c *edt.Ctx, t, i int) guid.GUID
	// send sends something wrong to a task that takes an output, and reports whether it has.
	send(g *graph, c *edt.Ctx, t, i int, to guid.GUID, out *edge) bool
	// write writes a wrong output, and reports whether it has.
	write(g *graph, words, output []uint64, t, i int) bool
}

// putGUID and getGUID keep a GUID in a block.
func putGUID(words []uint64, at int, g guid.GUID) {
	w := words[at : at+guidWords : at+guidWords]
	w[0], w[1] = g.Words()
}

func getGUID(words []uint64, at int) guid.GUID {
	w := words[at : at+guidWords : at+guidWords]
	return guid.FromWords(w[0], w[1])
}
