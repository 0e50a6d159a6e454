package runtime

import (
	"ocr/edt"
	"ocr/internal/core/word"
)

// A nextEDT is a worker's next-EDT slot: the newest EDT that the worker's present body has made ready, while every
// worker is busy. The worker runs it next, as its predecessor's data are in the cache. In most programs an EDT stays in
// the slot for less than a microsecond, so the worker fills and empties the slot with plain stores.
//
// If a body, or a chain of EDTs, is long, a thief takes the EDT. That is rare, so the thief pays for both sides:
// [word.Barrier] makes every running thread of the process execute a memory barrier.
//
// Concurrency: only the worker writes edt. The states of claim:
//
//	state    meaning                            next state, set by
//	free     no thief is at the slot            claimed: thief
//	claimed  a thief reads the slot             taken, free: that thief; kept: worker
//	taken    the thief has the EDT              free: worker, before it fills the slot; edt shows the EDT until then
//	kept     the worker was faster              free: that thief
//
// The change from claimed decides whether the worker or the thief gets the EDT. The worker stores 0 to edt, then loads
// claim. The thief stores claimed to claim, executes the barrier for both, then loads edt. So either the worker sees
// the claim, and a compare-and-swap decides, or the thief sees the 0.
//
// Subtle: without the barrier the worker's store could wait in its store buffer while the worker loads a free claim,
// and the EDT would run twice.
type nextEDT struct {
	edt   word.Uint64
	claim word.Uint32
}

// The states of a claim.
const (
	claimFree  = iota
	claimed    // a thief looks at the slot
	claimTaken // the thief has taken the EDT
	claimKept  // the worker was faster
)

// put fills the slot, which must be empty. Owner only.
func (n *nextEDT) put(k edt.Ready) { n.edt.Publish(uint64(k)) }

// filled reports whether the slot is filled, perhaps with an EDT that a thief has taken. Owner only.
func (n *nextEDT) filled() bool { return n.edt.Own() != 0 }

// empty empties a slot that is filled. If sure is false a thief has a claim, and the caller must ask mine whether the
// owner gets the EDT. Owner only. (mine is a function of its own so that the compiler inlines empty.)
func (n *nextEDT) empty() (k edt.Ready, sure bool) {
	k = edt.Ready(n.edt.Own())
	n.edt.Publish(0)
	return k, n.claim.Load() == claimFree
}

// mine reports, after a call of empty, whether the owner gets the EDT, and not the thief.
func (n *nextEDT) mine() bool {
	if n.claim.CompareAndSwap(claimed, claimKept) || n.claim.Load() != claimTaken {
		return true // the thief has yet to read the slot, or has given up
	}
	n.claim.Store(claimFree)
	return false
}

// take empties the slot and returns its EDT, 0 if it was empty or a thief has the EDT. Owner only.
func (n *nextEDT) take() edt.Ready {
	if n.filled() {
		if k, sure := n.empty(); sure || n.mine() {
			return k
		}
	}
	return 0
}

// steal takes the EDT out of another worker's slot, 0 if there is none or the owner was faster.
func (n *nextEDT) steal() edt.Ready {
	if !n.claim.CompareAndSwap(claimFree, claimed) {
		return 0
	}
	word.Barrier()
	k := edt.Ready(n.edt.Load())
	if k == 0 || !n.claim.CompareAndSwap(claimed, claimTaken) {
		n.claim.Store(claimFree)
		return 0
	}
	return k
}

// peek returns the EDT that a thief could take, 0 if there is none. Subtle: it loads edt before claim. After a theft
// the owner resets claim before it puts in the next EDT, so peek does not miss that EDT.
func (n *nextEDT) peek() edt.Ready {
	k := n.edt.Load()
	if k == 0 || n.claim.Load() == claimTaken {
		return 0
	}
	return edt.Ready(k)
}
