package check

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/runtime/finding"
)

// An exposure says that an EDT was satisfied with a block by another EDT that still held the block and could write.
type exposure struct {
	by   *view
	to   *node // the EDT that was satisfied; nil while the block passes through events
	site string
}

// offers returns what a satisfaction with a block exposes: the calling EDT's view, if the EDT may write to it.
func (w *worker) offers(block guid.GUID) (all []exposure) {
	by, site := w.caller()
	if by.from == nil || block.IsNull() {
		return nil
	}
	if v := by.from.views[block]; v != nil && v.bytes != nil && v.writes() {
		all = append(all, exposure{by: v, site: site})
	}
	return all
}

// expose records that an EDT was satisfied with a block that the sender still held. That is no exposure if mode EW, of
// the EDT or of the sender, makes them hold the block in turns. An EDT in mode RO waits for no other.
func (k *Checker) expose(n *node, slot int, block guid.GUID, offers []exposure) {
	mode := n.mode(slot)
	for _, o := range offers {
		o.to = n
		switch {
		case o.by.id != block || mode == datablock.EW || o.by.mode == datablock.EW && mode != datablock.RO:
		case o.by.published == 0:
			o.by.exposed = append(o.by.exposed, o)
		case o.by.changed:
			n.exposed = append(n.exposed, o)
		}
	}
}

// judgeExposures reports, at the release of v, the EDTs that have already begun with its block, if v has changed the
// block. An EDT that has not begun is judged when it begins.
func (k *Checker) judgeExposures(v *view) {
	for _, e := range v.exposed {
		switch {
		case !v.changed:
		case e.to.begin != 0:
			k.reportExposure(e)
		default:
			e.to.exposed = append(e.to.exposed, e)
		}
	}
	v.exposed = nil
}

// settleExposures judges the exposures to an EDT that begins.
func (k *Checker) settleExposures(n *node) {
	for _, e := range n.exposed {
		if !k.ordered(cause{from: e.by.node, at: e.by.published}, n) {
			k.reportExposure(e)
		}
	}
	n.exposed = nil
}

func (k *Checker) reportExposure(e exposure) {
	e.to.early = append(e.to.early, e.by.node)
	k.report(e.to.against(e.by.finding(finding.EarlyExposure, e.site,
		"it was satisfied with the block, which this EDT had yet to release")))
}
