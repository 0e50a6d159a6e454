package edt

import (
	"bytes"
	"context"
	"encoding/binary"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
	"ocr/internal/graph/record"
)

// A Func is the body of an EDT. It must not block. It returns a data block or [guid.Null], with which the EDT's output
// event is satisfied, or an event: then the output event is satisfied when that event triggers. What a finish EDT
// returns is ignored.
type Func func(c *Ctx, in Args) guid.GUID

// Args are an EDT's parameters and dependences, one for each slot. They are valid inside the EDT only.
//
// Args is one word, so it stays in a register: a struct of more than four words would
// be copied through memory at every use.
type Args struct{ c *Ctx }

// Param returns parameter i.
func (a Args) Param(i int) uint64 { return a.c.params[i] }

// Params returns all parameters. The slice is the EDT's own.
func (a Args) Params() []uint64 { return a.c.params }

// Dep returns what came on slot i.
func (a Args) Dep(i int) *datablock.Dep { return block.Show(&a.c.deps[i]) }

// Deps returns what came on all slots. The slice is the EDT's own.
func (a Args) Deps() []datablock.Dep { return block.ShowAll(&a.c.deps) }

// Argv returns the arguments in the block that the main EDT was started with. It
// returns nil if the dependence holds no argument block.
func Argv(d *datablock.Dep) []string {
	b := d.Bytes()
	if len(b) < 8 {
		return nil
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)/8-1) {
		return nil
	}
	argv := make([]string, n)
	for k := range argv {
		at := binary.LittleEndian.Uint64(b[8*(1+k):])
		if at > uint64(len(b)) {
			return nil
		}
		s, _, _ := bytes.Cut(b[at:], []byte{0})
		argv[k] = string(s)
	}
	return argv
}

// encodeArgv lays arguments out as OCR's argument block: argc, argc offsets from the start of the block, then the
// strings, each ended by a zero byte; numbers are 64-bit, little-endian.
func encodeArgv(argv []string) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(argv)))
	at := 8 * (1 + len(argv))
	for _, a := range argv {
		b = binary.LittleEndian.AppendUint64(b, uint64(at))
		at += len(a) + 1
	}
	for _, a := range argv {
		b = append(append(b, a...), 0)
	}
	return b
}

// A Ctx has the calls of an EDT to the runtime. A body's Ctx is valid until the body returns, and on its goroutine
// only. A call on it from another goroutine, by another EDT or after the run is a misuse ([ErrCtx]). The misuse is
// found if the call needs a new record or finds no object.
//
// Calls take effect before they return, in program order. They return values, not errors: a misuse ends the run, and
// the run returns the misuse as an [*Error].
type Ctx struct {
	ctxState

	views    views
	noBlocks [inlineSlots]dep.State // dependences of EDTs to which no block came

	edts   ids.Cache[edtRecord]
	events ids.Cache[event]
	nodes  ids.Cache[node]
	places ids.Cache[spillPlace]
	blocks block.Local

	blamed  uintptr // see [Ctx.Blame]
	outside *origin // caller of the [Blocking.Call] whose function runs as an EDT, nil for none

	againDeps []Source // memory for the sources of the new EDT

	_ [64]byte // the counters of two workers are never in one cache line
}

