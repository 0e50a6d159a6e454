package check

import (
	"slices"

	"ocr/datablock"
	"ocr/guid"
)

// A moment is a point in the run: every observed call has one.
type moment uint64

// A node is one EDT, or a set of causes in place of an EDT. It is kept while other EDTs may have to be ordered with it.
type node struct {
	edt        guid.GUID
	template   string
	about      string // the template's text for this EDT, once it has begun
	site       string // where it was created
	begin      moment // 0 before it begins
	end        moment
	causes     []cause
	scope      *scope              // its innermost finish scope
	views      map[guid.GUID]*view // of the blocks that it was satisfied with or has created, until it releases them
	modes      []datablock.Mode    // by slot, as far as dependences were added
	exposed    []exposure          // blocks that were exposed to it and released before it began
	early      []*node             // EDTs that are reported to have exposed a block to it
	historical bool                // its causes were dropped
	past       *past               // computed when it is needed, and kept while the EDT runs
}

// A cause is one reason why an EDT can run: a moment of another EDT, or the close of a finish scope. If the cause came
// through an event, the moment is that of the event's satisfaction: the event may reach the EDTs that wait for it in
// any order.
type cause struct {
	from    *node
	at      moment
	scope   *scope
	through bool
}

// A scope is a finish scope.
type scope struct {
	parent  *scope
	members []*node
	inner   []*scope
	ended   bool
	gone    int    // members and inner scopes that became historical after forget last dropped some
	old     moment // when the latest historical member or inner scope began
}

const (
	historyLength = 1 << 17 // ended EDTs that are remembered
	searchLimit   = 1 << 16 // EDTs and scopes that are visited for a past
)

// because adds causes. A cause by the same EDT as the last one is merged with it.
func (n *node) because(all ...cause) {
	for _, c := range all {
		if last := len(n.causes) - 1; last >= 0 && c.from != nil && n.causes[last].from == c.from &&
			n.causes[last].through == c.through {
			n.causes[last].at = max(n.causes[last].at, c.at)
			continue
		}
		n.causes = append(n.causes, c)
	}
}

// remember adds an EDT to the history, and drops the causes of the EDT that leaves it.
func (k *Checker) remember(n *node) {
	if old, went := keepLast(&k.ended, n, historyLength); went {
		old.causes, old.historical = nil, true
		old.scope.forget(old.begin)
	}
}

// forgotten stands for the members and inner scopes that a scope has dropped.
var forgotten = &node{historical: true}

// forget counts a member or inner scope as historical. If more than half of all are historical, it drops these.
func (s *scope) forget(begin moment) {
	for s != nil {
		s.old = max(s.old, begin)
		if s.gone++; 2*s.gone <= len(s.members)+len(s.inner) {
			return
		}
		s.gone = 0
		s.members = slices.DeleteFunc(s.members, func(m *node) bool { return m.historical })
		s.inner = slices.DeleteFunc(s.inner, (*scope).isOver)
		if !s.isOver() {
			return
		}
		begin, s = s.old, s.parent
	}
}

// isOver reports whether a scope has ended, and all in it is historical.
func (s *scope) isOver() bool { return s.ended && len(s.members)+len(s.inner) == 0 }

// condense replaces more than four causes of an event by one node with these causes, as each EDT that waits for the
// event gets them.
func (k *Checker) condense(causes []cause) []cause {
	if len(causes) <= 4 {
		return causes
	}
	n := &node{causes: causes, begin: k.tick()}
	k.remember(n)
	return []cause{{from: n, at: n.begin}}
}

// enterScope makes an EDT a member of its scope.
func (n *node) enterScope() {
	if s := n.scope; s != nil {
		s.members = append(s.members, n)
	}
}

// open makes an inner scope.
func (s *scope) open() *scope {
	in := &scope{parent: s}
	if s != nil {
		s.inner = append(s.inner, in)
	}
	return in
}

// A past is what happens before an EDT begins. It is computed as far back as it was needed.
type past struct {
	of      *node
	reached map[*node]moment // by EDT: the EDT's moments up to this one happen before
	closed  map[*scope]bool
	steps   []step // not taken yet
	back    moment // all steps down to this moment were taken
	looked  int
	unsure  bool // the history or the limit was reached
}

// A step goes back from an EDT to its causes, or from a scope to its members. These happen before the step's moment.
type step struct {
	at    moment
	node  *node
	scope *scope
}

// pastOf returns the past of an EDT, and keeps it while the EDT runs.
func (n *node) pastOf() *past {
	if n.past != nil {
		return n.past
	}
	p := &past{
		of: n, reached: make(map[*node]moment), closed: make(map[*scope]bool),
		steps: []step{{at: n.begin, node: n}}, back: n.begin + 1,
	}
	if n.end == 0 {
		n.past = p
	}
	return p
}

// ordered reports whether a cause happens before r begins. If the history does not go back far enough it returns true,
// and counts that in undecided.
func (k *Checker) ordered(c cause, r *node) bool {
	if c.from == nil && c.scope == nil {
		return true
	}
	p := r.pastOf()
	if p.goBack(c.at); p.has(c) {
		return true
	}
	if p.unsure {
		k.undecided++
	}
	return p.unsure
}

// has reports whether a cause is known to be in the past. All of an EDT happens before the close of its scope, though
// its end may be reported later.
func (p *past) has(c cause) bool {
	s := c.scope
	if s == nil {
		if c.from == p.of {
			return c.at <= p.of.begin
		}
		if p.reached[c.from] >= c.at {
			return true
		}
		s = c.from.scope
	}
	for ; s != nil; s = s.parent {
		if p.closed[s] {
			return true
		}
	}
	return false
}

// goBack takes all steps that can lead to causes that are not earlier than the given moment.
func (p *past) goBack(to moment) {
	if to >= p.back {
		return
	}
	p.back = to
	var later []step
	for len(p.steps) > 0 {
		s := p.steps[len(p.steps)-1]
		p.steps = p.steps[:len(p.steps)-1]
		if s.at <= to {
			later = append(later, s)
			continue
		}
		if p.looked++; p.looked > searchLimit {
			p.unsure, p.back = true, 0
			return
		}
		p.take(s)
	}
	p.steps = later
}

func (p *past) take(s step) {
	if s.scope == nil {
		p.unsure = p.unsure || s.node.historical
		for _, c := range s.node.causes {
			p.reach(c)
		}
		return
	}
	if s.scope.old != 0 {
		p.steps = append(p.steps, step{s.scope.old, forgotten, nil})
	}
	for _, m := range s.scope.members {
		p.reach(cause{from: m, at: m.end})
	}
	for _, in := range s.scope.inner {
		p.reach(cause{scope: in, at: s.at})
	}
}

// reach records that a cause is in the past, and adds the step back from it.
func (p *past) reach(c cause) {
	if c.scope != nil {
		if !p.closed[c.scope] {
			p.closed[c.scope] = true
			p.steps = append(p.steps, step{c.at, nil, c.scope})
		}
		return
	}
	was, known := p.reached[c.from]
	if p.reached[c.from] = max(was, c.at); !known {
		p.steps = append(p.steps, step{c.from.begin, c.from, nil})
	}
}
