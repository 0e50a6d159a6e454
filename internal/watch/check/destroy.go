package check

import (
	"container/heap"

	"ocr/runtime/finding"
)

// judgeDestruction reports each EDT that used a destroyed block if no ordering shows that it became runnable before the
// destruction: in another order it would find the block destroyed.
func (k *Checker) judgeDestruction(by cause, site string, b *block) {
	n := by.from
	if k.past.of != n {
		k.past = newPast(n)
	}
	k.past.reach(by)
	for _, u := range b.used {
		if u == n || u.cut || k.past.hasBegun(u) || !k.past.lacks(u.causes) {
			continue
		}
		k.report(u.against(n.finding(finding.DestroyRace, site, b.id, b.site,
			"the other EDT had the block by luck: nothing says that it was runnable before")))
	}
}

// A past is the set of moments that happen before an EDT, computed back as far as needed. It is kept while one EDT
// destroys blocks, as an EDT that cleans up destroys many.
type past struct {
	of      *node
	reached map[*node]moment // by EDT: its moments up to this one happen before
	closed  map[*scope]bool
	next    latest // causes that happen before and are yet to be followed
	looked  int
}

// pastLimit bounds the EDTs visited for one that destroys blocks.
const pastLimit = 1 << 13

func newPast(n *node) past {
	p := past{of: n, reached: make(map[*node]moment), closed: make(map[*scope]bool)}
	p.next.add(n.causes...)
	return p
}

// hasBegun reports whether EDT u began before: then all its causes happened before too. It is checked first because it
// is later than the causes, so it needs a shorter walk back.
func (p *past) hasBegun(u *node) bool { return p.goBack(u.begin) && p.has(cause{from: u, at: u.begin}) }

// lacks reports whether one of the causes, except turns, does not happen before the EDT. One beyond the limit counts as
// before.
func (p *past) lacks(causes []cause) bool {
	for _, c := range causes {
		if !c.turn && p.goBack(c.at) && !p.has(c) {
			return true
		}
	}
	return false
}

func (p *past) has(c cause) bool {
	if c.scope != nil {
		return p.closed[c.scope]
	}
	return p.reached[c.from] >= c.at
}

// goBack follows causes back to a moment; it returns false at the limit.
func (p *past) goBack(to moment) bool {
	for len(p.next) > 0 && p.next[0].at >= to {
		if p.looked > pastLimit {
			return false
		}
		p.reach(heap.Pop(&p.next).(cause))
	}
	return true
}

// reach follows a cause. The causes of an EDT that was reached before have been followed then.
func (p *past) reach(c cause) {
	if c.scope != nil {
		if !p.closed[c.scope] {
			p.closed[c.scope] = true
			p.enter(c.scope)
		}
		return
	}
	was, known := p.reached[c.from]
	p.reached[c.from] = max(was, c.at)
	if known || c.from == p.of {
		return
	}
	if p.looked++; c.from.cut {
		p.looked = pastLimit + 1
	}
	p.next.add(c.from.causes...)
}

// enter follows the ends of all EDTs in a scope.
func (p *past) enter(s *scope) {
	if s.cut {
		p.looked = pastLimit + 1
	}
	for _, m := range s.members {
		p.next.add(cause{from: m, at: m.end})
	}
	for _, in := range s.inner {
		p.next.add(cause{scope: in, at: in.closed})
	}
}

// latest is a heap of causes, the latest first.
type latest []cause

func (l *latest) add(all ...cause) {
	for _, c := range all {
		heap.Push(l, c)
	}
}

func (l latest) Len() int           { return len(l) }
func (l latest) Less(a, b int) bool { return l[a].at > l[b].at }
func (l latest) Swap(a, b int)      { l[a], l[b] = l[b], l[a] }
func (l *latest) Push(c any)        { *l = append(*l, c.(cause)) }
func (l *latest) Pop() any {
	last := len(*l) - 1
	c := (*l)[last]
	*l = (*l)[:last]
	return c
}
