package runtime

import (
	"context"
	"fmt"
	goruntime "runtime"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func newInbox(capacity int) *inbox {
	in := &inbox{}
	in.init(capacity)
	return in
}

// TestInboxLaps goes around the ring many times: the receiver never takes a message of the lap before.
func TestInboxLaps(t *testing.T) {
	for _, capacity := range []int{1, 2, 4, 8, 256} {
		in := newInbox(capacity)
		next, want := edt.Ready(1), edt.Ready(1)
		for round := range 50 * capacity {
			for range round%capacity + 1 {
				in.send(next)
				next++
			}
			for want < next {
				if k := in.receive(); k != want {
					t.Fatalf("capacity %d: got %d, want %d", capacity, k, want)
				}
				want++
			}
			if k := in.receive(); k != 0 {
				t.Fatalf("capacity %d: got %d from an empty inbox", capacity, k)
			}
			if in.signs() != 0 {
				t.Fatalf("capacity %d: something waits in an empty inbox", capacity)
			}
			if in.settle(); !in.empty() { // without settle the ring may seem full
				t.Fatalf("capacity %d: not empty after the last message", capacity)
			}
		}
		if in.overflow.list != nil {
			t.Errorf("capacity %d: overflowed", capacity)
		}
	}
}

// TestInboxKeepsHighBits: the mark of the lap does not change the EDT's priority and place.
func TestInboxKeepsHighBits(t *testing.T) {
	in := newInbox(2)
	for _, k := range []edt.Ready{1, 0xff<<48 | 0xffff<<32 | 7, 0x80<<48 | 5, 0x7f<<48 | 0xffffffff} {
		in.send(k)
		testrun.Equal(t, k, in.receive())
	}
}

func TestInboxOverflow(t *testing.T) {
	for _, capacity := range []int{1, 2, 4} {
		in := newInbox(capacity)
		if !in.empty() {
			t.Fatal("a new inbox is not empty")
		}
		const n = 50
		for k := edt.Ready(1); k <= n; k++ {
			in.send(k)
		}
		testrun.Equal(t, int64(n-capacity), in.overflow.count.Load(),
			"capacity %d: overflowed", capacity)
		m := newTallyman(n)
		for range n {
			if in.signs() == 0 {
				t.Fatalf("capacity %d: nothing waits, %d are missing", capacity, m.left.Load())
			}
			m.take(t, in.receive())
		}
		in.settle()
		if m.left.Load() != 0 || !in.empty() || in.signs() != 0 {
			t.Errorf("capacity %d: %d lost, empty %v", capacity, m.left.Load(), in.empty())
		}
	}
}

// TestInboxManySenders: each message of each sender is received once, also if the ring overflows all the time.
func TestInboxManySenders(t *testing.T) {
	for _, capacity := range []int{1, 2, 4, 256} {
		for _, senders := range []int{2, 7} {
			t.Run(fmt.Sprintf("capacity=%d/senders=%d", capacity, senders), func(t *testing.T) {
				each := shortened(20_000)
				in, m := newInbox(capacity), newTallyman(senders*each)
				var wg sync.WaitGroup
				for s := range senders {
					wg.Go(func() {
						for k := range each {
							in.send(edt.Ready(s*each + k + 1))
						}
					})
				}
				for idle := 0; m.left.Load() > 0; {
					k := in.receive()
					m.take(t, k)
					if k == 0 {
						if idle++; idle%64 == 0 {
							in.settle()
							goruntime.Gosched()
						}
					}
				}
				wg.Wait()
				in.settle()
				if k := in.receive(); k != 0 || !in.empty() {
					t.Errorf("%d is left, empty %v", k, in.empty())
				}
			})
		}
	}
}

// TestReceiveIsBounded: a worker that is sent one message after the other still runs EDTs.
func TestReceiveIsBounded(t *testing.T) {
	x := newTestTeam(t, nil, Workers(1)).newRun(context.Background())
	defer x.graph.Close()
	w := x.pool.workers[0]
	const sent = 10 * receiveBatch
	for range sent {
		w.inbox.send(edt.Ready(1) | edt.Ready(edt.BindTo(0))<<32)
	}
	for left := sent; left > 0; {
		w.receive()
		got := left - (sent - int(w.n.received))
		if got < 1 || got > receiveBatch {
			t.Fatalf("%d messages were taken at a time, want 1 to %d", got, receiveBatch)
		}
		left -= got
	}
	testrun.Equal(t, sent, w.bound.n, "EDTs in the bound list")
}
