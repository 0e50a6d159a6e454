package runtime

import (
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/core/sys"
)

// TestNextTaskSlot: of an owner that fills and empties the slot and thieves that steal
// from it, each EDT is got by one.
func TestNextTaskSlot(t *testing.T) {
	if !sys.HasProcessBarrier() {
		t.Skip("the slot needs a barrier that this system does not have")
	}
	for _, thieves := range []int{1, 3} {
		n := edt.Ready(sized(30_000, 1_000_000))
		var slot nextTask
		var stop atomic.Bool
		var stolen atomic.Int64
		got := make([]atomic.Int32, n+1)
		var all sync.WaitGroup
		for range thieves {
			all.Go(func() {
				for !stop.Load() {
					if slot.peek() == 0 {
						continue
					}
					if k := slot.steal(); k != 0 {
						got[k].Add(1)
						stolen.Add(1)
					}
				}
			})
		}
		for k := edt.Ready(1); k <= n; k++ {
			slot.put(k)
			for k%512 == 0 && got[k].Load() == 0 && slot.peek() != 0 {
				// A long body: now and then the thieves get the EDT for certain.
			}
			sys.Pause(uint32(k % 64)) // else they rarely come in time
			if mine := slot.take(); mine != 0 {
				got[mine].Add(1)
			}
		}
		stop.Store(true)
		all.Wait()
		for k := edt.Ready(1); k <= n; k++ {
			if times := got[k].Load(); times != 1 {
				t.Fatalf("%d thieves: EDT %d was got %d times", thieves, k, times)
			}
		}
		if slot.peek() != 0 || slot.claim.Load() != claimFree {
			t.Errorf("at the end the slot holds %d, claim %d", slot.peek(), slot.claim.Load())
		}
		t.Logf("%d thieves got %d of %d EDTs", thieves, stolen.Load(), n)
	}
}
