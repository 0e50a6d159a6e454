package check

// word is the unit of writes: two EDTs may change different words of a block.
const word = 8

// words say which EDT changed each word of a page last, as runs of words that one EDT
// changed at once, in order. Words that nobody changed are in none.
type words []run

// A run is words from lo to hi, before hi.
type run struct {
	lo, hi int
	by     cause
}

// change notes a change of the words from lo to hi, and calls earlier for each run, or
// part of one, that it replaces.
func (ws *words) change(lo, hi int, by cause, earlier func(run)) {
	old := *ws
	first := 0
	for first < len(old) && old[first].hi <= lo {
		first++
	}
	last := first
	var with [3]run
	fresh := with[:0]
	for ; last < len(old) && old[last].lo < hi; last++ {
		r := old[last]
		earlier(run{max(r.lo, lo), min(r.hi, hi), r.by})
	}
	if last == first+1 && old[first].lo == lo && old[first].hi == hi {
		old[first].by = by
		return
	}
	if first < last && old[first].lo < lo {
		fresh = append(fresh, run{old[first].lo, lo, old[first].by})
	}
	fresh = append(fresh, run{lo, hi, by})
	if first < last && old[last-1].hi > hi {
		fresh = append(fresh, run{hi, old[last-1].hi, old[last-1].by})
	}
	*ws = append(old[:first:first], append(fresh, old[last:]...)...)
}
