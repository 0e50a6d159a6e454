package check

import (
	"ocr/edt"
	"ocr/internal/core/sys"
)

// sites caches the lines of observed calls by their stacks: finding the line is the largest cost of an observed call.
type sites struct {
	known map[uint64]*site
	pcs   [64]uintptr // as many as [edt.CallSite] looks at
}

// A site is what the cache has for one stack.
type site struct {
	line string // of the call; "" if no body makes it
	ends bool   // the body has nothing to do after the call
}

// sitesKept bounds the cache: recursive functions have many stacks.
const sitesKept = 1 << 14

// here is the site of the reported call.
func (s *sites) here() *site {
	hash, stack := uint64(0), s.pcs[:sys.Stack(s.pcs[:])]
	for _, pc := range stack {
		hash = (hash ^ uint64(pc)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 32
	}
	at := s.known[hash]
	if at == nil {
		if s.known == nil || len(s.known) == sitesKept {
			s.known = make(map[uint64]*site)
		}
		at = &site{edt.CallSite(), bodyEnds(stack)}
		s.known[hash] = at
	}
	return at
}
