package runtime

import "testing"

// A thief may look again at once after an EDT that has lasted for half a steal gap, else when
// the gap is over.
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
