package remote

import "slices"

// A rankSet is a set of ranks. Most sets are small.
type rankSet []int

func (s rankSet) has(r int) bool { return slices.Contains(s, r) }

// add adds a rank, unless it is in the set.
func (s *rankSet) add(r int) {
	if !s.has(r) {
		*s = append(*s, r)
	}
}

func (s *rankSet) remove(r int) { *s = slices.DeleteFunc(*s, func(k int) bool { return k == r }) }
