package block

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"ocr/datablock"
	"ocr/internal/proof/testrun"
)

// A waiter joins behind as many others as the caller says, and waiters leave in that order, while other queues use the
// same places.
func TestJoinAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var p places
	var queues [3]queue
	var want [3][]uint32
	for edt := uint32(1); edt < 20_000; edt++ {
		k := rng.IntN(len(queues))
		q := &queues[k]
		if n := len(want[k]); n > rng.IntN(8) {
			if got := q.first[0].edt; got != want[k][0] || len(q.list(&p)) != n {
				t.Fatalf("EDT %d of %v is first, want %d of %d", got, q.list(&p), want[k][0], n)
			}
			q.leave(&p)
			want[k] = want[k][1:]
			continue
		}
		at := rng.IntN(len(want[k]) + 1)
		ahead := at
		if at == len(want[k]) && edt%2 == 0 {
			ahead = atTheEnd
		}
		w := Waiter{EDT: edt, Cursor: rng.Uint32N(1 << 23), Mode: datablock.Const}
		if w.pack().waiter() != w {
			t.Fatalf("%v is packed as %v", w, w.pack().waiter())
		}
		q.join(&p, w.pack(), ahead)
		want[k] = slices.Insert(want[k], at, edt)
	}
	if len(p.all) > 3*(9-atHand)+1 {
		t.Errorf("%d places for at most 27 at a time, %d of each queue at hand", len(p.all), atHand)
	}
}

// A run may end while EDTs wait for blocks. Another run reuses its records.
func TestWaitersOfAnEndedRun(t *testing.T) {
	for range 2 {
		s := openStore(0)
		var l Local
		l.Init(s, nil)
		i, r, err := l.Create(8, true)
		testrun.OK(t, err)
		if got := s.Wait(r.Low(i), r, Waiter{EDT: 7, Mode: datablock.EW}); got != Queued {
			t.Fatalf("waiting for a block that is held: %v", got)
		}
		n := 0
		s.Waiting(func(block uint32, w Waiter) {
			if n++; block != i || w.EDT != 7 {
				t.Errorf("EDT %d waits for block %d", w.EDT, block)
			}
		})
		testrun.Equal(t, 1, n, "EDTs that wait")
		s.Close()
	}
}

// Workers that alternate on a block use one cache line: the record, with its queue and its lock.
func TestRecordIsALine(t *testing.T) {
	testrun.Equal(t, lineSize, unsafe.Sizeof(Record{}), "bytes of a record")
}
