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

// leastRegion is what the random tests draw from, at least.
const leastRegion = 1 << 20

// fits names the cache level that the buffers at both ends of a row's transfers fit
// together; nothing where the row moves nothing.
func (r *pgasRun) fits(k pgasKey) string {
	u := k.suiteTest().Uses
	if !u.Bytes {
		return ""
	}
	source, target := k.bytes, k.bytes
	switch {
	case k.stream:
		source, target = max(2*r.flags.l2, k.bytes), max(2*r.flags.l2, k.bytes)
	case u.Stride:
		source, target = k.bytes*max(1, k.stride), k.bytes
		if k.strided == "both" {
			target = source
		}
	}
	if u.Random {
		source = max(leastRegion, 2*source)
	}
	return r.caches.level(source + target)
}
