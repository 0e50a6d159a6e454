package rank

import (
	goruntime "runtime"
	"sync/atomic"
	"time"

	"ocr/internal/core/word"
)

// A turn is a spin lock for critical sections of a few instructions. Its release is a store, where a mutex needs a
// second atomic read-modify-write.
type turn struct{ taken uint64 }

func (t *turn) take() {
	if !atomic.CompareAndSwapUint64(&t.taken, 0, 1) {
		t.await()
	}
}

func (t *turn) leave() { word.Publish(&t.taken, 0) }

// await waits for a turn that another goroutine has, and takes it. It yields, as that goroutine may have lost its CPU.
func (t *turn) await() {
	for tries := 1; ; tries++ {
		if atomic.LoadUint64(&t.taken) == 0 && atomic.CompareAndSwapUint64(&t.taken, 0, 1) {
			return
		}
		switch {
		case tries%256 == 0:
			time.Sleep(20 * time.Microsecond)
		case tries%16 == 0:
			goruntime.Gosched()
		}
	}
}
