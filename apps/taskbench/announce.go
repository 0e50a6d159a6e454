package taskbench

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// announce announces to the producers of a column its EDTs up to step t+ahead, and that it has read their outputs up to
// step t-1. They take the announcement half a window later.
func (g *graph) announce(c *edt.Ctx, col *column, block guid.GUID, t int) {
	for _, to := range col.producers {
		if g.columns[to.column].has(t + g.half) {
			c.Satisfy(g.channels[to.column][to.place], block)
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
func (g *graph) awaitAnnouncements(c *edt.Ctx, i int, id guid.GUID, slot int) {
	for place, consumer := range g.columns[i].consumers {
		c.AddDependence(g.channels[i][place], id, slot+place, g.passing(consumer, i))
	}
}

// takeAnnouncements takes announcements: the EDTs that follow on step t, for half a window.
func (g *graph) takeAnnouncements(deps []datablock.Dep, col *column, words []uint64, t int) {
	slot := col.sets[g.setOf(t)].slots
	for place, consumer := range col.consumers {
		from, other := words, &g.columns[consumer]
		if other.tile != col.tile {
			from = datablock.Slice[uint64](&deps[slot+place])
		}
		peers := words[col.peersAt+guidWords*g.half*place:][:guidWords*g.half]
		for k := range g.half {
			copy(peers[guidWords*k:][:guidWords], from[g.name(other, t+k+1):])
		}
	}
}
