package runtime

import (
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"ocr/edt"
	"ocr/internal/proof/model/history"
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

// TestDequeStress mixes pushes and pops of the owner with thefts, while the ring grows from its smallest.
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

// The calls of a deque, as histories hold them.
const (
	pushed = iota
	popped
	stolen
)

type dequeCall struct {
	kind int
	task edt.Ready // of a push
}

// dequeSpec is a deque: pop takes the newest entry, or none if there is none; steal takes the oldest. A thief may
// come back with nothing at any time: another one was faster.
var dequeSpec = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		have, c := state.(string), input.(dequeCall)
		k, _ := output.(edt.Ready)
		if c.kind == pushed {
			return true, have + string(rune(c.task))
		}
		if k == 0 {
			return c.kind == stolen || have == "", have
		}
		taken := string(rune(k))
		rest, ok := strings.CutPrefix(have, taken)
		if c.kind == popped {
			rest, ok = strings.CutSuffix(have, taken)
		}
		return ok, rest
	},
	DescribeOperation: func(input, output any) string {
		c := input.(dequeCall)
		return fmt.Sprintf("%s %d = %v", [...]string{"push", "pop", "steal"}[c.kind], c.task, output)
	},
}

func TestDequeSpecRejects(t *testing.T) {
	push := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{pushed, k}} }
	pop := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{kind: popped}, Output: k} }
	steal := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{kind: stolen}, Output: k} }
	history.Rejects(t, dequeSpec,
		history.Wrong{Name: "pop the oldest", Calls: []history.Call{push(1), push(2), pop(1)}},
		history.Wrong{Name: "steal the newest", Calls: []history.Call{push(1), push(2), steal(2)}},
		history.Wrong{Name: "taken twice", Calls: []history.Call{push(1), steal(1), pop(1)}},
		history.Wrong{Name: "lost", Calls: []history.Call{push(1), steal(0), pop(0)}},
		history.Wrong{Name: "never pushed", Calls: []history.Call{push(1), steal(2)}},
	)
}

// TestDequeIsLinearizable has thieves fall upon a small deque whose owner pushes and
// pops at random; the last entry is raced for in most histories.
func TestDequeIsLinearizable(t *testing.T) {
	for round := range sized(12_000, 1_200_000) {
		rnd := rand.New(rand.NewPCG(uint64(round), 1))
		d, r := newDeque(2), history.New(3)
		script := rnd.IntN(1 << 8) // a bit a call: push or pop
		thief := func(client int) func() {
			return func() {
				for range 3 {
					r.Do(client, dequeCall{kind: stolen}, func() any { return d.steal() })
				}
			}
		}
		r.Together(func() {
			for n, k := 0, edt.Ready(1); n < 8; n++ {
				if n == 0 || script>>n&1 != 0 {
					r.Do(0, dequeCall{pushed, k}, func() any { d.push(k); return nil })
					k++
				} else {
					r.Do(0, dequeCall{kind: popped}, func() any { return d.pop() })
				}
				if n == round%8 {
					goruntime.Gosched()
				}
			}
		}, thief(1), thief(2))
		for last := edt.Ready(1); last != 0; {
			r.Do(0, dequeCall{kind: popped}, func() any { last = d.pop(); return last })
		}
		r.Check(t, dequeSpec)
	}
}
