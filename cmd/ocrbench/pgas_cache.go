package main

import (
	"fmt"
	"slices"

	"ocr/internal/topo"
)

// pgasCaches are the data caches that a processor uses, smallest first.
type pgasCaches []topo.Cache

func cachesOf(t *topo.Topology, cpu int) pgasCaches {
	return slices.DeleteFunc(slices.Clone(t.Caches), func(c topo.Cache) bool {
		return c.Type == "Instruction" || c.Size == 0 || !slices.Contains(c.CPUs, cpu)
	})
}

// size returns the bytes of a level, 0 where it is not known.
func (c pgasCaches) size(level int) int {
	for _, cache := range c {
		if cache.Level == level {
			return int(cache.Size)
		}
	}
	return 0
}

// level names the first cache that so many bytes fit.
func (c pgasCaches) level(bytes int) string {
	if len(c) == 0 {
		return "?"
	}
	for _, cache := range c {
		if uint64(bytes) <= cache.Size {
			return fmt.Sprintf("L%d", cache.Level)
		}
	}
	return "memory"
}

// fits names the cache level that what a row's transfers touch fits; nothing where the
// row moves nothing. What the partner has just written lies in its core's caches.
func (r *pgasRun) fits(k pgasKey) string {
	if !k.suiteTest().Uses.Bytes {
		return ""
	}
	level := r.caches.level(r.config(k).Footprint())
	if k.test == baseCopyFresh && !r.caches.shared(level, r.partnerCPU) {
		return "other core's " + level
	}
	return level
}

// shared reports whether a processor uses what level has named.
func (c pgasCaches) shared(level string, cpu int) bool {
	i := slices.IndexFunc(c, func(cache topo.Cache) bool { return fmt.Sprintf("L%d", cache.Level) == level })
	return i < 0 || slices.Contains(c[i].CPUs, cpu)
}
