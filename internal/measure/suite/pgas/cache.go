package pgas

import (
	"fmt"
	"slices"

	"ocr/internal/core/topo"
)

// caches are the data caches that a processor uses, smallest first.
type caches []topo.Cache

func cachesOf(t *topo.Topology, cpu int) caches {
	return slices.DeleteFunc(slices.Clone(t.Caches), func(c topo.Cache) bool {
		return c.Type == "Instruction" || c.Size == 0 || !slices.Contains(c.CPUs, cpu)
	})
}

// size returns the bytes of a level, 0 if it is not known.
func (c caches) size(level int) int {
	for _, cache := range c {
		if cache.Level == level {
			return int(cache.Size)
		}
	}
	return 0
}

// fits names the smallest cache of PE 0's processor that holds what a key's transfers touch.
func (r *run) fits(k key) string {
	if len(r.caches) == 0 {
		return "?"
	}
	bytes := uint64(r.config(k).Footprint())
	i := slices.IndexFunc(r.caches, func(c topo.Cache) bool { return bytes <= c.Size })
	if i < 0 {
		return "memory"
	}
	return fmt.Sprintf("L%d", r.caches[i].Level)
}
