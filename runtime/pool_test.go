package runtime

import (
	"fmt"
	goruntime "runtime"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// attached gives a graph to a pool whose workers have no goroutines, and returns the pool.
func attached(p *pool, g *edt.Graph) *pool {
	p.attach(g, nil, true)
	return p
}

// After a stolen EDT that has lasted for half a steal gap a thief may look again at once, else when the gap is over.
func TestLongLootEndsTheStealGap(t *testing.T) {
	const gap, stole = 1000, 5000
	for lasted, want := range map[int64]int64{gap/2 - 1: stole, gap / 2: stole + gap/2 - gap} {
		w := &worker{pool: &pool{stealGap: gap}, lastStealAttempt: stole, stoleAt: stole}
		w.endLoot(stole + lasted)
		if w.lastStealAttempt != want || w.stoleAt != 0 {
			t.Errorf("after %d ns: the last attempt was at %d, want %d; stolen at %d", lasted, w.lastStealAttempt, want,
				w.stoleAt)
		}
	}
}

// TestDivide: each rank gets its part of the processors and of the memory.
func TestDivide(t *testing.T) {
	for _, tc := range []struct {
		name           string
		ranks, workers int
		cpus           []int
		binding        Binding
		bound          bool
		parts          string
		want           int // workers of rank 0
		crowded        bool
	}{
		{"one rank", 1, unset, []int{4, 5, 6}, BindCompact, false, "[[4 5 6]]", 3, false},
		{"listed", 2, unset, []int{9, 8, 7, 6}, BindListed, false, "[[9 8] [7 6]]", 2, false},
		{"listed unevenly", 2, unset, []int{9, 8, 7}, BindListed, false, "[[9] [8 7]]", 1, false},
		{"workers asked for", 2, 3, []int{9, 8}, BindListed, false, "[[9] [8]]", 3, false},
		{"fewer processors", 3, unset, []int{4, 5}, BindCompact, false, "[[4] [5] [4]]", 1, true},
		{"bound by mpirun", 3, unset, []int{4, 5}, BindCompact, true, "[[4 5] [4 5] [4 5]]", 2, false},
		{"not bound", 2, unset, []int{4, 5, 6, 7}, BindNone, false, "[[4 5 6 7] [4 5 6 7]]", 2, false},
		{"not bound, more workers", 2, 3, []int{4, 5, 6, 7}, BindNone, false, "[[4 5 6 7] [4 5 6 7]]", 3, true},
		{"no mask", 2, unset, nil, BindCompact, false, "[[] []]", max(1, goruntime.NumCPU()/2), false},
		{"no mask, one rank", 1, unset, nil, BindCompact, false, "[[]]", goruntime.NumCPU(), false},
		{"more processors than workers may be", 1, unset, make([]int, MaxWorkers+1), BindListed, false,
			fmt.Sprint([][]int{make([]int, MaxWorkers+1)}), MaxWorkers, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var parts [][]int
			for k := range tc.ranks {
				s := resolve([]Option{Ranks(tc.ranks), Bind(tc.binding), Memory(1000)})
				s.workers, s.cpus = tc.workers, tc.cpus
				s.divide(k, tc.ranks, tc.bound)
				parts = append(parts, s.cpus)
				if k == 0 && s.workers != tc.want || s.crowded != "" != tc.crowded || s.memory != 1000/uint64(tc.ranks) {
					t.Errorf("%d workers, crowded %q, %d bytes; want %d, %v", s.workers, s.crowded, s.memory, tc.want, tc.crowded)
				}
				testrun.Equal(t, tc.crowded, s.spin == DefaultSpinShared, "crowded, spin %v", s.spin)
			}
			testrun.Same(t, tc.parts, fmt.Sprint(parts), "parts")
		})
	}
}
