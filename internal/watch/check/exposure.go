package check

import (
	"slices"

	"ocr/guid"
	"ocr/runtime/finding"
)

// An exposure is an EDT that was satisfied with a block by an EDT that still held it.
type exposure struct {
	to   *node
	site string
}

// A pendingExposure is an exposure to an EDT that has not begun.
type pendingExposure struct {
	*hold
	exposure
}

// offers returns the holds that a satisfaction with a block exposes: that of the EDT that runs, and that of the caller
// of the deferred call that it carries out.
func (w *worker) offers(block guid.GUID) (all []offer) {
	if block.IsNull() {
		return nil
	}
	if n := w.self(); n != nil {
		if h := n.holds[block]; h != nil && h.writes() {
			all = append(all, offer{h, w.sites.here()})
		}
	}
	if w.resumed == nil {
		return all
	}
	for _, c := range w.resumed.causes {
		if c.from == nil {
			continue
		}
		if h := c.from.holds[block]; h != nil && h.writes() {
			all = append(all, offer{h, w.resumed.site})
		}
	}
	return all
}

// expose records that an EDT was satisfied with a block that the sender still held.
func (k *Checker) expose(n *node, block guid.GUID, offers []offer) {
	for i, o := range offers {
		if o.by.block.id != block || slices.ContainsFunc(offers[:i], func(p offer) bool { return p.by == o.by }) {
			continue
		}
		e := exposure{n, o.site}
		switch {
		case o.by.published == 0:
			o.by.exposed = append(o.by.exposed, e)
		case o.by.changed:
			k.pending[n] = append(k.pending[n], pendingExposure{o.by, e})
		}
	}
}

// judgeExposures reports the EDTs that were satisfied with a block before its release by h, unless they began after the
// release anyway. An EDT that has not begun is judged when it begins.
func (k *Checker) judgeExposures(h *hold) {
	if h.changed {
		for _, e := range h.exposed {
			if e.to.begin != 0 {
				k.reportExposure(h, e)
				continue
			}
			k.pending[e.to] = append(k.pending[e.to], pendingExposure{h, e})
		}
	}
	h.exposed = nil
}

// settleExposures judges the pending exposures to an EDT that begins.
func (k *Checker) settleExposures(n *node) {
	for _, p := range k.pending[n] {
		if !k.ordered(p.node, p.published, n) {
			k.reportExposure(p.hold, p.exposure)
		}
	}
	delete(k.pending, n)
}

func (k *Checker) reportExposure(h *hold, e exposure) {
	f := h.finding(finding.EarlyExposure, "it was satisfied with the block, which this EDT had yet to release")
	f.Site = e.site
	k.report(e.to.against(f))
}
