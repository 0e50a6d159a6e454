package block_test

import (
	"sync"
	"testing"

	"ocr/internal/core/block"
)

// One worker creates blocks, each filled with its own pattern, and another destroys them: blocks never share memory,
// and new ones are zeroed.
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
