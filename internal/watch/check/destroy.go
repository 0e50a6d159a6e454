package check

import (
	"slices"

	"ocr/guid"
	"ocr/runtime/finding"
)

// judgeDestruction is called when EDT n destroys a block. It reports each other EDT with the block that, in another
// order, becomes runnable after the destruction. An EDT whose beginning happens before n is not reported. This is
// checked first, as fewer steps lead back to a beginning than to its causes.
func (k *Checker) judgeDestruction(n *node, site string, id guid.GUID, b *block) {
	for _, u := range b.users {
		switch {
		case u == n:
		case u.historical:
			k.undecided++
		case u.begin != 0 && k.ordered(cause{from: u, at: u.begin}, n) || !k.mayComeLater(n, u):
		default:
			k.report(u.against(n.finding(finding.DestroyRace, site, id, b.site,
				"the other EDT had the block by luck: nothing says that it was runnable before")))
		}
	}
}

// mayComeLater reports whether, in some order, EDT u becomes runnable after all that must happen before the present
// moment of EDT n, which runs.
func (k *Checker) mayComeLater(n, u *node) bool {
	p := n.pastOf()
	for _, c := range k.spread(u.causes) {
		switch {
		case c.from == n:
		case !k.ordered(c, n):
			return true
		case c.through && (p.closed[c.scope] || c.scope == nil && !k.ordered(cause{from: c.from, at: c.at + 1}, n)) &&
			!k.cameAfter(u, c):
			return true
		}
	}
	return false
}

// spread returns causes, with a condensed node's causes in its place: an EDT's past may have these without the node.
func (k *Checker) spread(causes []cause) (all []cause) {
	seen := make(map[*node]bool)
	for left := slices.Clone(causes); len(left) > 0; {
		c := left[len(left)-1]
		if left = left[:len(left)-1]; c.from == nil || !c.from.edt.IsNull() {
			all = append(all, c)
			continue
		}
		if seen[c.from] {
			continue
		}
		seen[c.from] = true
		if c.from.historical {
			k.undecided++
		}
		for _, one := range c.from.causes {
			one.through = true
			left = append(left, one)
		}
	}
	return all
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
