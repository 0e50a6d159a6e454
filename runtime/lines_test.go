package runtime

import (
	"context"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
)

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
