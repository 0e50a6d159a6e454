//go:build linux && !race

package block

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/internal/core/ids"
	"ocr/internal/core/sys"
)

// TestArea: two ranks find each other's blocks by name and use them in place, and new blocks are zeroed, in all runs.
func TestArea(t *testing.T) {
	each := ids.SharedBytes[Record]() + 64<<20
	f, err := sys.NewSharedFile("area", 2*each)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	memory, err := sys.MapSharedAt(f, 0, 2*each, 0x5200_0000_0000)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sys.UnmapSharedAt(memory); err != nil {
			t.Error(err)
		}
	}()
	ranks := []*Shared{NewSharedIn(memory, 2, 0), NewSharedIn(memory, 2, 1)}
	rng := rand.New(rand.NewPCG(1, 2))
	for run := range 4 {
		var stores [2]Store
		var locals [2]Local
		for k, s := range ranks {
			s.Open(k, &stores[k], 24<<20)
			locals[k].Init(&stores[k])
		}
		var mine []uint32
		for range 3000 {
			if len(mine) > 20 || rng.IntN(3) == 0 && len(mine) > 0 {
				i := mine[0]
				mine = mine[1:]
				locals[0].Destroy(i, locals[0].At(i))
				if ranks[1].Lookup(0, locals[0].At(i).Low(i)-1<<32) != nil {
					t.Fatal("Lookup finds a destroyed block")
				}
				continue
			}
			size := 1 + rng.IntN(1<<(6+rng.IntN(14)))
			i, r, err := locals[0].Create(size, false)
			if err != nil {
				t.Fatal(err)
			}
			there := ranks[1].Lookup(0, r.Low(i))
			if there == nil || there.Size() != size || !there.TryAcquire(datablock.EW) || r.TryAcquire(datablock.Const) {
				t.Fatalf("run %d: a block of %d bytes is not used in place", run, size)
			}
			if k := slices.IndexFunc(there.Bytes(), func(b byte) bool { return b != 0 }); k >= 0 {
				t.Fatalf("run %d: byte %d of %d is not 0", run, k, size)
			}
			copy(there.Bytes(), bytes.Repeat([]byte{0xff}, size))
			if locals[1].LeaveInPlace(there, datablock.EW, true) {
				t.Fatal("the block has a queue")
			}
			mine = append(mine, i)
		}
		for k := range stores {
			stores[k].Close()
		}
	}
}
