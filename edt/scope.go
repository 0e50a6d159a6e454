package edt

import (
	"sync"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

// A finish scope counts the EDTs in it that have not ended. One shared counter would be the hottest cache line of the
// program, so the scope hands out tokens. Every EDT in the scope has one token, and a worker that runs EDTs of the
// scope keeps a stock of tokens. A new EDT takes its token from the stock, an EDT that ends puts it back: neither
// touches the shared count, unless the stock is empty. The worker returns its stock when it runs an EDT of another
// scope and when it has nothing to run, so a worker that does not run EDTs of a scope does not keep the scope open.
//
// The shared count is the number of tokens that EDTs and stocks have. It reaches zero only after every EDT of the scope
// has ended, and then no EDT is left that could take another token.

// A finishEDT identifies the EDT of a scope, for errors: the EDT itself has ended when the scope closes.
type finishEDT struct {
	low  uint64 // low GUID word, 0 for none
	code uint32 // its template's index
}

// newScope makes the record of a scope inside parent, with one token handed out, and with the memory that was made for
// it. out is the low GUID word of the output event, or of the scope for which a proxy stands.
func (c *Ctx) newScope(typ EventType, parent uint32, out uint64) (uint32, *event) {
	i := c.events.Get()
	if i == 0 {
		c.misuse("create finish scope", ErrMemory, guid.Null, "too many events alive")
	}
	e := c.events.At(i)
	e.typ, e.flags, e.parent, e.out, e.owner = typ, 0, parent, out, finishEDT{}
	e.count.Begin(1)
	e.index.Begin(0)
	if typ == scopeEvent {
		if o := c.g.events.Lookup(out); o != nil && o.flags&eventMemory != 0 {
			e.flags, e.memory = eventMemory, o.memory
		}
	}
	return i, e
}

func (c *Ctx) freeScope(i uint32, e *event) {
	e.typ = 0
	if e.Expire() {
		c.events.Put(i)
	}
}

// takeToken takes the token of a new EDT in the scope c.scope.
func (c *Ctx) takeToken() {
	if c.tokens == 0 {
		c.events.At(c.scope).count.Take(record.TokenBatch)
		c.tokens = record.TokenBatch
	}
	c.tokens--
}

// leaveScope gives back the token of an EDT that has ended or was destroyed.
func (c *Ctx) leaveScope(scope uint32) {
	switch scope {
	case 0:
	case c.scope:
		c.tokens++
	default:
		c.giveTokens(scope, 1)
	}
}

// enterScope gives the worker's stock back to its scope, and makes scope the worker's scope.
func (c *Ctx) enterScope(scope uint32) {
	c.dropTokens()
	c.scope = scope
}

// dropTokens gives the worker's stock back to its scope.
func (c *Ctx) dropTokens() {
	if n := c.tokens; n > 0 {
		c.tokens = 0
		c.giveTokens(c.scope, n)
	}
}

// giveTokens returns n tokens to a scope. If these were the last, it closes the scope and returns the scope's own token
// to the scope around it, and so on.
func (c *Ctx) giveTokens(scope uint32, n int64) {
	for scope != 0 {
		e := c.events.At(scope)
		if !e.count.Give(n) {
			return
		}
		if e.typ == scopeProxy {
			c.closeProxy(scope, e)
			if c.scope == scope {
				c.scope = 0
			}
			return
		}
		parent, out, owner := e.parent, e.out, e.owner
		if c.obs != nil {
			c.obs.ScopeClosed(c.g.eventGUID(e.Low(scope)), c.g.eventGUID(out))
		}
		c.freeScope(scope, e)
		if c.scope == scope {
			c.scope = 0
		}
		if out != 0 {
			c.closing = owner
			c.fireOutput(opFinish, out, 0)
			c.closing = finishEDT{}
		}
		if owner.code&runTemplate != 0 {
			c.countMade(owner.code, -1)
		}
		scope, n = parent, 1
	}
}

// Scope memory is for packages with a layer on this one, such as ocr/task/par: EDTs of a finish scope use it without
// acquiring it, each worker its own part, a lane. The memory is a block that no EDT acquires while the scope is open;
// the EDT that waits for the scope's output event acquires it.
//
// The records of the scope and of its output event, a once event, both note the block: the event lives as long as the
// scope. A proxy of the scope on another rank has memory of its own, which is merged into the scope's when the proxy
// closes; see remote_scope.go.

// The lanes of a block of scope memory, behind its head: first a lane that keeps the initial value, then a lane for
// values from other ranks, one for the parts (see [Ctx.OrderScopeMemory]), and one for each worker of this rank.
const (
	laneZero = iota
	laneRanks
	laneParts
	lanesAhead
)

// The head of scope memory has the owner, and the name of the block of parts, Null for none.
const (
	headBytes    = 3 * 8
	headPartsLow = 2 // index of the head's word with the low word of the name
)

// scopeOwners has what the owners of scope memory have defined.
var scopeOwners sync.Map // of uint64 -> scopeOwner

type scopeOwner struct {
	merge func(into, from []byte)
	part  int
}

// DefineScopeMemory sets the function by which an owner of scope memory merges a second lane into a first one. A lane
// begins with a value that is merged in the order of the parts. Argument part is the size of the value in bytes, 0 if
// no order matters. Each process must call DefineScopeMemory before the owner's first NewScopeMemory.
func DefineScopeMemory(owner uint64, part int, merge func(into, from []byte)) {
	scopeOwners.Store(owner, scopeOwner{merge, part})
}

// mergeLanes merges the second lane into the first one, by the owner's function.
func mergeLanes(owner uint64, into, from []byte) { ownerOf(owner).merge(into, from) }

func ownerOf(owner uint64) scopeOwner {
	o, _ := scopeOwners.Load(owner)
	return o.(scopeOwner)
}

// NewScopeMemory makes memory for the finish scope that the running EDT is about to make with this output event, a once
// event ([ErrKind]) that nothing else satisfies. lane is the size of a lane in bytes; function zero initialises a lane.
// The returned block begins with the owner and the name of the block of parts, Null for none; all lanes follow. The
// program destroys both blocks, but only after the event has triggered: then the lanes have all that was added.
func (c *Ctx) NewScopeMemory(output guid.GUID, owner uint64, lane int, zero func(lane []byte)) guid.GUID {
	hi, lo := output.Words()
	e := c.g.events.Lookup(lo)
	if hi != c.highEvent || e == nil || e.typ != Once {
		c.misuse("set scope memory", ErrKind, output, "need a once event")
	}
	memory := c.NewBlockNoAcquire(c.lanesSize(lane))
	_, e.memory = memory.Words()
	e.flags |= eventMemory
	c.blocks.At(uint32(e.memory)).SetFirstWord(owner)
	for w := range lanesAhead + c.g.config.Workers {
		zero(c.laneOf(c.blocks.At(uint32(e.memory)), w))
	}
	c.Synchronised(memory)
	return memory
}

// lanesSize returns the size of a block of scope memory with lanes of this size, in bytes.
func (c *Ctx) lanesSize(lane int) int { return headBytes + (lanesAhead+c.g.config.Workers)*lane }

func (c *Ctx) laneOf(r *block.Record, lane int) []byte {
	lanes := r.Bytes()[headBytes:]
	size := len(lanes) / (lanesAhead + c.g.config.Workers)
	return lanes[lane*size:][:size]
}

// ScopeMemory returns the worker's lane in the innermost finish scope around the running EDT that has memory of this
// owner, nil if there is none. lane is the size of a lane in bytes. The lane is valid until the EDT ends.
func (c *Ctx) ScopeMemory(owner uint64, lane int) []byte {
	r := c.scopeMemory(c.scope, owner)
	if r == nil {
		return nil
	}
	at := headBytes + (int(c.self&^strictBit)-1+lanesAhead)*lane
	return r.Bytes()[at : at+lane]
}

// scopeMemory finds the memory of an owner in a scope, or in those around it.
func (c *Ctx) scopeMemory(scope uint32, owner uint64) *block.Record {
	for scope != 0 {
		e := c.events.At(scope)
		if e.flags&eventMemory != 0 {
			if r := c.blocks.At(uint32(e.memory)); r.FirstWord() == owner {
				return r
			}
		}
		scope = e.parent
	}
	return nil
}

// Values of parts are merged along a binary tree over the parts, so the order does not depend on which worker runs
// which EDT. An EDT that has added to its worker's lane stores the lane's value as the value of its part, and climbs
// the tree. At each node, the first EDT that arrives leaves; the second one merges the value of the right half into
// that of the left half, and climbs on. The EDT that comes to the root merges the result into laneParts.
//
// Concurrency: the EDT that climbs owns the value of its part, and at a node the second EDT that arrives owns both
// values. The arrivals at a node are counted by atomic additions, which order the two EDTs.

// partsHead is the number of words before the counts in a block of parts: the first index, the number of indexes of a
// part, the number of parts.
const partsHead = 3

// OrderScopeMemory makes a finish scope merge the values of a loop's n parts in order. Part k has the indexes from
// first + k*each to first + (k+1)*each - 1. The running EDT is about to make the scope with this output event. An EDT
// in the scope, and in no scope inside it, stores the value of each part once by [Ctx.PutPart]. The call does nothing
// if the scope will have no memory on this rank, or if the owner of the memory needs no order.
func (c *Ctx) OrderScopeMemory(output guid.GUID, first, each, n int) {
	hi, lo := output.Words()
	if hi != c.highEvent || n == 0 || c.spread != 0 { // with spread, tests run the EDTs on all ranks
		return
	}
	e := c.g.events.Lookup(lo)
	if e == nil || e.flags&eventMemory == 0 {
		return
	}
	lanes := c.blocks.At(uint32(e.memory))
	part := ownerOf(lanes.FirstWord()).part
	if part == 0 {
		return
	}
	g := c.NewBlockNoAcquire(8*partsHead + (4*n+7)/8*8 + n*part)
	c.Synchronised(g)
	high, low := g.Words()
	copy(datablock.SliceOf[uint64](c.blocks.At(uint32(low)).Bytes()), []uint64{uint64(first), uint64(each), uint64(n)})
	copy(datablock.SliceOf[uint64](lanes.Bytes())[1:], []uint64{high, low})
}

// OrderedScope reports whether the innermost finish scope of the running EDT merges values in order.
func (c *Ctx) OrderedScope() bool {
	lanes := c.ownMemory()
	return lanes != nil && datablock.SliceOf[uint64](lanes.Bytes())[headPartsLow] != 0
}

// ownMemory returns the memory of the innermost finish scope, nil for none.
func (c *Ctx) ownMemory() *block.Record {
	if c.scope == 0 || c.events.At(c.scope).flags&eventMemory == 0 {
		return nil
	}
	return c.blocks.At(uint32(c.events.At(c.scope).memory))
}

// PutPart stores the value that the running EDT has added to its worker's lane, as the value of the part that begins
// with an index, and resets the lane. Parts are merged in a tree: the second EDT that arrives at a node merges the
// halves. The innermost finish scope must be ordered (see [Ctx.OrderedScope]).
func (c *Ctx) PutPart(index int) {
	lanes := c.ownMemory()
	owner := lanes.FirstWord()
	p := partsIn(c.blocks.At(uint32(datablock.SliceOf[uint64](lanes.Bytes())[headPartsLow])), ownerOf(owner).part)
	own, k := c.laneOf(lanes, int(c.self&^strictBit)-1+lanesAhead), (index-p.first)/p.each
	copy(p.value(k), own)
	copy(own[:p.part], c.laneOf(lanes, laneZero))
	for step := 1; step < p.n; step *= 2 {
		left := k &^ (2*step - 1)
		if right := left + step; right < p.n {
			if p.came[right].Add(1) == 1 {
				return
			}
			mergeLanes(owner, p.value(left), p.value(right))
		}
		k = left
	}
	mergeLanes(owner, c.laneOf(lanes, laneParts), p.value(0))
}

// parts is a block of parts. came[k] counts the arrivals at the node of the tree whose right half begins with part k.
type parts struct {
	first, each, n, part int
	came                 []word.Uint32
	values               []byte
}

func partsIn(r *block.Record, part int) parts {
	bytes := r.Bytes()
	head := datablock.SliceOf[uint64](bytes)
	n := int(head[2])
	counts := bytes[8*partsHead:]
	return parts{
		int(head[0]), int(head[1]), n, part, datablock.ElementsOf[word.Uint32](counts[:4*n]), counts[(4*n+7)/8*8:],
	}
}

func (p *parts) value(k int) []byte { return p.values[k*p.part:][:p.part] }
