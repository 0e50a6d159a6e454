package trace

import (
	"unsafe"

	"ocr/guid"
	"ocr/internal/ids"
)

// A kind says what a record is about.
type kind uint8

const (
	begins    kind = iota // an EDT begins
	satisfies             // the EDT that runs satisfies a slot of another
	creates               // it created another, which was ready at once
	idles                 // the worker has nothing to run
	parks
	wakes
	busies // it is idle no more
	steals
	counts // nothing: says how many EDTs are ready
	sends  // something goes on on another rank
	comes  // what follows on this worker, the courier, is what an EDT of another rank has sent
)

// RecordSize is the size of a record in bytes.
const RecordSize = int(unsafe.Sizeof(record{}))

// A record is one thing that happened on a worker.
type record struct {
	at       int64  // in sys.Cycles
	edt      uint64 // low GUID word of the EDT that begins, is satisfied or created; number of what is sent or comes
	template named  // of begins
	about    string // what the template says of the EDT
	made     uint32 // EDTs that the worker has made ready so far, modulo 2^32
	kindAnd  uint32 // kind in the low bits; born; blocks of begins, slot of satisfies
}

// named is an [edt.Template], or the name of one of another rank.
type named interface{ Name() string }

const (
	kindBits = 4
	bornBit  = 1 << kindBits // another rank has named the EDT
	numberAt = kindBits + 1
)

func (r *record) kind() kind  { return kind(r.kindAnd & (1<<kindBits - 1)) }
func (r *record) number() int { return int(r.kindAnd >> numberAt) }

// guid returns the name of the EDT of a record, whose worker's EDTs have this high word.
func (r *record) guid(high uint64) guid.GUID {
	if r.kindAnd&bornBit != 0 {
		high |= ids.RemoteBit
	}
	return guid.FromWords(high, r.edt)
}

// A ring keeps the latest records.
type ring struct {
	records []record
	next    int
	lost    uint64 // records overwritten
	full    bool
}

// put returns the place of the next record.
func (r *ring) put() *record {
	n := r.next
	if n >= len(r.records) {
		n, r.full = 0, true
	}
	if r.full {
		r.lost++
	}
	r.next = n + 1
	return &r.records[n]
}

// inOrder returns the records, oldest first.
func (r *ring) inOrder() []record {
	if !r.full {
		return r.records[:r.next]
	}
	return append(r.records[r.next:len(r.records):len(r.records)], r.records[:r.next]...)
}
