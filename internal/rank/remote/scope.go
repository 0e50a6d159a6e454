package remote

import (
	"bytes"
	"sync"

	"ocr/edt"
	"ocr/internal/rank"
)

// An EDT that is created on another rank takes a token of its creator's finish scope along. There it counts in a proxy
// of the scope, which gets a token with each such EDT. When the last EDT in the proxy has ended, the proxy closes and
// sends all its tokens back to the scope, or to the proxy, from which they came. So the scopes and proxies form a tree:
// each misses the tokens of open proxies below it and of messages under way.

// scopes finds the proxy of a scope of another rank. A proxy that closes may still be in the map, but takes no EDT:
// enterScope then makes a new proxy.
//
// Concurrency: mu guards the map.
type scopes struct {
	mu sync.Mutex
	of map[scopeOf]uint32
}

// A scopeOf names a scope by the rank that has it and the low word of its GUID.
type scopeOf struct {
	rank int
	low  uint64
}

// enterScope counts one more EDT in a scope's proxy. It returns the proxy, 0 for no scope. A new one gets these lanes.
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

// forget removes a proxy that is closed, before its record is free for another scope.
func (s *scopes) forget(of scopeOf, proxy uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[of] == proxy {
		delete(s.of, of)
	}
}

// handleReturn takes tokens back that this rank has sent to another rank.
func (p *Part) handleReturn(m *rank.Message) {
	tail := reader(m.Tail)
	p.courier.GiveTokens(m.Words[1], int64(m.Words[wordThird]), tail.lanes())
}

// appendLanes adds lanes of scope memory to the tail of a message: their number; then, for each lane, its owner, its
// size, the number of bytes that follow, and these bytes: the lane without the zeros at its end.
func appendLanes(tail []byte, lanes []edt.RemoteLane) []byte {
	tail = appendWords(tail, uint64(len(lanes)))
	for _, p := range lanes {
		kept := bytes.TrimRight(p.Lane, "\x00")
		tail = appendWords(tail, p.Owner, uint64(len(p.Lane)), uint64(len(kept)))
		tail = append(tail, kept...)
	}
	return tail
}

// lanes is the inverse of appendLanes.
func (r *reader) lanes() (all []edt.RemoteLane) {
	for range r.word() {
		owner, size, kept := r.word(), r.word(), r.word()
		lane := make([]byte, size)
		copy(lane, r.bytes(kept))
		all = append(all, edt.RemoteLane{Owner: owner, Lane: lane})
	}
	return all
}
