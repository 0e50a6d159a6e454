package taskbench

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// create creates the EDT of (t,i). Slots without an input are satisfied at once; that of the column's own block stays
// open, so it cannot run.
func (g *graph) create(c *edt.Ctx, i, t int) guid.GUID {
	col := &g.columns[i]
	if g.flaw != nil {
		if id := g.flaw.create(g, c, t, i); !id.IsNull() {
			return id
		}
	}
	set := g.setOf(t)
	slots, turn := col.slots[set], g.isTurn(t)
	if turn {
		slots += len(col.consumers)
	}
	id := g.newTask(c, i, t, slots)
	if !col.complete.has(t) {
		for _, in := range col.others(set) {
			if !in.there.has(t) {
				c.AddDependence(guid.Null, id, in.slot, datablock.Null)
			}
		}
	}
	if turn {
		g.awaitAnnouncements(c, col, i, id, t)
	}
	return id
}

// send passes the output of step t on to the tasks that take it. It reads their GUIDs before it releases the block.
func (g *graph) send(c *edt.Ctx, block guid.GUID, col *column, words []uint64, t, i int) {
	set := g.setOf(t + 1)
	gives, all, step := col.gives[set], col.wanted.has(t), guidWords*(t&g.peerMask)
	targets, n := g.spare[c.Worker()].targets[:len(gives)], 0
	for k := range gives {
		if to := &gives[k]; all || col.outputs[set][k].taken.has(t) {
			at := &targets[n]
			at.edt, at.slot, at.mode = getGUID(words, int(to.peer)+step), int(to.slot), to.mode
			n++
		}
	}
	targets = targets[:n]
	c.Release(block)
	if g.flaw != nil {
		targets = g.flaw.send(g, c, t, i, targets)
	}
	for k := range targets {
		to := &targets[k]
		c.AddDependence(block, to.edt, to.slot, to.mode)
	}
}

// announce announces to the producers of a column its EDTs up to step t+ahead, and that it has read their outputs up to
// step t-1. They take the announcement half a window later.
func (g *graph) announce(c *edt.Ctx, col *column, block guid.GUID, t int) {
	for _, to := range col.producers {
		if g.columns[to.producer].has(t + g.half) {
			c.Satisfy(g.channels[to.producer][to.place], block)
		}
	}
}

// announceFirst makes the announcements of a column that are due before its first step.
func (g *graph) announceFirst(c *edt.Ctx, col *column) {
	for t := 0; t < col.first; t += g.half {
		g.announce(c, col, g.blocks[col.tile], t)
	}
}

// awaitAnnouncements connects the last slots of a turn: announcements that were made
// half a window before. No consumer has ended by then, because producers end first.
func (g *graph) awaitAnnouncements(c *edt.Ctx, col *column, i int, id guid.GUID, t int) {
	slot := col.slots[g.setOf(t)]
	for place, consumer := range col.consumers {
		mode := datablock.RO
		if g.columns[consumer].tile == col.tile {
			mode = datablock.Null
		}
		c.AddDependence(g.channels[i][place], id, slot+place, mode)
	}
}

// takeAnnouncements takes announcements: the EDTs that follow on step t, for half a window.
func (g *graph) takeAnnouncements(in edt.Args, col *column, words []uint64, t, slot int) {
	for place, consumer := range col.consumers {
		from, other := words, &g.columns[consumer]
		if other.tile != col.tile {
			from = datablock.Slice[uint64](in.Dep(slot + place))
		}
		peers := words[col.peersAt+guidWords*g.half*place:][:guidWords*g.half]
		for k := range g.half {
			copy(peers[guidWords*k:][:guidWords], from[g.name(other, t+k+1):])
		}
	}
}

// destroy destroys what is left of a graph when its columns have ended.
func (g *graph) destroy(c *edt.Ctx) {
	for _, block := range g.blocks {
		if !block.IsNull() {
			c.DestroyBlock(block)
		}
	}
	for _, channels := range g.channels {
		for _, channel := range channels {
			c.DestroyEvent(channel)
		}
	}
	g.destroyRecorded(c)
	for _, t := range g.templates {
		if t != nil {
			c.DestroyTemplate(t)
		}
	}
}

// putGUID and getGUID keep a GUID in a block.
func putGUID(words []uint64, at int, g guid.GUID) { words[at], words[at+1] = g.Words() }

func getGUID(words []uint64, at int) guid.GUID { return guid.FromWords(words[at], words[at+1]) }
