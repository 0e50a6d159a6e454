package remote

import (
	"encoding/binary"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/rank"
)

// The messages between ranks. Those below msgControl are counted (see termination.go). The strong ones among them are
// handled before this rank sends a third rank a message that may rely on them (see rank.Order).
const (
	msgCreate = uint8(edt.ActReturn) + 1 + iota // the receiver makes an EDT; smaller kinds are acts, see [edt.Act]
	msgAsk                                      // an act that returns something; see ask.go
	msgAnswer
	msgGet     // a rank needs a block, to read or to write; see blocks.go
	msgData    // the rank gets the block
	msgRecall  // home needs the block back
	msgBack    // home gets it back
	msgKnown   // a rank knows a block; see proxy.go
	msgGone    // the block is destroyed
	msgControl // this and later kinds are neither counted nor ordered behind others, see shutdown.go
	msgProbe
	msgCounts
	msgEnd
	msgStop
	msgFinish
	msgReport
)

// strong has the kinds of messages on whose effect other ranks may rely.
var strong = [msgControl]bool{edt.ActDepend: true, edt.ActFill: true, edt.ActSatisfy: true, edt.ActDestroy: true}

// The words of a message about two objects are their GUIDs, two words each, and wordThird. The last two words of most
// messages say on whose behalf they come: the low GUID word of an EDT, 0 for none, and the index of its template, with
// the EDT's home from bit callerHomeAt on.
const (
	wordThird    = 4
	wordEDT      = 5
	wordTemplate = 6
	callerHomeAt = 32
)

// handlers carry out the messages below msgControl. They report false if a message has come too early.
var handlers = [msgControl]func(p *Part, m *rank.Message) (handled bool){
	edt.ActDepend:  (*Part).handleAct,
	edt.ActFill:    (*Part).handleAct,
	edt.ActSatisfy: (*Part).handleAct,
	edt.ActDestroy: (*Part).handleAct,
	edt.ActReturn:  always((*Part).handleReturn),
	msgCreate:      always((*Part).handleCreate),
	msgAsk:         (*Part).handleAsk,
	msgAnswer:      always((*Part).handleAnswer),
	msgGet:         always((*Part).handleGet),
	msgData:        always((*Part).handleData),
	msgRecall:      always((*Part).handleRecall),
	msgBack:        always((*Part).handleBack),
	msgKnown:       always((*Part).handleKnown),
	msgGone:        always((*Part).handleGone),
}

// always makes a handler of messages that never come too early.
func always(handle func(p *Part, m *rank.Message)) func(p *Part, m *rank.Message) bool {
	return func(p *Part, m *rank.Message) bool {
		handle(p, m)
		return true
	}
}

// handle carries out a message of another rank, on the courier. It reports false if the message has come too early.
func (p *Part) handle(from int, m *rank.Message) (handled bool) {
	if m.Kind > msgControl {
		p.control(m)
		return true
	}
	p.caller = p.callerOf(from, m)
	p.courier.Handle(&p.caller)
	if handled = handlers[m.Kind](p, m); handled {
		p.handled++
	}
	p.courier.Handle(nil)
	return handled
}

// callerOf returns the EDT on whose behalf a message comes.
func (p *Part) callerOf(from int, m *rank.Message) edt.RemoteCaller {
	by := edt.RemoteCaller{From: from}
	if m.Count > wordTemplate && m.Words[wordEDT] != 0 {
		by.EDT = p.name(int(m.Words[wordTemplate]>>callerHomeAt), guid.KindEDT, m.Words[wordEDT])
		by.Template = uint32(m.Words[wordTemplate])
	}
	return by
}

// send signs a message with the EDT on whose behalf it is sent, and sends it.
func (p *Part) send(c *edt.Ctx, to int, m *rank.Message) {
	m.Count = wordTemplate + 1
	by := edt.Home{Ctx: c}.Caller()
	m.Words[wordEDT] = low(by.EDT)
	m.Words[wordTemplate] = uint64(by.Template) | uint64(by.EDT.Home())<<callerHomeAt
	p.post(to, m)
}

// post sends a message without signing it.
func (p *Part) post(to int, m *rank.Message) { p.order.Send(to, m, strong[m.Kind]) }

func putGUID(m *rank.Message, at int, g guid.GUID) { m.Words[at], m.Words[at+1] = g.Words() }
func getGUID(m *rank.Message, at int) guid.GUID    { return guid.FromWords(m.Words[at], m.Words[at+1]) }

// appendWords adds words to the tail of a message.
func appendWords(tail []byte, words ...uint64) []byte {
	for _, w := range words {
		tail = binary.LittleEndian.AppendUint64(tail, w)
	}
	return tail
}

// A reader takes words, and bytes, from the front of a tail.
type reader []byte

func (r *reader) word() uint64 {
	w := binary.LittleEndian.Uint64(*r)
	*r = (*r)[8:]
	return w
}

func (r *reader) bytes(n uint64) []byte {
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

func (r *reader) guid() guid.GUID {
	hi := r.word()
	return guid.FromWords(hi, r.word())
}
