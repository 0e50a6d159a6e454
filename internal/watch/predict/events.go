package predict

import "ocr/edt"

// A kind is what an event is about.
type kind uint8

const (
	runs    kind = iota // the body has lasted for its shortest time: it runs for real
	steps               // the body makes its next EDT ready, or ends
	arrives             // a hand-off is in the worker's inbox
	looks               // the idle worker looks at the lists of others
	counts              // the idle worker counts as spinning
	parks               // the idle worker has spun long enough
	wakes               // the woken worker runs
)

// An event comes at a virtual time; of several at one time the first that was added comes first.
type event struct {
	at   int64
	turn uint64
	do   kind
	idle uint64 // looks, counts and parks: the idle time that they are of, see worker.idle
	w    *worker
	b    *body
	task edt.Ready // arrives
}

func (e *event) before(o *event) bool { return e.at < o.at || e.at == o.at && e.turn < o.turn }

// events are a heap.
type events []event

func (q *events) push(e event) {
	h := append(*q, e)
	n := len(h) - 1
	for ; n > 0 && e.before(&h[(n-1)/2]); n = (n - 1) / 2 {
		h[n] = h[(n-1)/2]
	}
	h[n] = e
	*q = h
}

func (q *events) pop() event {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	n := 0
	for len(h) > 0 {
		next := 2*n + 1
		if next+1 < len(h) && h[next+1].before(&h[next]) {
			next++
		}
		if next >= len(h) || last.before(&h[next]) {
			h[n] = last
			break
		}
		h[n] = h[next]
		n = next
	}
	return first
}
