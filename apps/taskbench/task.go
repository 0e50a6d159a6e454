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

// bufferWords are the GUID and the first pair of an output, with which a buffer begins.
const bufferWords = guidWords + pairBytes/wordBytes

// spoil is a fault that a test sets: each task of graphs that are made from then on calls it first.
var spoil func(*graph, edt.Args)

// body returns the body of the tasks.
func (g *graph) body() edt.Func {
	task := g.task()
	if spoil := spoil; spoil != nil {
		return func(c *edt.Ctx, in edt.Args) guid.GUID {
			spoil(g, in)
			return task(c, in)
		}
	}
	return task
}

// task returns the body without a test's fault. The usual task, of which no input is missing, goes through few calls:
// with the empty kernel it takes less than a hundred nanoseconds.
//
//go:noinline
func (g *graph) task() edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		col, t, own := g.columns[in.Param(paramColumn)], int(in.Param(paramStep)), in.Dep(slotOwn)
		if g.recorded {
			t = int(datablock.Slice[uint64](own)[col.stepAt])
		}
		links := g.links(col, t)
		if !g.take(c, in, own, links, t) && !g.check(c, in.Deps(), col, t) {
			return guid.Null
		}
		words := datablock.Slice[uint64](own)
		var scratch []byte
		if g.Scratch > 0 {
			scratch = bytesOf(col.scratchIn(words))
		}
		g.Kernel.Run(int64(g.number), int64(t), int64(col.number), scratch)
		at := col.outputAt + g.buffer(t)
		output := words[at : at+bufferWords : at+bufferWords]
		output[guidWords], output[guidWords+1] = uint64(t), col.source
		if !g.plain {
			fill(g.output(words, col.outputAt, t), t, col.source)
		}
		if !g.passes {
			g.goOn(c, in, words, col, t)
			return guid.Null
		}

		if g.period > 1 || !col.whole.has(t) {
			links = g.exchange(c, words, col, t)
		}
		if t+g.ahead <= col.last {
			output[0], output[1] = g.create(c, col, t+g.ahead, len(links)).Words()
		}
		block := own.GUID()
		c.Release(block)
		peers := g.peers[c.Worker()][:len(links)]
		for k := len(links) - 1; k >= 0; k-- { // the own EDT last: it is the column's next task
			if taker := peers[k]; !taker.IsNull() {
				c.AddDependence(block, taker, links[k].to, links[k].mode)
			}
		}
		if t == col.last {
			c.Satisfy(g.ended, guid.Null)
		}
		return guid.Null
	}
}

// take checks the inputs of a task, each of one pair, and lists the EDTs whose GUIDs arrive with them. It returns false
// if an input is missing or wrong, or the task has more to check. It calls nothing, so its values stay in registers.
func (g *graph) take(c *edt.Ctx, in edt.Args, dep *datablock.Dep, links []link, t int) bool {
	deps, peers, before := in.Deps(), g.peers[c.Worker()], g.buffer(t-1)
	if len(deps) != len(links) || len(peers) < len(links) || !g.plain {
		return false
	}
	own := datablock.Slice[uint64](dep)
	for k := range links {
		if deps[k].IsNull() {
			return false
		}
		from, words := &links[k], own
		if from.mode == datablock.RO {
			words = datablock.Slice[uint64](&deps[k])
		}
		at := from.at + before
		input := words[at : at+bufferWords : at+bufferWords]
		if input[guidWords] != uint64(t-1) || input[guidWords+1] != from.source {
			return false
		}
		peers[k] = getGUID(input, 0)
	}
	return true
}

// check checks a task's number of slots, its inputs (the task that each is from, and every pair), and its scratch
// memory, and lists EDTs as take does. If any of these is wrong, it fails and returns false.
func (g *graph) check(c *edt.Ctx, deps []datablock.Dep, col *column, t int) bool {
	links, peers := g.links(col, t), g.peers[c.Worker()]
	if len(deps) != len(links) {
		return fail(c, wrong(g.number, t, col.number, "slots", len(deps), len(links)))
	}
	for k := range links {
		id, wrong := g.look(col, links, deps, k, t)
		if wrong != nil {
			return fail(c, wrong)
		}
		peers[k] = id
	}
	wrong := g.checkScratch(col.scratchIn(datablock.Slice[uint64](&deps[slotOwn])), t, col.number)
	return wrong == nil || !g.verify || fail(c, wrong)
}

func fail(c *edt.Ctx, wrong *trial.VerifyError) bool {
	c.Fail(wrong)
	return false
}

// look checks input k, of any kind. It returns the GUID that arrives with the input, and the error if it is wrong.
func (g *graph) look(col *column, links []link, deps []datablock.Dep, k, t int) (guid.GUID, *trial.VerifyError) {
	from, dep := &links[k], &deps[k]
	there, none := from.has(t-1), dep.IsNull()
	if !there && (none || k == slotOwn) {
		return guid.Null, nil
	}
	if there == none {
		number := map[bool]string{true: "one", false: "none"}
		return guid.Null, wrong(g.number, t, col.number, fmt.Sprintf("output of (%d,%d)", t-1, from.column),
			number[!none], number[there])
	}
	if from.mode != datablock.RO {
		dep = &deps[slotOwn]
	}
	words := datablock.Slice[uint64](dep)
	output := g.output(words, from.at, t-1)
	if pair := differs(output, t-1, from.source); g.verify && pair >= 0 {
		return guid.Null, wrongPair(g.number, t, col.number, from.column, output, pair)
	}
	return getGUID(words, from.at+g.buffer(t-1)), nil
}

// goOn is the end of a task that passes nothing on: its column goes on with the next step, or has ended.
func (g *graph) goOn(c *edt.Ctx, in edt.Args, words []uint64, col *column, t int) {
	switch {
	case g.recorded:
		words[col.stepAt] = uint64(t + 1)
	case t < col.last:
		in.Params()[paramStep]++
		c.Again()
	default:
		c.Release(in.Dep(slotOwn).GUID())
		c.Satisfy(g.ended, guid.Null)
	}
}

// exchange stores the GUIDs that have arrived with inputs: they stay until an output goes to their EDTs. It returns the
// links of the output of step t, and lists the EDT at the other end of each, null for none. With one set of links, in
// steps with all links, these are the EDTs whose GUIDs have just arrived.
func (g *graph) exchange(c *edt.Ctx, words []uint64, col *column, t int) []link {
	peers, turn := g.peers[c.Worker()], g.turn(t)
	for k, from := range g.links(col, t) {
		if from.has(t - 1) {
			putGUID(words, from.peer+turn, peers[k])
		}
	}
	links := g.links(col, t+1)
	for k, to := range links {
		if peers[k] = guid.Null; to.has(t + 1) {
			peers[k] = getGUID(words, to.peer+turn)
		}
	}
	return links
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
