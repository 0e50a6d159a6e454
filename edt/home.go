package edt

import (
	"encoding/binary"
	"slices"
	"strings"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/word"
	"ocr/internal/graph/site"
)

// This file is for package internal/rank/remote: what other ranks ask of this one.

// A Home carries out what other ranks ask of objects of this one, and has what a [Remote] needs to know of a call. The
// courier's is a context with no EDT: messages are handled on it, by the holder of the courier lock. Calls of other
// ranks are calls of its Ctx, and the methods here.
type Home struct{ *Ctx }

// Number returns the worker's number on its rank, from 0; the courier's is the number of workers.
func (h Home) Number() int {
	if r := h.g.away; h.Ctx == r.courier {
		return h.g.config.Workers
	}
	return h.worker - h.g.firstWorker()
}

// Counters are those of the worker. A call is counted on the rank that makes it, so the courier does not count it.
func (h Home) Counters() *Counters { return &h.n }

// Handles reports whether a message of another rank is being handled, and of which rank.
func (h Home) Handles() (from int, yes bool) {
	if h.signed == nil {
		return 0, false
	}
	return h.signed.From, true
}

// RankCounters is the sum over the workers of this rank. None may be running.
func (h Home) RankCounters() Counters { return h.g.countersHere() }

// RankName names a rank as errors do.
func (h Home) RankName(rank int) string { return rankName(rank) }

// Watched reports whether there is an observer, or sites are recorded.
func (h Home) Watched() bool { return h.watched }

// Receive has the worker handle messages, at most n of them.
func (h Home) Receive(n int) { h.g.poll(h.host, n) }

// On whose behalf.

// A RemoteCaller is the EDT on whose behalf a message comes.
type RemoteCaller struct {
	From     int    // its rank, that of the sender
	EDT      uint64 // its low GUID word, 0 for none
	Template uint32 // the index of its template
	Origin   []byte // nil, or all that the sender knows of an EDT, which may be another rank's
}

// Handle says on whose behalf what follows is done, until Handle(nil).
func (h Home) Handle(by *RemoteCaller) {
	h.signed = by
	if by == nil {
		h.passing, h.source, h.closes = h.passing[:0], 0, false
	}
}

// Caller returns on whose behalf the call is made.
func (h Home) Caller() (by RemoteCaller) {
	c := h.Ctx
	switch {
	case c.signed != nil || c.behalf != nil || c.g.sites != nil || c.current == 0 && c.closing.low != 0:
		if o := c.origin(); !o.edt.IsNull() {
			by.Origin = appendOrigin(nil, o)
		}
	case c.current != 0:
		by.EDT, by.Template = low(c.Self()), c.runs().index
	}
	return by
}

// signer returns on whose behalf the message came that is being handled.
func (c *Ctx) signer() *origin {
	by := c.signed
	switch {
	case by.Origin != nil:
		return decodeOrigin(by.Origin)
	case by.EDT == 0:
		return new(origin)
	}
	o := &origin{edt: guid.FromWords(c.g.space.Of(by.From).High(uint8(guid.KindEDT)), by.EDT)}
	if t := c.g.templateAt(by.Template); t != nil {
		o.template = t.name
	}
	return o
}

// appendOrigin appends an EDT that makes a call, and the line of the call.
func appendOrigin(tail []byte, o *origin) []byte {
	hi, lo := o.edt.Words()
	file, line := o.at.Line()
	for _, w := range [...]uint64{hi, lo, uint64(line)} {
		tail = binary.LittleEndian.AppendUint64(tail, w)
	}
	return append(tail, o.template+"\x00"+o.about+"\x00"+file...)
}

// decodeOrigin is the inverse of appendOrigin.
func decodeOrigin(tail []byte) *origin {
	word := func(n int) uint64 { return binary.LittleEndian.Uint64(tail[8*n:]) }
	text := strings.SplitN(string(tail[3*8:]), "\x00", 3)
	at := site.OfLine(text[2], int(word(2)))
	return &origin{edt: guid.FromWords(word(0), word(1)), template: text[0], about: text[1], at: at}
}

