package block_test

import (
	"testing"

	"ocr/datablock"
	"ocr/internal/core/block"
)

// TestWaitOnARecycledRecord: an EDT fails to acquire a block; before the EDT queues, the block is destroyed and its
// record reused. Wait reports that the block is gone, and does not change the new block.
func TestWaitOnARecycledRecord(t *testing.T) {
	s := openStore(0)
	defer s.Close()
	var l block.Local
	l.Init(s, nil)
	i, r, err := l.Create(8, true)
	if err != nil {
		t.Fatal(err)
	}
	stale := r.Low(i)
	l.DestroyHeld(i, r, datablock.RW, nil)
	j, again, err := l.Create(8, true)
	if err != nil || j != i {
		t.Fatalf("record %d after record %d, %v: want the same one", j, i, err)
	}
	if got := s.Wait(stale, r, block.Waiter{EDT: 1, Mode: datablock.EW}); got != block.Gone {
		t.Errorf("waiting for a block that is gone: %v", got)
	}
	if granted := l.Release(j, again, datablock.RW, nil); len(granted) != 0 {
		t.Errorf("the new block was granted to %v", granted)
	}
	if !again.TryAcquire(datablock.EW) {
		t.Error("the new block cannot be acquired, though it has neither holders nor waiters")
	}
}
