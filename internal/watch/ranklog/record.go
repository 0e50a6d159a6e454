package ranklog

import (
	"encoding/binary"

	"ocr/datablock"
	"ocr/guid"
)

// A kind is a method of [edt.Observer], or of [Reader].
type kind uint8

const (
	created kind = iota + 1
	ready
	begins
	returned
	ended
	destroyed
	eventCreated
	eventSatisfied
	eventDestroyed
	depends
	slotSatisfied
	blockCreated
	blockReleased
	blockSynchronised
	blockUnordered
	blockDestroyed
	scopeOpened
	scopeClosed
	callDeferred
	callResumed
	labelTaken
	messageSent
	messageCame
	messageDone
	said
	cutHere // the limit was reached
	logEnds // a rank has left the run
)

// A Record is one call of an observer.
type Record struct {
	Moment uint64
	Worker int  // number among all ranks: those of rank 0, its courier, those of rank 1, ...
	Rank   int  // of the worker
	Self   bool // the worker runs an EDT, and that makes the call
	kind   kind
	N      int // slot, type, size, call, rank, or allowed uses
	Mode   datablock.Mode
	At     int64 // when an EDT has begun or returned: ns, of the machine's clock
	A      guid.GUID
	B      guid.GUID
	C      guid.GUID
	Site   string // line of the call
	Name   string // of an EDT's template
	About  string // the template's description of the EDT
	Deps   []Dep
	Data   []byte
	from   uint64 // of messageCame: moment of the sending
}

// A Dep is a dependence of an EDT that begins.
type Dep struct {
	Block guid.GUID
	Mode  datablock.Mode
	Name  string // of the slot
}

// Which parts a record has, in the order in which they are written.
const (
	hasSelf = 1 << iota
	hasN
	hasMode
	hasAt
	hasA
	hasB
	hasC
	hasSite
	hasName
	hasAbout
	hasDeps
	hasData
	hasFrom
)

// parts says which parts a record has.
func (r *Record) parts() (all uint64) {
	has := func(part uint64, is bool) {
		if is {
			all |= part
		}
	}
	has(hasSelf, r.Self)
	has(hasN, r.N != 0)
	has(hasMode, r.Mode != 0)
	has(hasAt, r.At != 0)
	has(hasA, !r.A.IsNull())
	has(hasB, !r.B.IsNull())
	has(hasC, !r.C.IsNull())
	has(hasSite, r.Site != "")
	has(hasName, r.Name != "")
	has(hasAbout, r.About != "")
	has(hasDeps, len(r.Deps) > 0)
	has(hasData, len(r.Data) > 0)
	has(hasFrom, r.from != 0)
	return all
}

// encode appends a record. after is the time since the one before. The caller has the lock.
func (l *Log) encode(b []byte, r *Record, after uint64) []byte {
	parts := r.parts()
	b = binary.AppendUvarint(append(b, byte(r.kind)), parts)
	b = binary.AppendUvarint(binary.AppendUvarint(b, after), uint64(r.Worker))
	number := func(part, n uint64) {
		if parts&part != 0 {
			b = binary.AppendUvarint(b, n)
		}
	}
	number(hasN, uint64(r.N))
	number(hasMode, uint64(r.Mode))
	number(hasAt, uint64(r.At))
	for k, g := range []guid.GUID{r.A, r.B, r.C} {
		if parts&(hasA<<k) != 0 {
			b = appendGUID(b, g)
		}
	}
	for k, s := range []string{r.Site, r.Name, r.About} {
		if parts&(hasSite<<k) != 0 {
			b = l.appendText(b, s)
		}
	}
	number(hasDeps, uint64(len(r.Deps)))
	for _, d := range r.Deps {
		b = l.appendText(append(appendGUID(b, d.Block), byte(d.Mode)), d.Name)
	}
	number(hasData, uint64(len(r.Data)))
	b = append(b, r.Data...)
	number(hasFrom, r.from)
	return b
}

func appendGUID(b []byte, g guid.GUID) []byte {
	hi, lo := g.Words()
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, hi), lo)
}

// appendText appends the number of a text, and the text itself at its first use.
func (l *Log) appendText(b []byte, s string) []byte {
	if n, known := l.texts[s]; known {
		return binary.AppendUvarint(b, n)
	}
	n := uint64(len(l.texts))
	l.texts[s] = n
	b = binary.AppendUvarint(binary.AppendUvarint(b, n), uint64(len(s)))
	return append(b, s...)
}

// A reader reads the records of a rank.
type reader struct {
	log   *Log
	rank  int
	rest  []byte
	texts []string
	now   Record
}

// next reads the next record, and reports whether there is one.
func (r *reader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	before := r.now.Moment
	r.now = Record{kind: kind(r.rest[0]), Rank: r.rank}
	r.rest = r.rest[1:]
	parts := r.number()
	r.now.Moment = before + r.number()
	r.now.Worker = r.rank*(r.log.workers+1) + int(r.number())
	number := func(part uint64) uint64 {
		if parts&part == 0 {
			return 0
		}
		return r.number()
	}
	r.now.Self = parts&hasSelf != 0
	r.now.N, r.now.Mode, r.now.At = int(number(hasN)), datablock.Mode(number(hasMode)), int64(number(hasAt))
	for k, g := range []*guid.GUID{&r.now.A, &r.now.B, &r.now.C} {
		if parts&(hasA<<k) != 0 {
			*g = r.guid()
		}
	}
	for k, s := range []*string{&r.now.Site, &r.now.Name, &r.now.About} {
		if parts&(hasSite<<k) != 0 {
			*s = r.text()
		}
	}
	for range number(hasDeps) {
		d := Dep{Block: r.guid()}
		d.Mode = datablock.Mode(r.take(1)[0])
		d.Name = r.text()
		r.now.Deps = append(r.now.Deps, d)
	}
	r.now.Data = r.take(int(number(hasData)))
	r.now.from = number(hasFrom)
	return true
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	r.rest = r.rest[size:]
	return n
}

func (r *reader) take(n int) (b []byte) {
	b, r.rest = r.rest[:n:n], r.rest[n:]
	return b
}

func (r *reader) guid() guid.GUID {
	b := r.take(16)
	return guid.FromWords(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
}

func (r *reader) text() string {
	n := r.number()
	if n == uint64(len(r.texts)) {
		r.texts = append(r.texts, string(r.take(int(r.number()))))
	}
	return r.texts[n]
}
