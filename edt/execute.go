package edt

import "ocr/guid"

// Execute runs a ready EDT, and returns an EDT that became ready at its end and should run next on this worker, 0 for
// none. The host calls it once for each EDT that it was handed by [Host.Ready], in a [NextSlot] or by Execute.
//
// A panic of the body, or a misuse in it, leaves Execute as a panic: the host recovers it and calls [Worker.Recovered].
func (w *Worker) Execute(r Ready) Ready {
	c := &w.ctx
	i := r.index()
	t := c.edts.At(i)
	if t.scope != c.scope {
		if t.scope&scopeOfGraph != 0 {
			return c.executeNode(i, t)
		}
		c.enterScope(t.scope)
	}
	t.phase = phaseRunning
	c.current = i
	var tmpl *Template
	if index := t.code & templateMask; int(index) < len(c.registry) {
		tmpl = c.registry[index]
	} else {
		tmpl = c.templateOf(t)
	}
	if n := tmpl.small; n > 0 {
		c.params = t.params[:n]
	} else if c.params = c.params[:0]; n < 0 {
		c.takeParams(t)
	}
	if t.depc != 0 {
		k := i % viewCount
		a := &c.views[k]
		switch {
		case a.edt == i && a.tag == t.Tag():
			c.inUse, c.deps = k, a.deps[:t.depc&(2*inlineSlots-1)]
			c.releasedUpTo, c.held = 0, a.held
		case t.blockless():
			c.deps = c.noBlocks[:t.depc&(2*inlineSlots-1)]
			c.releasedUpTo, c.held = noOrder, 0
		default:
			c.describe(i, t)
		}
	} else if len(c.deps) != 0 {
		c.deps, c.held = c.deps[:0], 0
	}
	c.n.EDTRun++
	if c.obs != nil {
		return c.executeObserved(i, t, tmpl)
	}
	if ret := tmpl.fn(c, Args{c}); c.hasMoreAtEnd(t, ret) {
		return c.finishSlow(i, t, ret)
	}
	c.current = 0
	if !c.tryEnd(i, t) {
		c.endEDT(i, t)
	}
	return 0
}

// templateOf is [Ctx.template], and takeParams sets c.params; neither is inlined, so that what most EDTs do not need
// is out of the way.
//
//go:noinline
func (c *Ctx) templateOf(t *edtRecord) *Template { return c.template(t) }

//go:noinline
func (c *Ctx) takeParams(t *edtRecord) { c.params = c.g.paramsOf(t) }

func (c *Ctx) executeObserved(i uint32, t *edtRecord, tmpl *Template) Ready {
	self := c.Self()
	c.releasedUpTo = noOrder // no fast paths: they report nothing
	recorded := c.hideControls()
	c.obs.EDTBegin(self, tmpl, Args{c})
	ret := tmpl.fn(c, Args{c})
	if recorded {
		c.endHidden(ret)
		ret = guid.Null
	}
	c.obs.EDTReturned(self)
	next := c.finish(i, t, ret)
	c.obs.EDTEnded(self)
	return next
}
