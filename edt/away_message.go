package edt

import (
	"encoding/binary"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/rank"
)

// The messages between ranks; docs/ranks.md has the words of each message. The first group is counted (see
// away_termination.go), and of it the strong ones are handled before this rank sends a third rank anything that may
// rely on them (see rank.Order).
const (
	msgCreate  uint8 = iota + 1 // make an EDT there
	msgDepend                   // AddDependence, to the home of a source that is an event, else to that of the EDT
	msgFill                     // an event has triggered for a slot there
	msgSatisfy                  // SatisfySlot
	msgDestroy                  // DestroyEvent, DestroyEDT, DestroyBlock
	msgScope                    // tokens of a finish scope come back
	msgQuery                    // a query; see away_query.go
	msgAnswer
	msgGet     // a rank needs a block, to read or to write; see away_blocks.go
	msgData    // and gets it
	msgRecall  // home needs it back
	msgBack    // and gets it
	msgKnown   // a rank knows a block; see away_proxy.go
	msgGone    // the block is destroyed
	msgControl // those from here on are neither counted nor ordered behind others, see away_shutdown.go
	msgProbe
	msgCounts
	msgEnd
	msgStop
	msgFinish
	msgReport
)

// strongMessages are those of which other ranks may rely on that they are done.
var strongMessages = [msgControl]bool{
	msgDepend: true, msgFill: true, msgSatisfy: true, msgDestroy: true,
}

// The last two words of most messages (of a creation see signed) say on whose behalf they come: the low GUID word of an
// EDT of the sender's, and its template's index. If it is another rank's EDT, or sites are recorded, the tail has all
// that is known of it, from the byte on that is in place of the GUID word.
const (
	wordEDT = 5 + iota
	wordTemplate
	originTail = 1 << 32 // in wordTemplate: the tail has all of the caller
)

// handle carries out a message of another rank, on the courier. It reports false if it has come too early.
func (c *Ctx) handle(from int, m *rank.Message) (handled bool) {
	r := c.g.away
	if m.Kind > msgControl {
		r.control(c, from, m)
		return true
	}
	c.message, c.from = m, from
	if m.Kind == msgCreate { // it never comes too early
		c.handleCreate(from, m)
		c.message = nil
		r.handled++
		return true
	}
	handled = handlers[m.Kind](c, m)
	c.message = nil
	if handled {
		r.handled++
	}
	return handled
}

// handlers carry out the messages up to msgControl, but for CREATE. They report false if a message has come too early.
var handlers = [msgControl]func(c *Ctx, m *rank.Message) (handled bool){
	msgDepend:  (*Ctx).handleDepend,
	msgFill:    (*Ctx).handleFill,
	msgSatisfy: (*Ctx).handleSatisfy,
	msgDestroy: (*Ctx).handleDestroy,
	msgScope:   always((*Ctx).handleScope),
	msgQuery:   (*Ctx).handleQuery,
	msgAnswer:  always((*Ctx).handleAnswer),
	msgGet:     always((*Ctx).handleGet),
	msgData:    always((*Ctx).handleData),
	msgRecall:  always((*Ctx).handleRecall),
	msgBack:    always((*Ctx).handleBack),
	msgKnown:   always((*Ctx).handleKnown),
	msgGone:    always((*Ctx).handleGone),
}

// always is a handler of messages that never come too early.
func always(handle func(c *Ctx, m *rank.Message)) func(c *Ctx, m *rank.Message) bool {
	return func(c *Ctx, m *rank.Message) bool {
		handle(c, m)
		return true
	}
}

// sendWith is sendTo for a message that carries a block. The right to write it goes along if an EDT there will use the
// block, or may, and a copy if it will only read it.
func (c *Ctx) sendWith(block guid.GUID, to int, m *rank.Message) {
	gone := c.tell(block, to, goesAlong(m))
	c.sendTo(to, m)
	if gone {
		c.tellGone(block, to)
	}
}

// passWith is sendWith for what follows from an event, which has the block by this word.
func (c *Ctx) passWith(word uint64, to int, m *rank.Message) {
	block := c.g.blockGUID(word)
	putGUID(m, 2, block)
	c.sendWith(block, to, m)
}

