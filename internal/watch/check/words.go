package check

// word is the unit of changes, which have a bit for each of its bytes.
const word = 8

// words has the last writer of each byte of a page.
type words struct {
	writers []writer
	left    int      // number of writers after the last call of forget
	last    []uint32 // by byte: the place in writers, from 1 on, of its last writer; 0 for none
	met     []meeting
}

// A writer is an EDT that has changed some words of a page, together.
type writer struct {
	by    cause
	exact bool // it has written no other bytes, see layout
}

// A meeting is the range of words, lo to hi-1, that a writer and a later one have both changed. If same is set, it is
// the range in which both have changed the same bytes.
type meeting struct {
	writer uint32
	lo, hi int
	same   bool
}

// writersKept is the least number of writers of a page at which those that are last of no byte are dropped.
const writersKept = 64

// change records a change of the bytes in mask, of words from lo on, in a page of size words. It calls meets for each
// earlier writer of these words.
func (ws *words) change(size, lo int, mask []byte, by writer, meets func(w writer, m *meeting)) {
	if ws.last == nil {
		ws.last = make([]uint32, size*word)
	}
	if len(ws.writers) >= max(writersKept, 2*ws.left) {
		ws.forget()
	}
	ws.writers = append(ws.writers, by)
	ws.met = ws.met[:0]
	for k, now := range mask {
		if now == 0 {
			continue
		}
		at := lo + k
		for b := range word {
			last, same := &ws.last[at*word+b], now>>b&1 != 0
			if *last != 0 {
				ws.meet(*last, at, same)
			}
			if same {
				*last = uint32(len(ws.writers))
			}
		}
	}
	for n := range ws.met {
		m := &ws.met[n]
		meets(ws.writers[m.writer-1], m)
	}
}

// meet records a word that an earlier writer has changed.
func (ws *words) meet(old uint32, at int, same bool) {
	var m *meeting
	for n := len(ws.met) - 1; n >= 0 && m == nil; n-- {
		if ws.met[n].writer == old {
			m = &ws.met[n]
		}
	}
	switch {
	case m == nil:
		ws.met = append(ws.met, meeting{old, at, at + 1, same})
	case same && !m.same:
		m.lo, m.hi, m.same = at, at+1, true
	case same == m.same:
		m.hi = at + 1
	}
}

// forget drops the writers that are the last of no byte: at most those of each byte of a page are left.
func (ws *words) forget() {
	place := make([]uint32, len(ws.writers)+1)
	var left []writer
	for at, old := range ws.last {
		if old != 0 && place[old] == 0 {
			left = append(left, ws.writers[old-1])
			place[old] = uint32(len(left))
		}
		ws.last[at] = place[old]
	}
	ws.writers, ws.left = left, len(left)
}
