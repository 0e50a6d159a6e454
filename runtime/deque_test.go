package runtime

import (
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func newDeque(capacity int) *deque {
	d := &deque{}
	d.init(capacity)
	return d
}

// TestDequeGrowth pushes into full rings at every offset of the ring.
func TestDequeGrowth(t *testing.T) {
	for offset := range 9 {
		d := newDeque(2)
		for range offset {
			d.push(99)
			d.steal()
		}
		for k := edt.Ready(1); k <= 100; k++ {
			d.push(k)
			if k%10 == 0 {
				if got := d.steal(); got != k/10 {
					t.Fatalf("offset %d: stole %d, want %d", offset, got, k/10)
				}
			}
		}
		for k := edt.Ready(100); k > 10; k-- {
			if got := d.pop(); got != k {
				t.Fatalf("offset %d: popped %d, want %d", offset, got, k)
			}
		}
		if got, empty := d.pop(), d.empty(); got != 0 || !empty {
			t.Fatalf("offset %d: %d is left, empty %v", offset, got, empty)
		}
	}
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

// A tallyman counts how often each entry was taken: each must be taken once.
type tallyman struct {
	taken []atomic.Int32
	left  atomic.Int64
}

func newTallyman(n int) *tallyman {
	m := &tallyman{taken: make([]atomic.Int32, n+1)}
	m.left.Store(int64(n))
	return m
}

func (m *tallyman) take(t *testing.T, k edt.Ready) {
	if k == 0 {
		return
	}
	if int(k) >= len(m.taken) || m.taken[k].Add(1) != 1 {
		t.Errorf("entry %d was taken twice or never pushed", k)
	}
	m.left.Add(-1)
}

// TestDequeStress mixes the owner's pushes and pops with thefts, while the ring grows from two entries.
func TestDequeStress(t *testing.T) {
	const thieves = 3
	n := shortened(200_000)
	d, m := newDeque(2), newTallyman(n)
	var wg sync.WaitGroup
	for range thieves {
		wg.Go(func() {
			for m.left.Load() > 0 {
				m.take(t, d.steal())
			}
		})
	}
	for k := 1; k <= n; {
		for range min(k%17+1, n+1-k) {
			d.push(edt.Ready(k))
			k++
		}
		for range k % 13 {
			m.take(t, d.pop())
		}
	}
	for m.left.Load() > 0 {
		m.take(t, d.pop())
	}
	wg.Wait()
}
