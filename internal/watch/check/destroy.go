package check

import (
	"ocr/guid"
	"ocr/runtime/finding"
)

// judgeDestruction reports, when EDT n destroys a block, each other EDT with that block that becomes runnable later in
// another order: there it would find the block destroyed. An EDT that began before was runnable before. This is checked
// first, as the way back to the beginning is shorter.
func (k *Checker) judgeDestruction(n *node, site string, id guid.GUID, b *block) {
	p := n.pastOf()
	for _, u := range b.users {
		if u == n || u.historical || u.begin != 0 && p.happened(cause{from: u, at: u.begin}) || !k.mayComeLater(p, u) {
			continue
		}
		k.report(u.against(n.finding(finding.DestroyRace, site, id, b.site,
			"the other EDT had the block by luck: nothing says that it was runnable before")))
	}
}

// happened goes back to the moment of a cause. It returns true if the cause is in the past, or if that is not known.
func (p *past) happened(c cause) bool {
	p.goBack(c.at)
	return p.unsure || p.has(c)
}

// mayComeLater reports whether in some order EDT u becomes runnable after everything in p has happened.
func (k *Checker) mayComeLater(p *past, u *node) bool {
	for _, c := range u.causes {
		switch {
		case c.from == p.of:
		case !p.happened(c):
			return true
		case c.through && (c.scope != nil || p.reached[c.from] <= c.at) && !p.unsure && !k.cameAfter(u, c):
			return true
		}
	}
	return false
}

// cameAfter reports whether an EDT was created, or made to depend on an event, after the event's satisfaction: then it
// was runnable at once.
func (k *Checker) cameAfter(u *node, c cause) bool {
	for _, made := range u.causes {
		if made.through || made.from == nil {
			continue
		}
		if made.from == c.from && c.at < made.at || made.from != c.from && k.ordered(c, made.from) {
			return true
		}
	}
	return false
}
