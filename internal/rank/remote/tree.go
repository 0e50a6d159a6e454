package remote

import "ocr/internal/rank"

// Control messages go along a tree of the ranks: from rank 0 down, or up to rank 0, and each rank passes them on. So
// each rank sends few. The last message that a rank gets, FINISH on its way down or REPORT on its way up, comes behind
// all others.

// fanOut is the largest number of ranks directly below a rank.
const fanOut = 16

// parent returns the rank directly above this one.
func (p *Part) parent() int { return (p.me - 1) / fanOut }

// children returns the ranks directly below this one.
func (p *Part) children() (all []int) {
	for k := fanOut*p.me + 1; k <= fanOut*(p.me+1) && k < p.size; k++ {
		all = append(all, k)
	}
	return all
}

// below returns the number of ranks below a rank, in all levels.
func below(rank, size int) (n int) {
	for from, to := fanOut*rank+1, fanOut*(rank+1); from < size; from, to = fanOut*from+1, fanOut*(to+1) {
		n += min(to, size-1) - from + 1
	}
	return n
}

// sendDown sends a control message to the ranks directly below, sendUp to the parent.
func (p *Part) sendDown(m *rank.Message) {
	for _, k := range p.children() {
		p.order.SendNow(k, m)
	}
}

func (p *Part) sendUp(m *rank.Message) { p.order.SendNow(p.parent(), m) }
