package block

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/datablock"
)

// Who joins a queue stands where it was told to, and all are served in that order,
// whatever other queues of the shard do meanwhile.
func TestJoinAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var q queueShard
	var records [3]Record
	var want [3][]uint32
	for edt := range uint32(20_000) {
		k := rng.IntN(len(records))
		r := &records[k]
		if n := len(want[k]); n > rng.IntN(8) {
			if got := q.places[r.first].waiter.EDT; got != want[k][0] || q.length(r) != n {
				t.Fatalf("EDT %d of %d is first, want %d of %d", got, q.length(r), want[k][0], n)
			}
			q.leave(r)
			want[k] = want[k][1:]
			continue
		}
		at := rng.IntN(len(want[k]) + 1)
		ahead := at
		if at == len(want[k]) && edt%2 == 0 {
			ahead = atTheEnd
		}
		q.join(uint32(k+1), r, Waiter{EDT: edt}, ahead)
		want[k] = slices.Insert(want[k], at, edt)
	}
	if len(q.places) > 3*9+1 {
		t.Errorf("%d places for at most 27 at a time", len(q.places))
	}
}

// A run may end while EDTs wait for blocks. Its records go on to another run.
func TestWaitersOfAnEndedRun(t *testing.T) {
	for range 2 {
		s := openStore(0)
		var l Local
		l.Init(s)
		i, r, err := l.Create(8, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Wait(r.Low(i), r, Waiter{EDT: 7, Mode: datablock.EW}); got != Queued {
			t.Fatalf("waiting for a block that is held: %v", got)
		}
		n := 0
		s.Waiting(func(block uint32, w Waiter) {
			if n++; block != i || w.EDT != 7 {
				t.Errorf("EDT %d waits for block %d", w.EDT, block)
			}
		})
		if n != 1 {
			t.Errorf("%d EDTs wait, want 1", n)
		}
		s.Close()
	}
}
