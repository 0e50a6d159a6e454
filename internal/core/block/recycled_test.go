package block_test

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/testrun"
)

// together calls functions at the same time, as nearly as it can.
func together(all ...func()) {
	var waiting atomic.Int64
	var ended sync.WaitGroup
	for _, f := range all {
		ended.Go(func() {
			for waiting.Add(1); waiting.Load() < int64(len(all)); {
				goruntime.Gosched()
			}
			f()
		})
	}
	ended.Wait()
}

// TestRecycledRecords: the last two holders of a destroyed block release it at the same time. Both may serve its queue.
// One may do so when the waiter has already been served and has released the block, and the record is another block's.
// (TestExploredRecycled runs all orders; this test is for the race detector.)
func TestRecycledRecords(t *testing.T) {
	s, locals := newStore(t, 0, 2)
	again := 0
	for range testrun.Sized(3000, 30_000, 600_000) {
		i, b := create(t, locals[0], 8, false)
		if !b.TryAcquire(datablock.EW) || !b.TryAcquire(datablock.RO) {
			t.Fatal("a new block refuses EW and RO")
		}
		waiter := block.Waiter{EDT: 1, Mode: datablock.EW}
		if g := s.Wait(b.Low(i), b, waiter); g != block.Queued {
			t.Fatalf("waiting for a held block: %v", g)
		}
		locals[0].Destroy(i, b)
		next := [2]uint32{}
		leave := func(k int, m datablock.Mode) func() {
			return func() {
				l := locals[k]
				for todo := l.Release(i, b, m, nil); len(todo) > 0; todo = todo[1:] {
					todo = l.Release(i, b, todo[0].Mode, todo)
				}
				if n, _, err := l.Create(8, true); err == nil {
					next[k] = n
				}
			}
		}
		together(leave(0, datablock.EW), leave(1, datablock.RO))
		for k, n := range next {
			if n == i {
				again++
			}
			r := s.At(n)
			if r.TryAcquire(datablock.EW) {
				t.Fatal("a new block is not held by its creator")
			}
			if g := locals[k].Release(n, r, datablock.RW, nil); len(g) != 0 {
				t.Fatalf("a block without a queue was granted to %v", g)
			}
			if !r.TryAcquire(datablock.EW) {
				t.Fatal("a released block is not free")
			}
			locals[k].DestroyHeld(n, r, datablock.EW, nil)
		}
		if next[0] == next[1] {
			t.Fatal("one record is two blocks")
		}
	}
	if again == 0 {
		t.Error("no record was used again: the test tests nothing")
	}
}

// TestWaitOnARecycledRecord: an EDT fails to acquire a block; before it queues, the block is destroyed and its record
// reused. Wait reports that the block is gone, and does not change the new block.
func TestWaitOnARecycledRecord(t *testing.T) {
	s := openStore(0)
	defer s.Close()
	var l block.Local
	l.Init(s)
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
