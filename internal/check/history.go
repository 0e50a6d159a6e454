package check

import (
	"ocr/guid"
)

// A node is one EDT, for as long as anything may have to be ordered with it.
type node struct {
	edt      guid.GUID
	template string
	about    string // what the template says of it, once it has begun
	site     string // where it was created
	begin    moment // 0 before it runs
	end      moment
	causes   []cause
	scope    *scope   // the innermost finish scope that it counts in
	holds    []*hold  // not yet over
	blocks   []*block // that its slots were satisfied with
	nulls    []bool   // slots in mode Null: no block is seen through them
	cut      bool     // its causes are forgotten
	searched uint64
}

// A moment is a point of the run: every call that is observed has one.
type moment uint64

// A cause is one reason why an EDT could run: a moment of another EDT, or the end of
// everything in a finish scope.
type cause struct {
	from  *node
	at    moment
	scope *scope
}

// A scope is a finish scope.
type scope struct {
	parent   *scope
	members  []*node
	inner    []*scope
	closed   moment
	cut      bool // not all members are kept
	searched uint64
}

// historyLength is how many EDTs are remembered after they have ended, and how many
// members of a scope.
const historyLength = 1 << 17

// searchLimit bounds the EDTs that are looked at to order two.
const searchLimit = 1 << 16

// within reports whether all of n happens before a scope closes.
func (n *node) within(s *scope) bool {
	for t := n.scope; t != nil; t = t.parent {
		if t == s {
			return true
		}
	}
	return false
}

// keep adds a member or an inner scope to one of the scope's lists.
func keep[T any](s *scope, list *[]T, v T) {
	if len(*list) == historyLength {
		s.cut = true
		return
	}
	*list = append(*list, v)
}

// join makes a node of several causes, that many others can have for one.
func (k *Checker) join(causes []cause) cause {
	n := &node{causes: causes, begin: k.tick()}
	k.remember(n)
	return cause{from: n, at: n.begin}
}

// remember keeps an EDT's causes, and forgets those of the one that has been kept
// longest.
func (k *Checker) remember(n *node) {
	if old := k.history[k.oldest]; old != nil {
		old.causes, old.cut = nil, true
	}
	k.history[k.oldest] = n
	k.oldest = (k.oldest + 1) % len(k.history)
}

// ordered reports whether moment at of w happens before r begins. It counts as
// ordered, and in undecided, what is no longer known.
//
// It walks back from r. Moments only grow along a path, so that whatever came before
// at is no part of one.
func (k *Checker) ordered(w *node, at moment, r *node) bool {
	if w == r {
		return at <= r.begin
	}
	k.searches++
	s := search{w: w, at: at, id: k.searches, next: append(k.todo[:0], r)}
	r.searched = s.id
	defer func() { k.todo = s.next }()
	for len(s.next) > 0 {
		last := len(s.next) - 1
		n := s.next[last]
		s.next = s.next[:last]
		if s.looked++; n.cut || s.looked > searchLimit {
			s.unsure = true
			continue
		}
		for _, c := range n.causes {
			if s.follow(c) {
				return true
			}
		}
	}
	if s.unsure {
		k.undecided++
	}
	return s.unsure
}

// A search is one walk of ordered.
type search struct {
	w      *node
	at     moment
	id     uint64 // what it has come to is marked with it
	next   []*node
	looked int
	unsure bool
}

// follow takes one step back; it reports whether w was reached.
func (s *search) follow(c cause) bool {
	if c.at < s.at {
		return false
	}
	if c.scope != nil {
		return s.enter(c.scope)
	}
	if c.from == s.w {
		return true
	}
	if c.from.begin > s.at && c.from.searched != s.id {
		c.from.searched = s.id
		s.next = append(s.next, c.from)
	}
	return false
}

// enter follows all that ended in a scope.
func (s *search) enter(sc *scope) bool {
	if s.w.within(sc) {
		return true
	}
	if sc.searched == s.id {
		return false
	}
	sc.searched = s.id
	s.unsure = s.unsure || sc.cut
	for _, m := range sc.members {
		if s.follow(cause{from: m, at: m.end}) {
			return true
		}
	}
	for _, in := range sc.inner {
		if s.enter(in) {
			return true
		}
	}
	return false
}
