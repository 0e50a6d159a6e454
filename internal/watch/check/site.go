package check

import (
	"ocr/internal/core/sys"
	"ocr/internal/graph/site"
)

// sites caches the lines of observed calls by their stacks: to find the line costs more than the rest of an observed
// call.
type sites struct {
	known map[uint64]string
	pcs   [64]uintptr // as many as [site.OfCall] reads
}

// sitesKept is the largest size of the cache: recursive functions have many stacks.
const sitesKept = 1 << 14

// here returns the line of the reported call, "" if no body makes it.
func (s *sites) here() string {
	hash := uint64(0)
	for _, pc := range s.pcs[:sys.Stack(s.pcs[:])] {
		hash = (hash ^ uint64(pc)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 32
	}
	line, known := s.known[hash]
	if !known {
		if s.known == nil || len(s.known) == sitesKept {
			s.known = make(map[uint64]string)
		}
		line = site.OfCall()
		s.known[hash] = line
	}
	return line
}