// Misuse ends the run, as misuses of calls do.
func (h Home) Misuse(op string, cause *Condition, target guid.GUID, format string, args ...any) {
	h.misuse(op, cause, target, format, args...)
}

// NoMemory ends the run: there is no room for a block of this size.
func (h Home) NoMemory(op string, block guid.GUID, size int, err error) {
	h.noMemory(op, block, size, err)
}

// Try makes a call for another rank. If it is a misuse the run does not end here: Try returns what is wrong, and the
// rank that asks, which knows the line, reports it.
func (h Home) Try(call func()) (cause *Condition, detail string) {
	h.trying = true
	defer func() {
		h.trying = false
		if r := h.refused; r != nil {
			recover()
			h.refused, cause, detail = nil, r.cause, r.detail
		}
	}()
	call()
	return nil, ""
}

// A refusal is a misuse of a call that is tried.
type refusal struct {
	cause  *Condition
	detail string
}

// refuse leaves the call that is tried.
func (c *Ctx) refuse(cause *Condition, detail string) {
	if c.trying && c.behalf == nil {
		c.refused = &refusal{cause, detail}
		panic(c.refused)
	}
}

// EventType returns the type of an event of this rank.
func (h Home) EventType(op string, g guid.GUID) EventType {
	_, e := h.event(op, g, ErrStale)
	return e.typ
}

// NewEventOf creates an event of any type here, with its count.
func (h Home) NewEventOf(t EventType, count int64) guid.GUID { return h.newEventNear(t, count, 0) }

// EDTs that other ranks create.

// ReserveEDT reserves a record for an EDT that another rank will create, and returns the low word of its name. No call
// finds it before Create.
func (h Home) ReserveEDT() uint64 {
	i := h.edts.Get()
	if i == 0 {
		h.misuse("create EDT", ErrMemory, guid.Null, "too many EDTs alive")
	}
	k := h.edts.At(i)
	lo := k.Low(i)
	k.phase = phaseFree // it may be left from an earlier run
	k.Reserve()
	return lo
}

// Reserved reports whether g names an EDT that another rank creates here, and that has not come yet.
func (h Home) Reserved(g guid.GUID) bool {
	hi, lo := g.Words()
	return hi == h.highEDT && h.g.edts.Reserved(lo)
}

// Create creates an EDT in a record that was reserved, in a proxy of its scope or none. An EDT here that knows the name
// finds the record once it is confirmed, and may connect its slots then.
func (h Home) Create(name uint64, e *RemoteEDT, scope uint32) {
	c, i := h.Ctx, uint32(name)
	k, t := c.edts.At(i), c.g.templateAt(e.Template)
	edt := guid.FromWords(c.highEDT, 1<<63|k.Low(i))
	c.edts.Put(i) // where allocEDT gets it
	c.allocEDT(t, e.Params, e.Slots)
	c.n.EDTCreated--
	if c.obs != nil {
		c.obs.EDTCreated(edt, t, e.Slots)
	}
	k.need.SetLeft(k.need.Left() + 1) // until it is complete
	k.scope, k.place, k.prio = scope, e.Place, e.Priority
	out := low(e.Output)
	if hi, _ := e.Output.Words(); out != 0 && hi != c.highEvent {
		out = c.makeForward(e.Output, e.Own)
	}
	if e.Finish {
		c.openScope(edt, k, guid.FromWords(c.highEvent, out), false)
		if c.obs != nil {
			c.observeScope(edt, k)
		}
	} else {
		k.out = out
	}
	if e.Own {
		k.code |= flagOwnOut
	}
	if len(e.Sources) > 0 {
		c.start(i, k, edt, c.sourcesOf(e))
	}
	k.Confirm()
	if k.need.CountDown() {
		c.runnable(i, k)
	}
}

