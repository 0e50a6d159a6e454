package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/core/ids"
)

// A Func is the body of an EDT. It must not block. What it returns is passed on by
// the EDT's output event: a data block, [guid.Null], or an event, to whose
// trigger the output event is then chained.
type Func func(c *Ctx, in Args) guid.GUID

// Args are what an EDT was given: parameters, and one dependence a slot. They are
// valid inside the EDT only.
//
// They are one word, kept in a register: a struct of more than four words would be
// copied through memory at every use.
type Args struct{ c *Ctx }

// Param returns parameter i.
func (a Args) Param(i int) uint64 { return a.c.params[i] }

// Params returns all parameters. The slice is the EDT's own.
func (a Args) Params() []uint64 { return a.c.params }

// Dep returns what came on slot i.
func (a Args) Dep(i int) *datablock.Dep { return block.Show(&a.c.deps[i]) }

// Deps returns what came on all slots. The slice is the EDT's own.
func (a Args) Deps() []datablock.Dep { return block.ShowAll(&a.c.deps) }

// A Ctx is how an EDT talks to the runtime. The one that a body is given is valid
// until the body returns, and on its goroutine only. A call through it on another goroutine, by another EDT or
// after the run is a misuse ([ErrCtx]), which is found where the call needs a new record or finds no object.
//
// Calls take effect before they return, in program order. They return values, not
// errors: a misuse ends the run, and comes back from it as an [*Error].
type Ctx struct {
	ctxState

	aheads   aheads
	noBlocks [inlineSlots]dep.State // of EDTs to which no block came

	edts   ids.Cache[edtRecord]
	events ids.Cache[event]
	nodes  ids.Cache[node]
	places ids.Cache[spillPlace]
	blocks block.Local

	blamed  uintptr // see [Ctx.Blame]
	outside *origin // whose function for Blocking runs in an EDT, nil for none
	againBy origin  // the EDT that has called Again, while the new one is created

	_ [64]byte // the counters of two workers are never in one line
}

// A ctxState is what a [Ctx] has beside what is large.
type ctxState struct {
	g        *Graph
	local    *localTemplates // of g
	host     Host
	worker   int      // its number, on all ranks
	nearby   int      // an EDT whose place has a higher number is perhaps made on another rank
	spread   Affinity // not 0: so is one that is placed nowhere, for tests
	self     Affinity // BindTo(worker)
	nullLink uint64   // filledNull; over ranks what no link is, as the block may be a proxy

	current      *edtRecord
	currentIndex uint32
	// the first EDT that becomes ready with nextPlace runs next: at the end of a body, and after Again
	picks     bool
	nextPlace Affinity // and priority 0
	next      Ready

	highEDT, highEvent, highBlock uint64 // of the graph

	obs     Observer // nil for none
	source  uint64   // for obs: low GUID word of the event that is being delivered, 0 for none
	watched bool     // there is an observer, or the run records where objects are created

	scope  uint32 // the finish scope of the EDT that runs, or ran last
	tokens int64  // the stock of that scope's tokens

	params      []uint64    // what the EDT was started with
	deps        []dep.State // in aheads or many
	created     []dep.State // blocks it created and still holds
	nextDep     int         // where in deps the next release is likely
	nextCreated int
	inOrder     int  // deps before it were released by Release in one try each; or notInOrder
	held        int  // deps that were held at first, less those
	shared      bool // a block of deps came on several slots, or the run has observers
	bare        bool // every slot came with a block in mode RW, and its link says no more than that

	inUse uint32      // of aheads, by the EDT that runs; aheadLen for none
	many  []dep.State // for EDTs with more slots

	registry []*Template // a copy of the list, renewed when it turns out too short
	made     []uint64    // EDTs of each of the run's templates, see localTemplates
	chans    []*channel

	passing []pass
	granted []block.Waiter
	order   []uint32

	awayState

	behalf  *origin   // whose kept call is carried out, nil for the EDT's own calls
	closing finishEDT // whose scope's output event is being satisfied

	els     [elsWords]uint64
	elsUsed uint64 // not 0: els was written

	n        Counters
	again    again
	nextSlot NextSlot
	owner    ids.Owner // the worker's goroutine, if the host has said so: see [Worker.Own]
}

// retire makes c the Ctx of a run that has ended. The run's tables are closed.
func (c *Ctx) retire() {
	ended, worker := endedGraph().ctxs[0].Load(), c.worker
	c.ctxState = ended.ctxState // its host too: that of the run may have another one on
	c.worker = worker
	c.edts.Leave(&ended.g.edts)
	c.events.Leave(&ended.g.events)
	c.nodes.Leave(&ended.g.nodes)
	c.places.Leave(&ended.g.places)
	c.blocks.Leave(ended.g.blocks)
}

// Shutdown ends the run without an error. EDTs that are not ready never run; ready
// ones may or may not. The calling EDT goes on to its end.
//
// If an EDT that still runs then misuses the API or panics, the run ends with that
// error all the same.
func (c *Ctx) Shutdown() { c.endBy("shutdown", nil) }

// Abort ends the run with a code: [*AbortError], or no error if code is 0. The
// calling EDT goes on to its end. The first shutdown or abort counts. If an EDT
// misuses the API or panics as well, the run ends with an error that wraps both.
func (c *Ctx) Abort(code uint8) {
	if code == 0 {
		c.Shutdown()
		return
	}
	c.endBy("abort", &AbortError{
		Code: code, EDT: c.Self(), Template: c.templateName(), About: c.about(), On: c.g.rankText(c.Self()),
	})
}
