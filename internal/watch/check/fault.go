package check

import (
	"fmt"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// takeFaults reports the accesses caught since its last call, by EDTs and by other goroutines of the program. The
// caller holds the lock.
func (k *Checker) takeFaults() {
	all, next := sys.FaultsFrom(k.nextFault.Load())
	k.nextFault.Store(next)
	for _, f := range all {
		if h := k.holdAt(f.Addr); h != nil {
			k.reportFault(h, f)
		}
	}
}

// takeNewFaults is takeFaults for a caller without the lock, before a view is unmapped: a fault before that is of
// another kind than one after it.
func (k *Checker) takeNewFaults() {
	if k.nextFault.Load() == sys.FaultsSoFar() {
		return
	}
	k.lock()
	defer k.mu.Unlock()
	k.takeFaults()
}

// holdAt returns the hold whose view an address is in, nil if there is none.
func (k *Checker) holdAt(addr uintptr) *hold {
	for _, w := range k.workers {
		if h := w.views.at(addr); h != nil {
			return h
		}
	}
	return nil
}

func (k *Checker) reportFault(h *hold, f sys.Fault) {
	kind, what := finding.LateAccess, "read"
	if f.Write {
		what = "written"
	}
	if !h.over && !h.taken.Load() && f.Write {
		kind = finding.ReadOnlyWrite
	}
	who := "the EDT panics there"
	if !f.Panic {
		who = "by a goroutine that is not the EDT's"
	}
	off := int(f.Addr - uintptrOf(h.view))
	one := h.finding(kind, fmt.Sprintf("byte %d of %d was %s, held in mode %v%s; %s",
		off, len(h.view), what, h.mode, h.came, who))
	one.Site = edt.SiteOf(f.PCs)
	k.report(one)
}
