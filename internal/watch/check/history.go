package check

import (
	"slices"

	"ocr/guid"
)

// A node is one EDT, kept while other EDTs may have to be ordered with it.
type node struct {
	edt      guid.GUID
	template string
	about    string // what the template says of it, once it has begun
	site     string // where it was created
	begin    moment // 0 before it runs
	end      moment
	causes   []cause
	scope    *scope              // the innermost finish scope that it counts in
	holds    map[guid.GUID]*hold // not yet over, by block
	blocks   []*block            // that its slots were satisfied with
	nulls    []bool              // slots in mode Null: no block is seen through them
	cut      bool                // its causes are forgotten
	searched uint64              // the latest search that has visited it
	reached  moment              // by that search: its moments up to this one happen before
}

// A moment is a point of the run: every call that is observed has one.
type moment uint64

// A cause is one reason why an EDT could run: a moment of another EDT, or the close of a finish scope. A cause marked
// turn is the release of a block that the two EDTs could not have at the same time: it orders them, but the program
// does not determine which is first.
type cause struct {
	from  *node
	at    moment
	scope *scope
	turn  bool
}

// turns returns the causes, marked as turns.
func turns(all []cause) []cause {
	all = slices.Clone(all)
	for k := range all {
		all[k].turn = true
	}
	return all
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

// historyLength bounds the ended EDTs that are remembered, and the members of a scope.
const historyLength = 1 << 17

// searchLimit bounds the EDTs visited to order two.
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

// join makes a node of several causes, so that other nodes can have it as one cause.
func (k *Checker) join(causes []cause) cause {
	n := &node{causes: causes, begin: k.tick()}
	k.remember(n)
	return cause{from: n, at: n.begin}
}

// remember adds an EDT to the history, and drops the causes of the oldest one there.
func (k *Checker) remember(n *node) {
	if old := k.history[k.oldest]; old != nil {
		old.causes, old.cut = nil, true
	}
	k.history[k.oldest] = n
	k.oldest = (k.oldest + 1) % len(k.history)
}

// ordered reports whether moment at of w happens before r begins. If the history does not tell, they count as ordered
// and in undecided.
func (k *Checker) ordered(w *node, at moment, r *node) bool { return k.search(w, at, r, true) }

// planned is ordered without turns: only by what the program determines.
func (k *Checker) planned(w *node, at moment, r *node) bool { return k.search(w, at, r, false) }

func (k *Checker) search(w *node, at moment, r *node, turns bool) bool {
	if w == r {
		return at <= r.begin
	}
	s := k.searchFrom(w, at, r, turns, searchLimit)
	if s.unsure && !s.found {
		k.undecided++
	}
	return s.found || s.unsure
}

// A search is one walk back from an EDT.
type search struct {
	w      *node  // the EDT to find; nil visits everything back to at
	at     moment // the moment of w to find
	turns  bool   // turns count as causes
	id     uint64 // marks the nodes and scopes that were visited
	next   []*node
	looked int
	found  bool
	unsure bool
}

// searchFrom walks back from r along causes. Moments grow along a path, so causes before at are not followed.
func (k *Checker) searchFrom(w *node, at moment, r *node, turns bool, limit int) search {
	k.searches++
	s := search{w: w, at: at, turns: turns, id: k.searches, next: append(k.todo[:0], r)}
	r.searched, r.reached = s.id, r.begin
	for len(s.next) > 0 && !s.found {
		last := len(s.next) - 1
		n := s.next[last]
		s.next = s.next[:last]
		if s.looked++; n.cut || s.looked > limit {
			s.unsure = true
			continue
		}
		for _, c := range n.causes {
			if s.follow(c); s.found {
				break
			}
		}
	}
	k.todo = s.next
	return s
}

// follow takes one step back.
func (s *search) follow(c cause) {
	if c.at < s.at || c.turn && !s.turns {
		return
	}
	if c.scope != nil {
		s.enter(c.scope)
		return
	}
	if c.from == s.w {
		s.found = true
		return
	}
	first := c.from.searched != s.id
	if first || c.from.reached < c.at {
		c.from.searched, c.from.reached = s.id, c.at
	}
	if first && c.from.begin > s.at {
		s.next = append(s.next, c.from)
	}
}

// saw reports whether a search for everything has visited a cause.
func (s *search) saw(c cause) bool {
	if c.scope != nil {
		return c.scope.searched == s.id
	}
	return c.from.searched == s.id && c.from.reached >= c.at
}

// enter follows the ends of all EDTs in a scope.
func (s *search) enter(sc *scope) {
	if s.w != nil && s.w.within(sc) {
		s.found = true
		return
	}
	if sc.searched == s.id {
		return
	}
	sc.searched = s.id
	s.unsure = s.unsure || sc.cut
	for _, m := range sc.members {
		if s.follow(cause{from: m, at: m.end}); s.found {
			return
		}
	}
	for _, in := range sc.inner {
		if s.enter(in); s.found {
			return
		}
	}
}
