package check

import (
	"ocr/edt"
	"ocr/internal/sys"
)

// sites are the lines of calls that a worker was told of, by the stack: to find the line of one takes longer than all
// else that is done about the call.
type sites struct {
	known map[uint64]*site
	pcs   [64]uintptr // as many as [edt.CallSite] looks at
}

// A site is what is known of calls with one stack.
type site struct {
	line string // "" if no body makes them
	ends bool   // the body has nothing to do after them
}

// sitesKept bounds how many are known: calls from many depths have many stacks.
const sitesKept = 1 << 14

// here is what is known of the call that is reported.
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
