package block_test

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/internal/core/block"
)

// Workers acquire one block for EDTs, queue these, and release and downgrade it. A worker that is granted the block
// checks that no other holder excludes its EDT. In the end all EDTs have been served.
func TestConcurrentAccess(t *testing.T) {
	const workers, rounds = 4, 2000
	s, locals := newStore(t, 0, workers)
	i, r := create(t, locals[0], 8, false)
	var holding [5]atomic.Int32
	var served atomic.Int64
	enter := func(m datablock.Mode) {
		holding[m].Add(1)
		for _, other := range modes {
			n := holding[other].Load()
			if other == m {
				n--
			}
			if n > 0 && !compatible(m, other) {
				t.Errorf("%v holds beside %v", m, other)
			}
		}
		served.Add(1)
	}
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			l := locals[k]
			var todo []block.Waiter
			for n := range rounds {
				w := block.Waiter{EDT: uint32(k*rounds + n + 1), Mode: modes[(n*7+k)%len(modes)]}
				if r.TryAcquire(w.Mode) || s.Wait(r.Low(i), r, w) == block.Granted {
					todo = append(todo, w)
				}
				for len(todo) > 0 {
					h := todo[0]
					todo = todo[1:]
					enter(h.Mode)
					if n%16 == 0 {
						goruntime.Gosched()
					}
					holding[h.Mode].Add(-1)
					if h.EDT%5 == 0 && h.Mode != datablock.RO {
						todo = l.Downgrade(i, r, h.Mode, todo)
						todo = l.Release(i, r, datablock.RO, todo)
						continue
					}
					todo = l.Release(i, r, h.Mode, todo)
				}
			}
		})
	}
	all.Wait()
	s.Waiting(func(_ uint32, w block.Waiter) { t.Errorf("%v still waits", w) })
	if n := served.Load(); n != workers*rounds {
		t.Errorf("%d were served, want %d", n, workers*rounds)
	}
	if !r.TryAcquire(datablock.EW) {
		t.Error("the block is not free at the end")
	}
}

// One worker creates blocks and another destroys them, each filled with a pattern of
// its own: blocks never share memory, and new ones are zeroed.
func TestConcurrentCreateAndDestroy(t *testing.T) {
	const workers, rounds = 4, 1500
	_, locals := newStore(t, 0, workers)
	type parcel struct {
		i uint32
		r *block.Record
	}
	mail := make([]chan parcel, workers)
	for k := range mail {
		mail[k] = make(chan parcel, workers*rounds)
	}
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			for n := range rounds {
				i, r, err := locals[k].Create(1+(n*97)%3000, false)
				if err != nil {
					t.Error(err)
					return
				}
				fill(t, r, byte(i))
				mail[(k+n)%workers] <- parcel{i, r}
				select {
				case p := <-mail[k]:
					for _, b := range p.r.Bytes() {
						if b != byte(p.i) {
							t.Errorf("block %d holds %d", p.i, b)
							break
						}
					}
					locals[k].Destroy(p.i, p.r)
				default:
				}
			}
		})
	}
	all.Wait()
}

func fill(t *testing.T, r *block.Record, pattern byte) {
	b := r.Bytes()
	for k := range b {
		if b[k] != 0 {
			t.Errorf("byte %d of a new block of %d is %d", k, len(b), b[k])
			break
		}
	}
	for k := range b {
		b[k] = pattern
	}
}
