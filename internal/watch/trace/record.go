package trace

// A kind is the kind of a record.
type kind uint8

const (
	begins    kind = iota // an EDT begins
	satisfies             // the running EDT satisfies a slot of another
	creates               // the running EDT creates another, which is ready at once
	idles                 // the worker becomes idle
	parks
	wakes
	busies // the worker is no longer idle
)

// A record is one event on a worker.
type record struct {
	At       int64  // in sys.Cycles
	EDT      uint64 // low GUID word of the EDT that begins, or is satisfied or created
	Template string // of the EDT that begins
	About    string // the template's description of the EDT
	Number   uint32 // begins: how many blocks the EDT has; satisfies: the slot
	Kind     kind
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
