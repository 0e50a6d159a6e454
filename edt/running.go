package edt

import "ocr/guid"

// What follows reads single words that workers write meanwhile, without synchronisation. The race detector leaves it
// alone: what is returned may be out of date.

// Began returns how many EDTs a worker has begun. Any goroutine may call it until [Graph.Close] is called, as
// [Graph.Created] and [Graph.Running].
//
//go:norace
func (g *Graph) Began(worker int) uint64 {
	if c := g.ctxs[worker].Load(); c != nil {
		return c.n.EDTRun
	}
	return 0
}

// Created returns how many EDTs a worker has created, less those that it has destroyed.
//
//go:norace
func (g *Graph) Created(worker int) uint64 {
	if c := g.ctxs[worker].Load(); c != nil {
		return c.n.EDTCreated - c.n.EDTDestroyed
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
