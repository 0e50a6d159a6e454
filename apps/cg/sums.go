package cg

import (
	"ocr/edt"
	"ocr/task"
)

// Sums over ranks: an EDT on each rank gathers what its slabs and the ranks on either side add.

// members is the channels that an EDT takes parts from, behind the link by which it sends them on.
type members = task.Headed[link, channel]

// gather sends on what slabs of its rank and EDTs of others send to a sum. The event that replies to that goes on to
// their events.
func gather(c *edt.Ctx, p task.Nothing, own task.RO[members], parts task.List[task.RO[part]], _ task.List[task.After]) {
	l, from := task.Head(own), task.Rest(own)
	to := sender{Done: task.Head(parts.At(0)).Done}
	if to.Done {
		destroy(c, from)
	} else {
		to.Reply = task.Counted[scalars](c, parts.Len())
		gatherTask.Again(c, p, task.Source[members]{}, sources(from), nil)
	}
	var all []float64
	for i := range parts.Len() {
		if !to.Done {
			task.Head(parts.At(i)).Reply.Port().Connect(c, to.Reply.From())
		}
		all = append(all, task.Rest(parts.At(i))...)
		parts.At(i).Destroy(c)
	}
	if !to.Done || l.Last {
		l.send(c, to, all...)
	}
	if to.Done {
		own.Destroy(c)
	}
}

// middle is the slabs of that rank of some which adds up the sums of all.
func middle(ranks [][]int) []int { return ranks[(len(ranks)-1)/2] }

// link returns the channels of the sums of some ranks, which the slabs of the middle one use, and an EDT for the ranks
// on each side: so they are a tree.
func (s system) link(c *edt.Ctx, ranks [][]int, last bool) (from []channel) {
	half, at := (len(ranks)-1)/2, s.heads[middle(ranks)[0]].At
	side := func(ranks [][]int) {
		if len(ranks) == 0 {
			return
		}
		parts, place := s.link(c, ranks, true), s.heads[middle(ranks)[0]].At
		own, l, to := task.MakeHeaded[link, channel](c, len(parts))
		*l = link{Sum: task.Channel[part](c, 1, at), Last: last}
		copy(to, parts)
		from = append(from, l.Sum)
		own.Release(c)
		gatherTask.NewWith(c, task.Opt{At: place}, task.Nothing{}, own.From(), sources(parts), nil)
	}
	side(ranks[:half])
	for _, i := range middle(ranks) {
		h := s.heads[i]
		h.Link = link{task.Channel[scalars](c, 1, h.At), task.Channel[part](c, 1, at), last}
		from = append(from, h.Link.Sum)
	}
	side(ranks[half+1:])
	return from
}
