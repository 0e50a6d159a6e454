//go:build mpi

package mpi

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"
	"unsafe"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// TestWindow: each rank puts to the next one, plain and strided, tells it so, and gets the bytes back. Larger windows
// take the place of smaller ones.
func TestWindow(t *testing.T) {
	overRanks(t, func(t *testing.T, _ []uint64, p *process) {
		e := open(t, p).(*Engine)
		defer e.Close()
		for _, size := range []int{4096, 2048, 1 << 16} {
			w, err := e.OpenWindow(size)
			testrun.OK(t, err)
			clear(w.Bytes())
			e.agree()
			exchange(t, w, p.rank, p.ranks, size)
			gather(t, w, (p.rank+1)%p.ranks)
			e.agree() // the next window may be in the same memory
		}
	})
}

// The layout of a window of exchange: the flags of the previous and of the next rank, and what the previous rank puts.
const (
	flagAt    = 0
	doneAt    = 8
	plainAt   = 64
	stridedAt = 1024
	elements  = 50
)

func exchange(t *testing.T, w rank.Window, me, ranks, size int) {
	own, next, prev := w.Bytes(), (me+1)%ranks, (me+ranks-1)%ranks
	testrun.Equal(t, size, len(own), "bytes of a window")
	for round := range uint64(50) {
		message, strided := make([]byte, 777), make([]byte, elements*2*4)
		for i := range message {
			message[i] = byte(i + 3*me + int(round))
		}
		copy(strided, message)
		w.Put(next, plainAt, message)
		w.PutStrided(next, stridedAt, strided, elements, 4, 3, 2)
		w.Flush(next)
		w.Store(next, flagAt, 8, round+1)
		wait(w, word(own, flagAt), round+1)
		for i := range message {
			if own[plainAt+i] != byte(i+3*prev+int(round)) {
				t.Errorf("rank %d, round %d: byte %d has not arrived with its flag", me, round, i)
				break
			}
		}
		back, packed := make([]byte, len(message)), make([]byte, elements*4)
		w.Get(back, next, plainAt)
		w.GetStrided(packed, next, stridedAt, elements, 4, 1, 3)
		for i := range elements {
			if !bytes.Equal(packed[4*i:][:4], strided[8*i:][:4]) {
				t.Errorf("rank %d, round %d: element %d is another one", me, round, i)
				break
			}
		}
		if !bytes.Equal(back, message) {
			t.Errorf("rank %d, round %d: got back something else", me, round)
		}
		w.Store(prev, doneAt+4, 4, 0xffffffff) // beside the word whose value counts
		w.Store(prev, doneAt, 4, uint64(uint32(round+1)))
		wait(w, word(own, doneAt), 0xffffffff<<32|(round+1))
		testrun.Equal(t, round+1, w.Load(next, flagAt, 8), "rank %d, round %d: loaded flag", me, round)
	}
}

// gather puts elements of many strides to another rank, packed. The packed side uses one MPI type again and again, the
// side with strides a new type each time.
func gather(t *testing.T, w rank.Window, to int) {
	for stride := 1; stride <= 12; stride++ {
		spread, packed := make([]byte, elements*stride*4), make([]byte, elements*4)
		for i := range elements {
			spread[4*i*stride] = byte(i + stride)
		}
		w.PutStrided(to, stridedAt, spread, elements, 4, 1, stride)
		w.Flush(to)
		w.Get(packed, to, stridedAt)
		for i := range elements {
			if !bytes.Equal(packed[4*i:][:4], spread[4*i*stride:][:4]) {
				t.Errorf("stride %d: element %d is another one", stride, i)
				break
			}
		}
	}
}

func word(b []byte, at int) *uint64 { return (*uint64)(unsafe.Pointer(&b[at])) }

func wait(w rank.Window, at *uint64, v uint64) {
	for atomic.LoadUint64(at) != v {
		w.Progress()
	}
}

// A strided put or get whose numbers MPI would cut is a panic.
func TestStridedTooLarge(t *testing.T) {
	defer func() { testrun.Contains(t, fmt.Sprint(recover()), "at most 2147483647") }()
	new(oneSided).PutStrided(1, 0, make([]byte, 1), 1, 1, 1<<31, 1)
}
