package synchp2p

import (
	"testing"
	"unsafe"
)

// TestGoroutinesShareNoLines: a goroutine sweeps its strip and the edge that it has received while others sweep theirs.
func TestGoroutinesShareNoLines(t *testing.T) {
	const unit = 128 // two lines: processors fetch them in pairs
	for _, columns := range []int{1, 5} {
		c := Defaults()
		c.Ranks, c.ColumnsPerRank, c.Phases = 10, columns, 8
		owner := make(map[uintptr]int)
		for k, s := range append(c.strips(), c.edges()...) {
			at := uintptr(unsafe.Pointer(&s[0]))
			for u := at / unit; u <= (at+uintptr(len(s))*unsafe.Sizeof(s[0])-1)/unit; u++ {
				if other, taken := owner[u]; taken {
					t.Errorf("%d columns a rank: slices %d and %d of strips and edges share %d bytes", columns, other,
						k, unit)
				}
				owner[u] = k
			}
		}
	}
}
