package block_test

import (
	"testing"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/testrun"
)

// TestWaitOnARecycledRecord: an EDT fails to acquire a block; before the EDT queues, the block is destroyed and its
// record reused. Wait reports that the block is gone, and does not change the new block.
func TestWaitOnARecycledRecord(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	l := locals[0]
	i, r := create(t, l, 8, true)
	stale := r.Low(i)
	l.DestroyHeld(i, r, datablock.RW, nil)
	j, again := create(t, l, 8, true)
	if j != i {
		t.Fatalf("record %d after record %d: want the same one", j, i)
	}
	got := s.Wait(stale, r, block.Waiter{EDT: 1, Mode: datablock.EW})
	testrun.Equal(t, block.Gone, got, "waiting for a block that is gone")
	if granted := l.Release(j, again, datablock.RW, nil); len(granted) != 0 {
		t.Errorf("the new block was granted to %v", granted)
	}
	if !again.TryAcquire(datablock.EW) {
		t.Error("the new block cannot be acquired, though it has neither holders nor waiters")
	}
}
