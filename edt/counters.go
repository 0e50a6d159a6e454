package edt

import "ocr/guid"

// Counters count what EDT code did in a run, each worker for itself.
type Counters struct {
	EDTCreated, EDTRun, EDTDestroyed   uint64 // destroyed: by a call, never run
	EventCreated, EventDestroyed       uint64 // destroyed: by a call or by itself
	EventSatisfied                     uint64 // calls of Satisfy, SatisfySlot and Pass
	BlockCreated, BlockDestroyed       uint64
	TemplateCreated, TemplateDestroyed uint64 // templates of the run
	DependenceAdded                    uint64 // calls of AddDependence
}

// Add adds the counts of d to c.
func (c *Counters) Add(d *Counters) {
	c.EDTCreated += d.EDTCreated
	c.EDTRun += d.EDTRun
	c.EDTDestroyed += d.EDTDestroyed
	c.EventCreated += d.EventCreated
	c.EventDestroyed += d.EventDestroyed
	c.EventSatisfied += d.EventSatisfied
	c.BlockCreated += d.BlockCreated
	c.BlockDestroyed += d.BlockDestroyed
	c.TemplateCreated += d.TemplateCreated
	c.TemplateDestroyed += d.TemplateDestroyed
	c.DependenceAdded += d.DependenceAdded
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	return map[string]uint64{
		"edt.created":        c.EDTCreated,
		"edt.run":            c.EDTRun,
		"edt.destroyed":      c.EDTDestroyed,
		"event.created":      c.EventCreated,
		"event.destroyed":    c.EventDestroyed,
		"event.satisfied":    c.EventSatisfied,
		"block.created":      c.BlockCreated,
		"block.destroyed":    c.BlockDestroyed,
		"template.created":   c.TemplateCreated,
		"template.destroyed": c.TemplateDestroyed,
		"dependence.added":   c.DependenceAdded,
	}
}

// The methods below read single words that workers write meanwhile, without synchronisation, so what they return may be
// out of date. The race detector does not look at them.

// Began returns how many EDTs a worker has begun. Any goroutine may call it and [Graph.Running] until [Graph.Close] is
// called.
//
//go:norace
func (g *Graph) Began(worker int) uint64 {
	if c := g.ctxs[worker].Load(); c != nil {
		return c.n.EDTRun
	}
	return 0
}

// Running returns the EDT that a worker runs, and the name of its template; Null if it runs none.
//
//go:norace
func (g *Graph) Running(worker int) (id guid.GUID, template string) {
	c := g.ctxs[worker].Load()
	if c == nil || c.current == 0 {
		return guid.Null, ""
	}
	r := c.running()
	var t edtRecord
	t.Header, t.code = r.Header, r.code
	if tmpl := g.template(&t); tmpl != nil {
		template = tmpl.name
	}
	return g.edtGUID(c.current, &t), template
}
