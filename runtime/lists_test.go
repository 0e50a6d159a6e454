package runtime

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func newDeque(capacity int) *deque {
	d := &deque{}
	d.init(capacity)
	return d
}

// TestDequeKeepsItsRing checks that a deque that is never full does not grow.
func TestDequeKeepsItsRing(t *testing.T) {
	d := newDeque(4)
	for k := edt.Ready(1); k < 1000; k++ {
		for j := range edt.Ready(4) {
			d.push(4*k + j)
		}
		for range 2 {
			d.steal()
			d.pop()
		}
	}
	testrun.Equal(t, 4, len(d.ring.Load().entries), "entries of the ring")
}

// TestInboxKeepsHighBits: the mark of the lap does not change the EDT's priority and place.
func TestInboxKeepsHighBits(t *testing.T) {
	var in inbox
	in.init(2)
	for _, k := range []edt.Ready{1, 0xff<<48 | 0xffff<<32 | 7, 0x80<<48 | 5, 0x7f<<48 | 0xffffffff} {
		in.send(k)
		testrun.Equal(t, k, in.receive())
	}
}

// TestReceiveIsBounded: a worker that is sent one message after the other still runs EDTs.
func TestReceiveIsBounded(t *testing.T) {
	x := newTestUnstarted(t, nil, Workers(1)).newRun(context.Background())
	defer x.graph.Close()
	w := x.pool.workers[0]
	const sent = 10 * receiveBatch
	for range sent {
		w.inbox.send(edt.Ready(1) | edt.Ready(edt.BindTo(0))<<32)
	}
	for left := sent; left > 0; {
		w.receive()
		got := left - (sent - int(w.n.Received))
		if got < 1 || got > receiveBatch {
			t.Fatalf("%d messages were taken at a time, want 1 to %d", got, receiveBatch)
		}
		left -= got
	}
	testrun.Equal(t, sent, w.bound.n, "EDTs in the bound list")
}

func ranking(prio int8, k edt.Ready) edt.Ready { return k | edt.Ready(uint8(prio))<<48 }

func TestPrioAllocatesNothing(t *testing.T) {
	var q prioList
	q.push(ranking(1, 1))
	q.push(ranking(1, 2))
	testrun.Equal(t, 0, testing.AllocsPerRun(100, func() {
		q.pop(lowestPriority)
		q.push(ranking(1, 3))
	}), "allocations for an EDT with a priority")
}

// TestBoundEnds compares a bound list with a slice, through many lengths.
func TestBoundEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l bound
	var want []edt.Ready
	for k := edt.Ready(1); k < 20_000; k++ {
		if grow := k%4000 < 2000; rng.IntN(10) < 4 || grow && rng.IntN(2) == 0 {
			l.push(k)
			want = append(want, k)
			continue
		}
		take, from, next := l.pop, "newest", edt.Ready(0)
		if rng.IntN(2) == 0 {
			take, from = l.oldest, "oldest"
		}
		switch last := len(want) - 1; {
		case last < 0:
		case from == "newest":
			next, want = want[last], want[:last]
		default:
			next, want = want[0], want[1:]
		}
		if got := take(); got != next || l.n != len(want) {
			t.Fatalf("took %d, want the %s, %d; %d are left, want %d", got, from, next, l.n, len(want))
		}
	}
}

// A prioList is compared with a search of a slice, in which the oldest EDT is first.
func TestPrioAgainstSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var q prioList
	var all []edt.Ready
	for step := range 3000 {
		if rng.IntN(5) < 3 {
			k := ranking(int8(rng.IntN(5)-2), edt.Ready(step+1))
			q.push(k)
			all = append(all, k)
			continue
		}
		anyPriority := rng.IntN(4) == 0
		got := edt.Ready(0)
		if anyPriority {
			got = q.any()
		} else {
			got = q.pop(lowestPriority)
		}
		at := slices.Index(all, got)
		for k, r := range all {
			if !anyPriority && at >= 0 && r.Priority() > got.Priority() || k < at && r.Priority() == got.Priority() {
				t.Fatalf("step %d: took %v before %v", step, got, r)
			}
		}
		if (at < 0) != (got == 0) || got == 0 && len(all) > 0 {
			t.Fatalf("step %d: took %v of %d", step, got, len(all))
		}
		if at >= 0 {
			all = slices.Delete(all, at, at+1)
		}
	}
}

// line returns the number of the cache line that p points into.
func line[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) / 64 }

// TestLinesOfWorkers: words that are used together are in one cache line, and no worker writes to a line that another
// worker uses for something else. The test compares addresses, not offsets: Go puts 8 bytes of its own before an object
// with pointers.
func TestLinesOfWorkers(t *testing.T) {
	for _, workers := range []int{2, 3, 4, 8} {
		x := newTestUnstarted(t, nil, Workers(workers)).newRun(context.Background())
		victims := make(map[uintptr]int)
		for _, w := range x.pool.workers {
			if at := line(&w.deque.bottom); line(&w.nextEDT.edt) != at || line(&w.nextEDT.claim) != at {
				t.Errorf("the next-EDT slot is not in one line with the bottom of the deque")
			}
			in := &w.inbox
			testrun.Equal(t, line(&in.freed), line(&in.head), "line of what the receiver writes")
			apart := []uintptr{
				line(&w.polledAt), line(&w.prio), line(&w.deque.bottom), line(&w.deque.top), line(&w.deque.ring),
				line(&in.tail), line(&in.head), line(&in.overflow.count), line(&w.parked), line(&w.thread),
			}
			for k := range apart[1:] {
				if apart[k+1] <= apart[k] {
					t.Errorf("fields %d and %d of those that are to be apart share a line", k, k+1)
				}
			}
			w.listVictims()
			all := w.victims[:cap(w.victims)]
			for l := line(&all[0]); l <= line(&all[len(all)-1]); l++ {
				if other, taken := victims[l]; taken {
					t.Errorf("%d workers: victims of workers %d and %d share a line", workers, other, w.id)
				}
				victims[l] = w.id
			}
		}
		x.graph.Close()
	}
}
