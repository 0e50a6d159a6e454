package check

import (
	"ocr/edt"
	"ocr/internal/sys"
)

// sites are the lines of calls that a worker was told of, by the stack: to find the line of one takes longer than all
// else that is done about the call.
type sites struct {
	known map[uint64]string
	pcs   [64]uintptr // as many as [edt.CallSite] looks at
}

// sitesKept bounds how many are known: calls from many depths have many stacks.
const sitesKept = 1 << 14

// here is the line of the call that is reported, "" if no body makes it.
func (s *sites) here() string {
	hash := uint64(0)
	for _, pc := range s.pcs[:sys.Stack(s.pcs[:])] {
		hash = (hash ^ uint64(pc)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 32
	}
	site, ok := s.known[hash]
	if !ok {
		if s.known == nil || len(s.known) == sitesKept {
			s.known = make(map[uint64]string)
		}
		site = edt.CallSite()
		s.known[hash] = site
	}
	return site
}
