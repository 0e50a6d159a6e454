package check

// word is the unit in which changes are kept: of each word it is known which of its bytes.
const word = 8

// words say which EDT changed each byte of a page last.
type words struct {
	writers []writer
	left    int      // of them when some were forgotten
	last    []uint32 // by word: the place in writers, from 1 on, of who changed it last; 0 for none
	bytes   []byte   // by word: bits, which of its bytes that one has
	shares  []share  // what earlier ones have of words of which the last has not all
	first   []uint32 // by word: the place of a share in shares, from 1 on; 0 for none. Nil if there never was one
	free    uint32   // place of one that is not used
	met     []meeting
}

// A writer is an EDT that has changed some words of a page, together.
type writer struct {
	by    cause
	exact bool // its bytes are all that it may have written, see layout
}

// A share is bytes of a word that a writer has changed.
type share struct {
	writer uint32
	next   uint32 // of the word
	bytes  byte
}

// A meeting is words of which both, a writer and one after it, have changed some, from lo to hi, before hi; and, if
// there are any, the same bytes.
type meeting struct {
	writer uint32
	lo, hi int
	same   bool
}

// writersKept is how many writers a page may have until those that have nothing any more are forgotten; or
// twice as many as are left.
const writersKept = 64

// change notes a change of words from lo on, of which mask has the bytes. It calls meets for each earlier
// writer that it meets. The page has so many words.
func (ws *words) change(size, lo int, mask []byte, by writer, meets func(w writer, m *meeting)) {
	if ws.last == nil {
		ws.last, ws.bytes = make([]uint32, size), make([]byte, size)
	}
	if len(ws.writers) >= max(writersKept, 2*ws.left) {
		ws.forget()
	}
	ws.writers = append(ws.writers, by)
	me := uint32(len(ws.writers))
	ws.met = ws.met[:0]
	for k, now := range mask {
		if now == 0 {
			continue
		}
		at := lo + k
		if ws.first != nil {
			ws.changeShares(at, now)
		}
		if old := ws.last[at]; old != 0 {
			ws.meet(old, at, ws.bytes[at]&now != 0)
			if rest := ws.bytes[at] &^ now; rest != 0 {
				ws.addShare(at, share{writer: old, bytes: rest})
			}
		}
		ws.last[at], ws.bytes[at] = me, now
	}
	for n := range ws.met {
		m := &ws.met[n]
		meets(ws.writers[m.writer-1], m)
	}
}

// changeShares takes bytes of a word from those that are not the last to have changed it.
func (ws *words) changeShares(at int, now byte) {
	for link := &ws.first[at]; *link != 0; {
		n := *link
		s := &ws.shares[n-1]
		ws.meet(s.writer, at, s.bytes&now != 0)
		if s.bytes &^= now; s.bytes != 0 {
			link = &s.next
			continue
		}
		*link, s.next, ws.free = s.next, ws.free, n
	}
}

func (ws *words) addShare(at int, s share) {
	if ws.first == nil {
		ws.first = make([]uint32, len(ws.last))
	}
	if ws.free == 0 {
		ws.shares = append(ws.shares, share{})
		ws.free = uint32(len(ws.shares))
	}
	n := ws.free
	ws.free, s.next = ws.shares[n-1].next, ws.first[at]
	ws.shares[n-1], ws.first[at] = s, n
}

// meet notes a word that an earlier writer has changed.
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

// forget drops the writers that no word has any more.
func (ws *words) forget() {
	place := make([]uint32, len(ws.writers)+1)
	var left []writer
	keep := func(old uint32) uint32 {
		if old != 0 && place[old] == 0 {
			left = append(left, ws.writers[old-1])
			place[old] = uint32(len(left))
		}
		return place[old]
	}
	for at, old := range ws.last {
		ws.last[at] = keep(old)
	}
	for n := range ws.shares {
		if s := &ws.shares[n]; s.bytes != 0 {
			s.writer = keep(s.writer)
		}
	}
	ws.writers, ws.left = left, len(left)
}
