package predict

import (
	"math"
	"slices"

	"ocr/edt"
)

// An item is a ready EDT in a list, since a virtual time.
type item struct {
	task  edt.Ready
	since int64
}

// Rounds are those of package runtime.
const (
	roundLen = 61
	fairness = 64
)

// lists are the EDTs that a worker has, as docs/scheduler.md says. The newest is the last.
type lists struct {
	slot   item // task 0: empty
	deque  []item
	bound  []item
	ranked [2][]item // with a priority; the second list has bound ones. The one to run first is the last
	inbox  []edt.Ready

	left, rounds             int
	turn                     int
	markedBound, markedDeque int
}

// stealable is how many EDTs others may take.
func (l *lists) stealable() int { return min(1, int(l.slot.task)) + len(l.deque) + len(l.ranked[0]) }

// enqueue puts an EDT where it belongs, and reports whether others may take it.
func (l *lists) enqueue(i item) bool {
	strict := i.task.Place().Strict()
	switch p := i.task.Priority(); {
	case p != 0:
		list := &l.ranked[0]
		if strict {
			list = &l.ranked[1]
		}
		at, _ := slices.BinarySearchFunc(*list, p, func(o item, p int8) int { return int(o.task.Priority()) - int(p) })
		*list = slices.Insert(*list, at, i)
	case strict:
		l.bound = append(l.bound, i)
	default:
		l.deque = append(l.deque, i)
	}
	return !strict
}

// unslot moves the EDT in the slot to the deque.
func (l *lists) unslot() {
	if l.slot.task != 0 {
		l.deque = append(l.deque, l.slot)
		l.slot = item{}
	}
}

// mark notes the lengths of the lists, for insertBelow: a body has called Again.
func (l *lists) mark() {
	l.unslot()
	l.markedBound, l.markedDeque = len(l.bound), len(l.deque)
}

// insertBelow puts an EDT below those that came since the mark.
func (l *lists) insertBelow(i item) {
	l.unslot()
	if i.task.Place().Strict() {
		l.bound = slices.Insert(l.bound, min(l.markedBound, len(l.bound)), i)
		return
	}
	l.deque = slices.Insert(l.deque, min(l.markedDeque, len(l.deque)), i)
}

// next takes the EDT that the worker runs next, 0 for none.
func (l *lists) next() edt.Ready {
	if l.rounds < 0 {
		l.rounds = fairness - 1
		if k := l.oldest(); k != 0 {
			return k
		}
	}
	if k := l.preferred(1); k != 0 {
		return k
	}
	if k := l.slot.task; k != 0 {
		l.slot = item{}
		return k
	}
	for _, list := range []*[]item{&l.bound, &l.deque} {
		if n := len(*list); n > 0 {
			return take(list, n-1)
		}
	}
	return l.preferred(math.MinInt8)
}

// preferred takes the EDT with the highest priority, if that is not below least.
func (l *lists) preferred(least int) edt.Ready {
	best := -1
	for k, list := range l.ranked {
		if n := len(list); n > 0 && int(list[n-1].task.Priority()) >= least {
			best, least = k, int(list[n-1].task.Priority())
		}
	}
	if best < 0 {
		return 0
	}
	return take(&l.ranked[best], len(l.ranked[best])-1)
}

// oldest takes the oldest EDT of one list, each in turn.
func (l *lists) oldest() edt.Ready {
	l.turn++
	l.unslot()
	all := []*[]item{&l.deque, &l.bound, &l.ranked[0], &l.ranked[1]}
	for n := range all {
		if list := all[(l.turn+n)%len(all)]; len(*list) > 0 {
			return take(list, 0)
		}
	}
	return 0
}

// endRound begins the next round. again: a chain goes on.
func (l *lists) endRound(again bool) {
	l.left = roundLen
	if l.rounds--; !again {
		l.rounds = -1
	}
}

// steal takes an EDT for a thief, 0 for none. A single one must lie there since seen, the thief's look before.
func (l *lists) steal(seen int64) edt.Ready {
	if n := len(l.deque); n > 1 || n == 1 && l.deque[0].since <= seen {
		return take(&l.deque, 0)
	}
	if n := len(l.ranked[0]); n > 0 {
		return take(&l.ranked[0], n-1)
	}
	if k := l.slot; k.task != 0 && k.since <= seen {
		l.slot = item{}
		return k.task
	}
	return 0
}

// take takes the first or the last item out of a list.
func take(list *[]item, at int) edt.Ready {
	l := *list
	k := l[at].task
	if at == 0 && len(l) > 1 {
		*list = l[1:]
	} else {
		*list = l[:at] // at is the last
	}
	return k
}
