package edt

import (
	"slices"

	"ocr/datablock"
)

// Two nodes that name one block in modes that exclude each other must be ordered by a path of edges. In a run nothing
// else orders them: the run holds the block for all nodes.
//
// checkModes looks at the users of each block in the order of sortNodes. Users in RO exclude none and are left out. The
// others form groups: users in RW, or in Const, that follow each other, and each user in EW alone. Users of
// neighbouring groups exclude each other. So each user of a group must have a path to each of the next group; users of
// groups that are not neighbours are then ordered through those between.
func (s *sealing) checkModes(order []uint32) {
	users, begin := s.usersByBlock(order)
	p := paths{s: s, seen: make([]uint32, len(order)), wanted: make([]uint32, len(order))}
	for b := range s.first {
		var before []blockUse
		for rest := users[begin[b]:begin[b+1]]; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].mode == rest[0].mode && rest[0].mode != datablock.EW {
				n++
			}
			for _, u := range before {
				p.check(u, rest[:n])
			}
			before, rest = rest[:n], rest[n:]
		}
	}
}

// usersByBlock lists the users of each block but those in RO, in order, and where the list of each block begins. A node
// that names a block on several slots is listed once.
func (s *sealing) usersByBlock(order []uint32) (users []blockUse, begin []uint32) {
	begin = make([]uint32, len(s.first)+1)
	for _, u := range s.blocks {
		if u.block != noHold {
			begin[u.block+1]++
		}
	}
	for b := range s.first {
		begin[b+1] += begin[b]
	}
	users = make([]blockUse, begin[len(s.first)])
	end := slices.Clone(begin[:len(s.first)])
	for _, n := range order {
		k := &s.d.nodes[n]
		for slot, u := range s.blocks[k.slots : k.slots+k.depc] {
			if u.block == noHold || u.mode == datablock.Null {
				continue
			}
			if e := end[u.block]; e > begin[u.block] && users[e-1].node == n {
				if users[e-1].mode != u.mode {
					s.r.refuse(s.c, ErrMixedModes, k.at, "slot %d: %v, and %v on another slot", slot, u.mode, users[e-1].mode)
				}
				continue
			}
			users[end[u.block]] = u
			end[u.block]++
		}
	}
	kept := uint32(0)
	for b := range s.first {
		from := begin[b]
		begin[b] = kept
		for _, u := range users[from:end[b]] {
			if u.mode != datablock.RO {
				users[kept] = u
				kept++
			}
		}
	}
	begin[len(s.first)] = kept
	return users, begin
}

// paths searches the graph.
type paths struct {
	s            *sealing
	round        uint32
	seen, wanted []uint32 // for each node, the round in which the search has seen it, or looks for it
	queue        []uint32
}

// check ends the run if a node that uses a block has no path to one of the targets.
func (p *paths) check(from blockUse, targets []blockUse) {
	p.round++
	last := uint32(0) // nodes after the last target lead to none
	for _, t := range targets {
		p.wanted[t.node] = p.round
		last = max(last, p.s.place[t.node])
	}
	left := len(targets)
	p.queue = append(p.queue[:0], from.node)
	for k := 0; k < len(p.queue) && left > 0; k++ {
		for _, to := range p.s.successors(p.queue[k]) {
			if p.seen[to] == p.round || p.s.place[to] > last {
				continue
			}
			p.seen[to] = p.round
			if p.wanted[to] == p.round {
				left--
			}
			p.queue = append(p.queue, to)
		}
	}
	if left == 0 {
		return
	}
	for _, t := range targets {
		if p.seen[t.node] != p.round {
			p.refuse(from, t)
		}
	}
}

func (p *paths) refuse(a, b blockUse) {
	s := p.s
	first, second := &s.d.nodes[a.node], &s.d.nodes[b.node]
	s.r.refuse(s.c, ErrUnordered, second.at,
		"this node of template %s has %v in mode %v, and the node of template %s added at %s in mode %v",
		second.template.name,
		s.ids[s.first[b.block]], b.mode, first.template.name, s.r.where(a.node), a.mode)
}