// goesAlong returns what goes along with a message.
func goesAlong(m *rank.Message) right {
	switch m.Kind {
	case msgSatisfy:
		return toWrite
	case msgFill:
		return needFor(datablock.Mode(m.Words[4] >> nodeModeAt & 7))
	}
	return noRight
}

// sendTo sends a message on behalf of the EDT that runs.
func (c *Ctx) sendTo(to int, m *rank.Message) {
	c.sign(m)
	c.sendMessage(to, m)
}

func (c *Ctx) sendMessage(to int, m *rank.Message) { c.g.away.Send(to, m, strongMessages[m.Kind]) }

// sign notes in a message on whose behalf it is sent.
func (c *Ctx) sign(m *rank.Message) {
	m.Count = uint8(len(m.Words))
	m.Words[wordEDT], m.Words[wordTemplate] = c.signature(m)
}

// signature returns what a message says of the EDT on whose behalf it is sent, which may be in its tail.
func (c *Ctx) signature(m *rank.Message) (edt, template uint64) {
	switch {
	case c.message != nil || c.behalf != nil || c.g.sites != nil || c.current == 0 && c.closing.low != 0:
		if o := c.origin(); !o.edt.IsNull() {
			edt, template = uint64(len(m.Tail)), originTail
			m.Tail = appendOrigin(m.Tail, o)
		}
	case c.current != 0:
		edt, template = low(c.Self()), uint64(c.runs().index)
	}
	return edt, template
}

// signed returns what signature has returned for the message, zeros if it is not signed: words that are not used may be
// anything.
func signed(m *rank.Message) (edt, template uint64) {
	switch {
	case m.Kind == msgCreate:
		w := m.Words[createTemplate]
		return m.Words[createCaller], w>>createTemplateAt&templateMask | w/createTail*originTail&originTail
	case m.Count > wordTemplate:
		return m.Words[wordEDT], m.Words[wordTemplate]
	}
	return 0, 0
}

func putGUID(m *rank.Message, at int, g guid.GUID) { m.Words[at], m.Words[at+1] = g.Words() }
func getGUID(m *rank.Message, at int) guid.GUID {
	return guid.FromWords(m.Words[at], m.Words[at+1])
}

// signer returns on whose behalf the message came that is being handled.
func (c *Ctx) signer() *origin {
	caller, who := signed(c.message)
	switch {
	case who&originTail != 0:
		return decodeOrigin(c.message.Tail[caller:])
	case caller == 0:
		return new(origin)
	}
	o := &origin{edt: guid.FromWords(c.g.space.Of(c.from).High(uint8(guid.KindEDT)), caller)}
	if t := c.g.templateAt(uint32(who & templateMask)); t != nil {
		o.template = t.name
	}
	return o
}

// about makes a message about two objects, or one, with a word.
func about(kind uint8, a, b guid.GUID, w uint64) *rank.Message {
	m := &rank.Message{Kind: kind}
	putGUID(m, 0, a)
	putGUID(m, 2, b)
	m.Words[4] = w
	return m
}

// appendWord adds a word to those of a message that are used, or to its tail.
func appendWord(m *rank.Message, w uint64) {
	if int(m.Count) < len(m.Words) {
		m.Words[m.Count] = w
		m.Count++
		return
	}
	m.Tail = appendWords(m.Tail, w)
}

// appendGUID is appendWord for both words of a GUID.
func appendGUID(m *rank.Message, g guid.GUID) {
	hi, lo := g.Words()
	appendWord(m, hi)
	appendWord(m, lo)
}

// appendWords adds words to the tail of a message.
func appendWords(tail []byte, words ...uint64) []byte {
	for _, w := range words {
		tail = binary.LittleEndian.AppendUint64(tail, w)
	}
	return tail
}

// appendFrom appends the first n words of a tail.
func appendFrom(words []uint64, tail []byte, n int) []uint64 {
	for k := range n {
		words = append(words, binary.LittleEndian.Uint64(tail[8*k:]))
	}
	return words
}
