package cell_test

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"testing"
	"unsafe"

	"ocr/datablock/cell"
	"ocr/internal/proof/testrun"
)

// each runs a test for every width.
func each(t *testing.T, name string, w1, w2, w4, w8 func(*testing.T)) {
	for _, c := range []struct {
		width int
		run   func(*testing.T)
	}{{1, w1}, {2, w2}, {4, w4}, {8, w8}} {
		t.Run(fmt.Sprintf("%s/width=%d", name, c.width), c.run)
	}
}

func TestCells(t *testing.T) {
	each(t, "neighbours", neighbours[uint8], neighbours[uint16], neighbours[uint32], neighbours[uint64])
	each(t, "fill", fill[uint8], fill[uint16], fill[uint32], fill[uint64])
	each(t, "match", match[uint8], match[uint16], match[uint32], match[uint64])
	each(t, "await", await[uint8], await[uint16], await[uint32], await[uint64])
	each(t, "replies", replies[uint8], replies[uint16], replies[uint32], replies[uint64])
	each(t, "publish", publish[uint8], publish[uint16], publish[uint32], publish[uint64])
}

// neighbours: a store changes its cell and nothing beside it.
func neighbours[T cell.Word](t *testing.T) {
	all := ^T(0)
	for at := range 16 {
		s := make([]T, 16)
		cell.Store(&s[at], all)
		for i := range s {
			want := T(0)
			if i == at {
				want = all
			}
			if got := cell.Load(&s[i]); got != want || s[i] != want {
				t.Fatalf("store at %d: cell %d holds %#x, want %#x", at, i, got, want)
			}
		}
		for i := range s {
			cell.Store(&s[i], all)
		}
		cell.Store(&s[at], 0)
		for i := range s {
			if (s[i] == 0) != (i == at) {
				t.Fatalf("clearing %d: cell %d holds %#x", at, i, s[i])
			}
		}
	}
}

func fill[T cell.Word](t *testing.T) {
	v := ^T(0) - 1
	for _, n := range []int{0, 1, 2, 3, 7, 64, 4096} {
		s := make([]T, n+2)
		s[0], s[n+1] = 3, 5
		cell.Fill(s[1:n+1], v)
		if want := slices.Repeat([]T{v}, n); s[0] != 3 || s[n+1] != 5 || !slices.Equal(s[1:n+1], want) {
			t.Errorf("%d cells: %v", n, s)
		}
	}
	cell.Fill(nil, v)
}

func match[T cell.Word](t *testing.T) {
	v := ^T(0)
	for _, n := range []int{0, 1, 2, 9, 4096} {
		s := slices.Repeat([]T{v}, n+1)[:n] // the cell after the end matches too
		testrun.Equal(t, n, cell.Match(s, v), "cells match")
		for _, at := range []int{0, n / 2, n - 1} {
			if at < 0 || at >= n {
				continue
			}
			for bit := range 8 * unsafe.Sizeof(v) {
				s[at] = v ^ 1<<bit
				testrun.Equal(t, at, cell.Match(s, v), "Match, bit %d differs", bit)
			}
			s[at] = v
		}
	}
	testrun.Equal(t, 0, cell.Match(nil, v), "Match of nothing")
}

// await: a poll in vain ends, and the last poll counts.
func await[T cell.Word](t *testing.T) {
	s := []T{7, 7, 8, 7}
	for _, polls := range []int{1, 2, 1000} {
		if !cell.Await(&s[0], 7, polls) || cell.Await(&s[0], 8, polls) || cell.Await(&s[2], 7, polls) {
			t.Errorf("%d polls: Await is wrong about %v", polls, s)
		}
		testrun.Equal(t, 2, cell.AwaitAll(s, 7, polls), "%d polls: AwaitAll of %v for 7", polls, s)
		out := T(1)
		if cell.Reply(&s[0], &out, 9, 5, polls) || out != 1 {
			t.Errorf("%d polls: Reply stored %d for what did not come", polls, out)
		}
		if !cell.Reply(&s[0], &out, 7, 5, polls) || out != 5 {
			t.Errorf("%d polls: Reply left %d", polls, out)
		}
	}
}

func TestReach(t *testing.T) {
	x := uint64(1) << 63
	for _, polls := range []int{1, 100} {
		for _, c := range []struct {
			v    uint64
			want bool
		}{{0, true}, {1, true}, {x - 1, true}, {x, true}, {x + 1, false}, {^uint64(0), false}} {
			testrun.Equal(t, c.want, cell.Reach(&x, c.v, polls), "%d polls: %#x has reached %#x", polls, x, c.v)
		}
	}
}

// replies: polls find a value that is stored while they run.
func replies[T cell.Word](t *testing.T) {
	const rounds = 700
	s := make([]T, 8)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := range rounds {
			for !cell.Reply(&s[0], &s[4], T(k+1), T(k+1), 100) {
				goruntime.Gosched()
			}
		}
	}()
	for k := range rounds {
		cell.Store(&s[0], T(k+1))
		for n := 0; n < 1; n += cell.AwaitAll(s[4:5], T(k+1), 100) {
			goruntime.Gosched()
		}
		if !cell.Await(&s[4], T(k+1), 1) {
			t.Fatalf("round %d: the reply is gone", k)
		}
	}
	<-done
}

// publish: two goroutines pass a word to and fro, past the overflow of the narrow ones. A reader that sees the flag
// sees the plain data, also by the race detector's rules. If the compiler moved a load out of its loop the test would
// hang.
func publish[T cell.Word](t *testing.T) {
	const rounds = 700
	var flag, ack T
	data := make([]int, 100)
	failed := make(chan int, 1)
	go func() {
		for k := 1; k <= rounds; k++ {
			for cell.Load(&flag) != T(k) {
				goruntime.Gosched()
			}
			for _, v := range data {
				if v != k {
					failed <- k
					return
				}
			}
			cell.Store(&ack, T(k))
		}
	}()
	for k := 1; k <= rounds; k++ {
		for i := range data {
			data[i] = k
		}
		cell.Store(&flag, T(k))
		for cell.Load(&ack) != T(k) {
			if len(failed) > 0 {
				t.Fatalf("round %d saw old data", <-failed)
			}
			goruntime.Gosched()
		}
	}
}
