package runtime

import (
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
)

func newDeque(capacity int) *deque {
	d := &deque{}
	d.init(capacity)
	return d
}

func TestDequeSmoke(t *testing.T) {
	d := newDeque(4)
	if !d.empty() || d.pop() != 0 || d.steal() != 0 {
		t.Fatal("a new deque is not empty")
	}
	for k := edt.Ready(1); k <= 3; k++ {
		d.push(k)
	}
	if k := d.steal(); k != 1 {
		t.Errorf("stole %d, want the oldest, 1", k)
	}
	if k := d.pop(); k != 3 {
		t.Errorf("popped %d, want the newest, 3", k)
	}
	d.push(4)
	for _, want := range []edt.Ready{4, 2, 0, 0} {
		if k := d.pop(); k != want {
			t.Errorf("popped %d, want %d", k, want)
		}
	}
	if !d.empty() {
		t.Error("not empty after the last pop")
	}
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
		if got := d.pop(); got != 0 {
			t.Fatalf("offset %d: %d is left", offset, got)
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
	if n := len(d.ring.Load().entries); n != 4 {
		t.Errorf("the ring has %d entries, want 4", n)
	}
}

// TestDequeSPSC has one thief take all that the owner pushes, in order.
func TestDequeSPSC(t *testing.T) {
	n := edt.Ready(shortened(200_000))
	d := newDeque(2)
	var wg sync.WaitGroup
	wg.Go(func() {
		for want := edt.Ready(1); want <= n; {
			if k := d.steal(); k == want {
				want++
			} else if k != 0 {
				t.Errorf("stole %d, want %d", k, want)
				return
			}
		}
	})
	for k := edt.Ready(1); k <= n; k++ {
		d.push(k)
	}
	wg.Wait()
}

// A tallyman checks that every entry is taken once.
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

// TestDequeStampede has many thieves fall upon a deque that the owner empties too.
func TestDequeStampede(t *testing.T) {
	const thieves = 4
	n := shortened(50_000)
	d, m := newDeque(2), newTallyman(n)
	for k := 1; k <= n; k++ {
		d.push(edt.Ready(k))
	}
	var wg sync.WaitGroup
	for range thieves {
		wg.Go(func() {
			for m.left.Load() > 0 {
				m.take(t, d.steal())
			}
		})
	}
	for m.left.Load() > 0 {
		m.take(t, d.pop())
	}
	wg.Wait()
	if m.left.Load() != 0 || !d.empty() {
		t.Errorf("%d left, empty %v", m.left.Load(), d.empty())
	}
}

// TestDequeStress mixes pushes and pops of the owner with thefts, while the ring
// grows from its smallest.
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

// TestDequeLastEntry lets owner and thief race for a single entry: one gets it.
func TestDequeLastEntry(t *testing.T) {
	n := shortened(100_000)
	d, m := newDeque(2), newTallyman(n)
	var wg sync.WaitGroup
	wg.Go(func() {
		for m.left.Load() > 0 {
			m.take(t, d.steal())
		}
	})
	for k := 1; k <= n; k++ {
		d.push(edt.Ready(k))
		m.take(t, d.pop())
		if d.pop() != 0 {
			t.Fatal("an entry is there twice")
		}
	}
	wg.Wait()
	if m.left.Load() != 0 {
		t.Errorf("%d entries are lost", m.left.Load())
	}
}
