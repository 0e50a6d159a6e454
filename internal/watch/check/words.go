package check

// word is the unit of changes, which have a bit for each of its bytes.
const word = 8

// words has the last writer of each byte of a page.
type words struct {
	writers []writer
	left    int      // number of writers after the last call of forget
	last    []uint32 // by word: the place in writers, from 1 on, of its last writer; 0 for none
	bytes   []byte   // by word: a bit for each byte that its last writer has changed
	shares  []share  // bytes of earlier writers in words that the last writer has changed in part
	first   []uint32 // by word: the place of a share in shares, from 1 on; 0 for none. Nil if there never was one
	free    uint32   // head of the free list in shares
	met     []meeting
}

// A writer is an EDT that has changed some words of a page, together.
type writer struct {
	by    cause
	exact bool // it has written no other bytes, see layout
}

// A share is the bytes of a word of which an earlier writer is the last.
type share struct {
	writer uint32
	next   uint32 // share of the same word
	bytes  byte
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

// changeShares removes bytes of a word from the shares of earlier writers.
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

// forget drops the writers that are the last of no byte.
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