// sourcesOf returns a source for each slot: the listed ones, and open slots.
func (c *Ctx) sourcesOf(e *RemoteEDT) []Source {
	c.sources = slices.Grow(c.sources[:0], e.Slots)[:e.Slots]
	for n := range c.sources {
		c.sources[n] = Source{id: guid.Uninitialized, mode: datablock.RW}
	}
	for _, s := range e.Sources {
		c.sources[s.Slot] = Source{s.Block, s.Mode}
	}
	return c.sources
}

// Slots and events.

// Fill fills a slot of an EDT here: the event of another rank for which it waited has triggered, or has gone; then
// block names it.
func (h Home) Fill(edt, block guid.GUID, s RemoteSlot) {
	c, n := h.Ctx, uint32(s.Number())
	_, lo := edt.Words()
	t := c.g.edts.Lookup(lo)
	if t == nil {
		const why = "slot %d of it waited for an event of rank %d; an EDT without connected slots can be destroyed"
		c.misuse("satisfy", ErrStale, edt, why, n, c.signed.From)
	}
	if n >= t.depc {
		c.misuse("add dependence", ErrSlotRange, edt, "slot %d; template %s has %d", n, c.g.template(t).name, t.depc)
	}
	hi, low := block.Words()
	state, lost := uint64(slotFilled), s&slotIsLost != 0
	switch {
	case lost:
		state = slotLost | linkRemote | uint64(block.Home())
	case hi != c.highBlock: // else it may be destroyed, as a block of an event may: the EDT finds that when it acquires it
		low = c.payload("satisfy", block)
	}
	own := c.g.slotAt(t, n)
	if !own.awaitsAway() && own.state() != slotOpen {
		c.badSlot(t, own, edt, int(n), s.Mode())
	}
	if c.obs != nil && !lost {
		c.obs.SlotSatisfied(edt, int(n), guid.Null, c.g.blockGUID(low))
	}
	own.word = low
	word.Publish(&own.link, uint64(s.Mode())<<linkModeAt|state)
	if !lost && t.need.CountDown() {
		c.runnable(uint32(lo), t)
	}
}

// Trigger satisfies an event here, for a call of another rank or for an event there.
func (h Home) Trigger(event, block guid.GUID, s RemoteSlot) {
	c := h.Ctx
	if s&slotForward != 0 {
		op := opReturn
		if c.closes = s&slotOfFinish != 0; c.closes {
			op = opFinish
			c.checkMemory(event)
		}
		c.fireOutput(op, low(event), c.payload(op, block))
		return
	}
	if s&slotPassed != 0 && !c.Exists(event) {
		const why = "passed on by an event of rank %d; what is called after the satisfaction of that may come first"
		c.misuse("satisfy", ErrStale, event, why, c.signed.From)
	}
	c.n.EventSatisfied--
	c.SatisfySlot(event, block, s.Number())
}

// Blocks.

// Blocks returns the blocks of this rank, and the worker's part of them.
func (h Home) Blocks() (*block.Store, *block.Local) { return h.g.blocks, &h.blocks }

// Grant goes on with EDTs and ranks that were granted a block.
func (h Home) Grant(granted []block.Waiter) { h.grant(granted) }

// Waiting returns the name of an EDT that waits for a block, and the index of its template.
func (h Home) Waiting(w block.Waiter) (edt guid.GUID, template uint32) {
	t := h.edts.At(w.EDT)
	return h.g.edtGUID(w.EDT, t), h.g.template(t).index
}

// Stale ends the run: an EDT of another rank waits for a block that is destroyed.
func (h Home) Stale(block, waits guid.GUID, template uint32) {
	name := "?"
	if t := h.g.templateAt(template); t != nil {
		name = t.name
	}
	h.misuse("acquire", ErrStale, block, "by EDT %v of rank %d, template %s"+acquiredFirst, waits, waits.Home(), name)
}