// A ctxState has the fields of a [Ctx] other than the large ones.
type ctxState struct {
	g        *Graph
	local    *localTemplates // of g
	host     Host
	worker   int      // the worker's number over all ranks
	nearby   int      // EDTs with a higher place may be created on another rank
	spread   Affinity // for tests: if not 0, also EDTs without a place may be created on another rank
	self     Affinity // BindTo of the worker's number on its rank
	nullLink uint64   // filledNull; over ranks a value that no link has, as the block may be a proxy

	current uint32 // index of the EDT that runs, 0 for none: an integer, so that storing it needs no write barrier
	// If atReady has readyPicks, the worker keeps an EDT in field next, to run it after the present one; see ready.
	atReady atReady
	next    Ready

	highEDT, highEvent, highBlock uint64 // high GUID words of the graph's objects

	obs    Observer // nil for none; a run that records sites has one, too
	source uint64   // for obs: low GUID word of the event that is being delivered, 0 for none

	scope  uint32 // the finish scope of the EDT that runs, or ran last
	tokens int64  // the worker's stock of that scope's tokens

	params       []uint64     // parameters of the EDT
	deps         []dep.State  // its dependences: in views, many or noBlocks, or those of a node
	altered      []alteredDep // slots of the running node whose block its body has given up
	created      []dep.State  // blocks it created and still holds
	nextDep      int          // where in deps the next release is likely
	nextCreated  int          // the same in created
	releasedUpTo int          // deps before this index were released by Release in one try each; noOrder if a block
	// came on several slots, the run has observers, or deps have no block
	held int // how many of deps held a block when the body began, less those that one try released; not for nodes

	inUse uint32      // index in views that the running EDT uses; viewCount for none
	many  []dep.State // memory for deps of EDTs with more slots than a view has

	registry []*Template // a copy of the list of registered templates, renewed when it is too short
	made     []uint64    // by number of a template of the run: the worker's count of the template's EDTs
	known    record.KnownChannels

	passing []pass
	granted []block.Waiter
	order   []uint32

	remoteState

	behalf  *origin   // origin of the deferred call that is carried out, nil for the EDT's own calls
	closing finishEDT // the EDT whose scope closes, while its output event is satisfied

	n        Counters
	again    again
	nextSlot NextSlot
	owner    ids.Owner // the worker's goroutine, if the host has called [Worker.Own]
}

// atReady says what else the worker does when an EDT becomes ready.
type atReady uint16

const (
	readyPicks   atReady = 1 << iota // may keep the EDT in field next: see pick
	readyReports                     // reports the EDT to the observer
)

func (c *Ctx) running() *edtRecord { return c.edts.At(c.current) }

// Self returns the GUID of the EDT that runs, [guid.Null] if none does.
func (c *Ctx) Self() guid.GUID {
	if c.current == 0 {
		return guid.Null
	}
	return c.g.edtGUID(c.current, c.running())
}

// Output returns the output event of the EDT that runs, [guid.Null] if it has none.
func (c *Ctx) Output() guid.GUID {
	if c.current == 0 {
		c.misuse("output", ErrNoEDT, guid.Null, "")
	}
	t := c.running()
	out := t.out
	if t.code&flagFinish != 0 {
		out = c.events.At(t.scope).out
	}
	if out == 0 || c.running().code&flagNode != 0 || c.again.stage == againInGraph { // a node has none
		return guid.Null
	}
	return c.forwarded(guid.FromWords(c.highEvent, out))
}

// Worker returns the number of the worker that runs this EDT.
func (c *Ctx) Worker() int { return c.worker }

// Workers returns the number of workers of the run.
func (c *Ctx) Workers() int { return c.g.workersInAll }

// Ranks returns the number of ranks of the run, 1 if it is in one process. All ranks have the same number of workers.
// The workers of rank 0 have the lowest numbers.
func (c *Ctx) Ranks() int { return c.g.workersInAll / c.g.config.Workers }

// Exists reports whether g names an object of this run that is alive.
func (c *Ctx) Exists(g guid.GUID) bool {
	hi, lo := g.Words()
	switch hi {
	case c.highEDT:
		return c.g.edts.Lookup(lo) != nil || c.awaitCreation(g) != nil
	case c.highEvent:
		return c.g.events.Lookup(lo) != nil
	case c.highBlock:
		return c.g.blocks.Lookup(lo) != nil && !c.g.destroyedOverRanks(lo)
	case c.g.high(guid.KindTemplate):
		return c.g.findTemplate(lo) != nil
	}
	return c.g.ranks != nil && c.existsRemote(g)
}

// isRemote reports whether g names an object of this run and kind on another rank.
func (c *Ctx) isRemote(g guid.GUID, kind guid.Kind) bool {
	hi, _ := g.Words()
	r := c.g.ranks
	home := ids.Home(hi)
	return r != nil && hi == c.g.space.Of(home).High(uint8(kind)) && home != r.Rank && home < r.Size
}

// retire makes c the Ctx of a run that has ended, and whose graph is closed: calls find no object.
func (c *Ctx) retire() { c.ctxState = ctxState{g: c.g, local: c.local, worker: c.worker} }

// Context returns the context of the run, a child of the one that the host was given. It is done as soon as the run
// ends: by itself, or early, by a cancellation, a failure, a misuse, a shutdown or an abort. A body that runs for long
// checks the context's Err, and passes the context to functions that take one. Any goroutine may use the context.
func (c *Ctx) Context() context.Context {
	c.needRun("context")
	return c.g.mail.done()
}
