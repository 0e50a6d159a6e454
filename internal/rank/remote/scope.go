package remote

import (
	"bytes"
	"sync"

	"ocr/edt"
	"ocr/internal/rank"
)

// An EDT that is made on another rank takes a token of its creator's finish scope along. There it counts in a proxy of
// that scope, which has got a token with each such EDT. When the last EDT in the proxy has ended the proxy closes, and
// sends all its tokens back to the rank that they came from; what is there may be a proxy itself. So the scopes and
// proxies are a tree, in which each has a token outside for everything below it that is open, or on its way.

// scopes finds the proxy for a scope of another rank. One that closes may be there still: it takes no EDT, and a new
// one is made.
//
// Concurrency: of is under mu.
type scopes struct {
	mu sync.Mutex
	of map[scopeOf]uint32
}

// A scopeOf is a scope of a rank, by its low GUID word.
type scopeOf struct {
	rank int
	low  uint64
}

// enterScope returns the proxy of a scope, in which one more EDT counts. A new one gets memory as the parts say.
func (p *Part) enterScope(of scopeOf, memory []edt.RemoteLane) uint32 {
	if of.low == 0 {
		return 0
	}
	s := &p.scopes
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.of[of]
	if i == 0 || !p.courier.EnterScope(i) {
		i = p.courier.OpenScope(of.rank, of.low, memory)
		if s.of == nil {
			s.of = make(map[scopeOf]uint32)
		}
		s.of[of] = i
	}
	return i
}

// ReturnTokens implements [edt.Remote]. The proxy is free for another scope only after that.
func (p *Part) ReturnTokens(
	c *edt.Ctx, to int, scope uint64, proxy uint32, tokens int64, memory []edt.RemoteLane,
) {
	s, of := &p.scopes, scopeOf{to, scope}
	s.mu.Lock()
	if s.of[of] == proxy {
		delete(s.of, of)
	}
	s.mu.Unlock()
	m := &rank.Message{Kind: msgScope, Words: [7]uint64{scope, uint64(tokens)}}
	if len(memory) > 0 {
		m.Tail = appendParts(nil, memory)
		m.Words[2] = 1
	}
	p.send(c, to, m)
}

// handleScope takes tokens back that went to another rank.
func (p *Part) handleScope(m *rank.Message) {
	var memory []edt.RemoteLane
	if tail := reader(m.Tail); m.Words[2] != 0 {
		memory = tail.parts()
	}
	p.courier.GiveTokens(m.Words[0], int64(m.Words[1]), memory)
}

// appendParts adds parts of scope memory to the tail of a message: their number; of each the owner, its size, and how
// many bytes follow, as zeros at the end are left out.
func appendParts(tail []byte, parts []edt.RemoteLane) []byte {
	tail = appendWords(tail, uint64(len(parts)))
	for _, p := range parts {
		kept := bytes.TrimRight(p.Lane, "\x00")
		tail = appendWords(tail, p.Owner, uint64(len(p.Lane)), uint64(len(kept)))
		tail = append(tail, kept...)
	}
	return tail
}

// parts is the inverse of appendParts.
func (r *reader) parts() (all []edt.RemoteLane) {
	for range r.word() {
		owner, size, kept := r.word(), r.word(), r.word()
		lane := make([]byte, size)
		copy(lane, r.bytes(kept))
		all = append(all, edt.RemoteLane{Owner: owner, Lane: lane})
	}
	return all
}
