package edt

import (
	"ocr/datablock"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
)

const (
	inlineParams = 4
	inlineSlots  = 4
)

// An edtRecord is the record of one EDT: two cache lines, no pointers. Parameters and
// slots that do not fit inline are in a spill record.
//
// Concurrency: the creator writes everything before the EDT's GUID is known. Then the worker that connects a slot
// writes the slot, and later the worker that satisfies it. Each satisfier counts need down. The worker that
// counts last owns the record until it hands the EDT to the host; the count makes all slots visible to it.
type edtRecord struct {
	ids.Header
	edtHead
	out    uint64 // output event's low GUID word, 0 for none
	scope  uint32 // finish scope it counts in: an event record, 0 for none
	place  Affinity
	prio   int8
	phase  phase
	params [inlineParams]uint64 // params[0] is the spill index when the parameters spill
	slots  [inlineSlots]slot    // slots[0].word is the spill index when the slots spill
}

// An edtHead is the beginning of an EDT's record. A template has the initial head of its EDTs.
type edtHead struct {
	need record.Need // slots not satisfied
	code uint32      // template, inline parameter count, flags
	depc uint32      // slots
}

// A phase is the part of an EDT's life (OCR 1.2, §1.5) that the record is in.
type phase uint8

const (
	phaseFree     phase = iota
	phaseWaiting        // some slot is not satisfied
	phaseRunnable       // all slots are satisfied; the EDT acquires its blocks
	phaseReady          // handed to the host
	phaseRunning
	phaseRecorded // a node of a recorded graph that does not run
)

// alive reports whether there is an EDT that waits, is ready or runs.
func (p phase) alive() bool { return p != phaseFree && p < phaseRecorded }

// The code word of an EDT.
const (
	templateMask  = 1<<20 - 1
	paramShift    = 20
	paramMask     = 7
	paramsSpilled = 7
	flagFinish    = 1 << 24
	flagOwnOut    = 1 << 25 // the runtime made the output event
	flagSpill     = 1 << 27 // there is a spill record
	flagNode      = 1 << 29 // a node of a recorded graph: a nodePart is in place of the slots
)

// scopeOfGraph is in the scope word of a node of a recorded graph, beside the number of predecessors. No scope has this
// bit, so the comparison of scopes in Execute also finds nodes.
const scopeOfGraph = 1 << 31

// A slot is one pre-slot. word is the low GUID word of the source event while the slot waits, and of the block once the
// slot is satisfied (0 for none).
type slot struct {
	word uint64
	link uint64
}

// The link word of a slot: the next waiter of the same event, and the slot's own mode and state.
//
//	bits  0..54  next waiter, a [record.Ref]. Once the EDT has acquired the slot's
//	             block: the cache line at which its memory begins, 0 for not noted
//	bit  55      waits for an event of the rank in bits 0..15
//	bits 56..58  access mode
//	bit  59      shared: an earlier slot holds the same block
//	bits 60..61  state
//	bit  63      named: the running EDT has called Again with a change for this slot
const (
	linkRemote  = 1 << 55
	linkLine    = 1<<54 - 1
	linkModeAt  = 56
	linkMode    = 7 << linkModeAt
	linkShared  = 1 << 59
	linkState   = 3 << 60
	slotOpen    = 0 << 60
	slotWaiting = 1 << 60
	slotFilled  = 2 << 60
	slotLost    = 3 << 60 // for reports: its event, of another rank, was destroyed before it triggered
	linkNamed   = 1 << 63

	// The whole link word of a filled slot whose block is not acquired yet.
	filledRW   = slotFilled | uint64(datablock.RW)<<linkModeAt
	filledNull = slotFilled | uint64(datablock.Null)<<linkModeAt

	// MaxDeps is the largest number of dependence slots of an EDT.
	MaxDeps = record.MaxSlots
)

func (s *slot) mode() datablock.Mode { return datablock.Mode(s.link >> linkModeAt & 7) }
func (s *slot) state() uint64        { return s.link & linkState }

// fill writes what satisfies the slot. The caller then counts the EDT's need down, which lets other workers see the
// slot.
func (s *slot) fill(block, link uint64) {
	s.word = block
	word.Publish(&s.link, link|slotFilled)
}

// A spill holds the parameters and slots of an EDT that has more than fit inline. It is on the Go heap. The index of
// its spillPlace, a record without pointers, names it.
type spill struct {
	params []uint64
	slots  []slot
}

type spillPlace struct {
	ids.Header
	_ uint32
}

// spills finds each spill by the index of its spillPlace.
//
// Concurrency: the first worker that needs a chunk makes it, and it stays. The contents
// of a spill follow the rules of the EDT's record.
type spills [1 << 14]word.Pointer[[ids.ChunkLen]spill]

// at returns the spill of a place in use.
func (s *spills) at(i uint32) *spill { return &s[i/ids.ChunkLen%uint32(len(s))].Load()[i%ids.ChunkLen] }

// make returns the spill of a new place.
func (s *spills) make(i uint32) *spill {
	if chunk := &s[i/ids.ChunkLen]; chunk.Load() == nil {
		chunk.CompareAndSwap(nil, new([ids.ChunkLen]spill))
	}
	return s.at(i)
}

// close clears the spills. The first chunk stays, for the next run.
func (s *spills) close() {
	if first := s[0].Load(); first != nil {
		*first = [ids.ChunkLen]spill{}
	}
	for k := 1; k < len(s) && s[k].Load() != nil; k++ {
		s[k].Store(nil)
	}
}

// A node is a waiter that is not a slot: an event, or an object of another rank, that waits for an event.
type node struct {
	ids.Header
	slot uint32
	link record.Link
	dst  uint64 // low GUID word of the waiting object: an event, or an EDT of another rank
	high uint64 // its high GUID word if it is on another rank, else 0
}

var (
	edtStock   ids.Stock[edtRecord]
	eventStock ids.Stock[event]
	nodeStock  ids.Stock[node]
	spillStock ids.Stock[spillPlace]
)

func (g *Graph) slotsOf(t *edtRecord) []slot {
	if t.depc <= inlineSlots {
		return t.slots[:t.depc]
	}
	return g.spills.at(uint32(t.slots[0].word)).slots[:t.depc]
}

// slotAt returns slot n, which must be below depc.
func (g *Graph) slotAt(t *edtRecord, n uint32) *slot {
	if t.depc <= inlineSlots {
		return &t.slots[n&(inlineSlots-1)]
	}
	return &g.spills.at(uint32(t.slots[0].word)).slots[n]
}

func (g *Graph) paramsOf(t *edtRecord) []uint64 {
	n := t.code >> paramShift & paramMask
	if n <= inlineParams {
		return t.params[:n]
	}
	return g.spills.at(uint32(t.params[0])).params
}
