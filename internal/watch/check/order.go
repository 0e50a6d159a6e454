package check

import (
	"ocr/datablock"
	"ocr/guid"
)

// A moment is a point of the run: every call that is observed has one.
type moment uint64

// A node is one EDT, kept while other EDTs may have to be ordered with it.
type node struct {
	edt        guid.GUID
	template   string
	about      string // what the template says of it, once it has begun
	site       string // where it was created
	begin      moment // 0 before it runs
	end        moment
	causes     []cause
	scope      *scope              // the innermost finish scope that it counts in
	views      map[guid.GUID]*view // of the blocks that it was satisfied with or has made, until they are released
	modes      []datablock.Mode    // by slot, as far as dependences were added
	exposed    []exposure          // to it, of blocks that were released before it began
	early      []*node             // EDTs of which a block is reported that they have exposed to this one
	historical bool                // its causes are forgotten
	past       *past               // while it runs, once it was asked for
}

// A cause is one reason why an EDT could run: a moment of another EDT, or the close of a finish scope. One that came
// through an event is the moment of the event's satisfaction: in which order that reaches all that wait for the event
// is luck.
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
	partial bool // not all members are kept
}

const (
	historyLength = 1 << 17 // ended EDTs that are remembered, and members of a scope
	searchLimit   = 1 << 16 // EDTs and scopes of a past
)

// because adds causes. One of the EDT of the last cause is merged into that.
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

// remember adds an EDT to the history, and drops the causes of the oldest one there.
func (k *Checker) remember(n *node) {
	if old, went := keepLast(&k.ended, n, historyLength); went {
		old.causes, old.historical = nil, true
	}
}

// condense joins causes into one if they are more than a few: each of those that wait for an event gets them.
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
	if s := n.scope; s != nil && len(s.members) < historyLength {
		s.members = append(s.members, n)
	} else if s != nil {
		s.partial = true
	}
}

// open makes an inner scope.
func (s *scope) open() *scope {
	in := &scope{parent: s}
	if s != nil && len(s.inner) < historyLength {
		s.inner = append(s.inner, in)
	} else if s != nil {
		s.partial = true
	}
	return in
}

// A past is what happens before an EDT begins. It is computed back as far as it was asked for.
type past struct {
	of      *node
	reached map[*node]moment // by EDT: its moments up to this one happen before
	closed  map[*scope]bool
	steps   []step // yet to be taken
	back    moment // the steps to this moment have been taken
	looked  int
	unsure  bool // the history ends, or the limit was reached
}

// A step goes back from an EDT to its causes, or from a scope to its members. All of them are before at.
type step struct {
	at    moment
	node  *node
	scope *scope
}

// pastOf returns the past of an EDT, which is kept while that runs.
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

// ordered reports whether a cause happens before r begins. If the history does not tell, the two count as ordered, and
// in undecided.
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

// has reports whether a cause is known to be in the past. All of an EDT happens before the close of its scope, but its
// end may be reported after that.
func (p *past) has(c cause) bool {
	if c.scope != nil {
		return p.closed[c.scope]
	}
	if c.from == p.of {
		return c.at <= p.of.begin
	}
	if p.reached[c.from] >= c.at {
		return true
	}
	for s := c.from.scope; s != nil; s = s.parent {
		if p.closed[s] {
			return true
		}
	}
	return false
}

// goBack takes all steps that can lead to a moment.
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
	p.unsure = p.unsure || s.scope.partial
	for _, m := range s.scope.members {
		p.reach(cause{from: m, at: m.end})
	}
	for _, in := range s.scope.inner {
		p.reach(cause{scope: in, at: s.at})
	}
}

// reach notes that a cause is in the past, and the step back from it.
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
