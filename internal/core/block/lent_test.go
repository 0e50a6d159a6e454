package block_test

import (
	"testing"

	"ocr/datablock"
	"ocr/internal/core/block"
	"ocr/internal/proof/testrun"
)

// No EDT acquires a block while it is lent. When it is back, the EDTs that waited acquire it; when they have released
// it, it can be sent again.
func TestBlockLent(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			s, locals := newStore(t, 0, 1)
			l := locals[0]
			i, r := create(t, l, 100, false)
			if !r.TryAcquire(datablock.EW) {
				t.Fatal("not acquired")
			}
			if r.Send() || !r.Lent() || r.Proxy() {
				t.Error("the block was lent, but is not lent or has a queue")
			}
			if r.TryAcquire(mode) || r.TryRW() || r.TryFirstRW() {
				t.Errorf("acquired in mode %v while it is lent", mode)
			}
			edt, back := block.Waiter{EDT: 7, Mode: mode}, block.Waiter{EDT: block.ForRank | 3, Mode: datablock.EW}
			for _, w := range []block.Waiter{edt, back} {
				if s.Wait(r.Low(i), r, w) != block.QueuedLent {
					t.Fatalf("%v does not wait for a block that is lent", w)
				}
			}
			got := l.Receive(i, r, false, nil)
			if mode == datablock.RO { // excludes no mode
				if len(got) != 2 || got[0] != edt || got[1] != back || !r.TryAcquire(datablock.RO) {
					t.Fatalf("%v got the block, want both", got)
				}
				return
			}
			if len(got) != 1 || got[0] != edt || !r.Wanted() {
				t.Fatalf("%v got the block, want the EDT alone", got)
			}
			if got = l.Release(i, r, mode, nil); len(got) != 1 || got[0] != back || r.Wanted() {
				t.Fatalf("%v got the block, want the rank", got)
			}
		})
	}
}

// A proxy has memory while its rank has the bytes, and for longer if it has a reader.
func TestProxyMemory(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	l := locals[0]
	i, r, err := l.CreateProxy()
	if err != nil || !r.Proxy() || !r.Lent() || r.Live() {
		t.Fatalf("no proxy: %v", err)
	}
	for round, reader := range []bool{false, true, false} {
		testrun.OK(t, l.Provide(r, 5000))
		addr, size := r.Memory()
		if got := l.Receive(i, r, false, nil); len(got) > 0 || addr == 0 || size != 5000 || r.Lent() {
			t.Fatalf("round %d: %d bytes at %x, given to %v", round, size, addr, got)
		}
		if r.TryRW() {
			t.Error("the fast path acquires a proxy")
		}
		for _, mode := range modes {
			if !r.TryAcquire(mode) {
				t.Errorf("not acquired in mode %v", mode)
			}
			if r.Retire(false) {
				t.Errorf("retired while it is held in mode %v", mode)
			}
			l.Release(i, r, mode, nil)
		}
		if reader {
			r.TryAcquire(datablock.RO)
		}
		r.TryAcquire(datablock.EW)
		r.Send()
		l.Unload(r)
		if left, _ := r.Memory(); (left != 0) != reader {
			t.Errorf("round %d: its memory is at %x when the bytes have gone", round, left)
		}
		if reader {
			l.Release(i, r, datablock.RO, nil)
		}
	}
	if !r.Retire(false) || r.TryAcquire(datablock.RO) {
		t.Error("not retired, or acquired after that")
	}
	low := r.Low(i)
	if l.FreeProxy(i, r); s.Lookup(low) != nil {
		t.Error("its name is not stale")
	}
}

// A rank with a copy reads beside other ranks. When the rank's hold becomes EW, it is served before those that wait.
func TestUpgrade(t *testing.T) {
	s, locals := newStore(t, 0, 1)
	l := locals[0]
	i, r, err := l.CreateProxy()
	if err != nil || l.Provide(r, 100) != nil {
		t.Fatal("no proxy")
	}
	edt, back := block.Waiter{EDT: 7, Mode: datablock.RW}, block.Waiter{EDT: block.ForRank | 3, Mode: datablock.EW}
	l.Receive(i, r, true, nil)
	if !r.TryAcquire(datablock.Const) || !r.TryAcquire(datablock.RO) || r.TryAcquire(datablock.RW) || r.Retire(true) {
		t.Error("a copy is not for reading, or retired while it is held")
	}
	l.Release(i, r, datablock.RO, nil)
	if s.Wait(r.Low(i), r, edt) != block.QueuedLent || r.First() != edt {
		t.Error("a writer of a copy does not ask home")
	}
	if s.Upgrade(i, r, back) || r.TryAcquire(datablock.Const) || r.First() != back {
		t.Error("a reader passes the recall of a copy, or the recall passes a reader")
	}
	if got := l.Release(i, r, datablock.Const, nil); len(got) != 1 || got[0] != back {
		t.Errorf("%v got the block, want the rank", got)
	}
	if !r.Send() || r.First() != edt {
		t.Error("the writer does not wait")
	}
	if l.Receive(i, r, true, nil); !s.Upgrade(i, r, back) || r.TryAcquire(datablock.Const) {
		t.Error("a copy that is not held is not upgraded at once")
	}
	r.Send()
	if got := l.Receive(i, r, false, nil); len(got) != 1 || len(l.Release(i, r, datablock.RW, nil)) != 0 {
		t.Errorf("%v got the block, want the writer", got)
	}
	if l.Receive(i, r, true, nil); r.Retire(false) || !r.Retire(true) {
		t.Error("a copy without holders is not retired")
	}
}
