package plan

import (
	"slices"

	"ocr/datablock"
)

// checkModes finds two nodes that use a block in modes that exclude each other, and that no path of edges orders. In a
// run nothing else orders them: the run holds the block for all nodes.
//
// It looks at the users of each block in the order of the nodes. Users in RO exclude no user and are left out. The rest
// forms groups: users in RW, or in Const, that follow each other, and each user in EW alone. Users of neighbouring
// groups exclude each other. So each user of a group must have a path to each user of the next group. Users of groups
// that are not neighbours are then ordered through the groups between.
func (p *Plan) checkModes(g Graph) *Fault {
	users, begin, fault := p.usersByBlock(g)
	if fault != nil {
		return fault
	}
	s := search{p: p, seen: make([]uint32, g.Nodes), wanted: make([]uint32, g.Nodes)}
	for b := range g.Blocks {
		var before []Use
		for rest := users[begin[b]:begin[b+1]]; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Mode == rest[0].Mode && rest[0].Mode != datablock.EW {
				n++
			}
			for _, u := range before {
				if missed, is := s.misses(u.Node, rest[:n]); is {
					return &Fault{Why: Unordered, Node: missed.Node, First: u, Second: missed}
				}
			}
			before, rest = rest[:n], rest[n:]
		}
	}
	return nil
}

// usersByBlock lists the users of each block in the order of the nodes, without those in RO or Null. begin says where
// the list of each block begins. A node with a block on several slots is listed once; different modes are a fault.
func (p *Plan) usersByBlock(g Graph) (users []Use, begin []uint32, fault *Fault) {
	begin, first := make([]uint32, g.Blocks+1), make([]int, g.Nodes+1)
	for _, u := range g.Uses {
		first[u.Node+1]++
		if u.Block != None {
			begin[u.Block+1]++
		}
	}
	for b := range g.Blocks {
		begin[b+1] += begin[b]
	}
	for n := range g.Nodes {
		first[n+1] += first[n]
	}
	users = make([]Use, begin[g.Blocks])
	end := slices.Clone(begin[:g.Blocks])
	for _, n := range p.order {
		for slot, u := range g.Uses[first[n]:first[n+1]] {
			if u.Block == None || u.Mode == datablock.Null {
				continue
			}
			if e := end[u.Block]; e > begin[u.Block] && users[e-1].Node == n {
				if users[e-1].Mode != u.Mode {
					return nil, nil, &Fault{Why: Mixed, Node: n, First: users[e-1], Second: u, Slot: slot}
				}
				continue
			}
			users[end[u.Block]] = u
			end[u.Block]++
		}
	}
	return withoutRO(users, begin, end)
}

// withoutRO drops the users in RO, and closes the gaps between the lists.
func withoutRO(users []Use, begin, end []uint32) ([]Use, []uint32, *Fault) {
	kept := uint32(0)
	for b := range end {
		from := begin[b]
		begin[b] = kept
		for _, u := range users[from:end[b]] {
			if u.Mode != datablock.RO {
				users[kept] = u
				kept++
			}
		}
	}
	begin[len(end)] = kept
	return users, begin, nil
}

// A search looks for paths from a node to others.
type search struct {
	p            *Plan
	round        uint32
	seen, wanted []uint32 // for each node, the round in which the search has seen it, or looks for it
	queue        []uint32
}

// misses returns a target to which no path leads from a node, and reports whether there is one.
func (s *search) misses(from uint32, targets []Use) (missed Use, is bool) {
	s.round++
	last := uint32(0) // nodes behind the last target lead to no target
	for _, t := range targets {
		s.wanted[t.Node] = s.round
		last = max(last, s.p.place[t.Node])
	}
	left := len(targets)
	s.queue = append(s.queue[:0], from)
	for k := 0; k < len(s.queue) && left > 0; k++ {
		for _, to := range s.p.Successors(s.queue[k]) {
			if s.seen[to] == s.round || s.p.place[to] > last {
				continue
			}
			s.seen[to] = s.round
			if s.wanted[to] == s.round {
				left--
			}
			s.queue = append(s.queue, to)
		}
	}
	k := slices.IndexFunc(targets, func(t Use) bool { return s.seen[t.Node] != s.round })
	if left == 0 || k < 0 {
		return Use{}, false
	}
	return targets[k], true
}
