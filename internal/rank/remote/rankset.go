package remote

import "slices"

// A rankSet is a set of ranks: a word of bits, and a list of those that have no bit.
type rankSet struct {
	bits uint64
	more []int
}

const rankBits = 64

func (s *rankSet) has(r int) bool { return s.bits>>uint(r)&1 != 0 || slices.Contains(s.more, r) }
func (s *rankSet) empty() bool    { return s.bits == 0 && len(s.more) == 0 }

// add adds a rank that is not in the set.
func (s *rankSet) add(r int) {
	if r < rankBits {
		s.bits |= 1 << r
	} else {
		s.more = append(s.more, r)
	}
}

func (s *rankSet) remove(r int) {
	if r < rankBits {
		s.bits &^= 1 << r
	} else {
		s.more = slices.DeleteFunc(s.more, func(k int) bool { return k == r })
	}
}

func (s *rankSet) all(yield func(r int) bool) {
	for r := range rankBits {
		if s.bits>>r&1 != 0 && !yield(r) {
			return
		}
	}
	for _, r := range s.more {
		if !yield(r) {
			return
		}
	}
}
