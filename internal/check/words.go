package check

// word is the unit in which changes are kept: of each word it is known which of its bytes.
const word = 8

// words say which EDT changed each byte of a page last, as runs of words that one EDT changed at once. Of a word that
// several have changed bytes of, each has its own.
type words []run

// A run is words that an EDT has changed.
type run struct {
	lo    int    // the first, of the page
	bytes []byte // by word: bits, which of its bytes
	exact bool   // these are all the bytes that it may have written, see layout
	by    cause
}

// change notes a change, which may have the run's bytes for its own. It calls meets for each run with words that are
// changed again, from lo to hi, before hi: same says that some of their bytes are.
func (ws *words) change(n run, meets func(r *run, lo, hi int, same bool)) {
	left := (*ws)[:0]
	for _, r := range *ws {
		from, to := max(r.lo, n.lo), min(r.lo+len(r.bytes), n.lo+len(n.bytes))
		if from < to {
			if lo, hi, same := r.meet(&n, from, to); lo < hi {
				meets(&r, lo, hi, same)
			}
			r.trim()
		}
		if len(r.bytes) > 0 {
			left = append(left, r)
		}
	}
	clear((*ws)[len(left):])
	*ws = append(left, n)
}

// meet returns which of the words from from to to are changed by both, at the same bytes if there are any. Those are no
// longer r's.
func (r *run) meet(n *run, from, to int) (lo, hi int, same bool) {
	for w := from; w < to; w++ {
		old, now := &r.bytes[w-r.lo], n.bytes[w-n.lo]
		if *old == 0 || now == 0 {
			continue
		}
		again := *old&now != 0
		*old &^= now
		switch {
		case again && !same:
			lo, hi, same = w, w+1, true
		case again:
			hi = w + 1
		case same:
		case lo == hi:
			lo, hi = w, w+1
		default:
			hi = w + 1
		}
	}
	return lo, hi, same
}

// trim takes words of which nothing is left from both ends.
func (r *run) trim() {
	for len(r.bytes) > 0 && r.bytes[0] == 0 {
		r.lo, r.bytes = r.lo+1, r.bytes[1:]
	}
	for len(r.bytes) > 0 && r.bytes[len(r.bytes)-1] == 0 {
		r.bytes = r.bytes[:len(r.bytes)-1]
	}
}
