package shmem_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"ocr/apps/shmem"
	"ocr/internal/proof/testrun"
)

// message returns n bytes that differ by sender and round.
func message(n, pe, round int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + pe*31 + round*113 + 1)
	}
	return b
}

func TestPutBarrierGet(t *testing.T) {
	eachWorld(t, 4096, func(t *testing.T, pe *shmem.PE) {
		next, prev := (pe.Rank()+1)%pe.Size(), (pe.Rank()+pe.Size()-1)%pe.Size()
		for round := range rounds(200) {
			n := []int{1, 4, 8, 13, 64, 1000}[round%6]
			pe.Put(next, 100, message(n, pe.Rank(), round))
			pe.Barrier()
			if got := pe.Segment()[100 : 100+n]; !bytes.Equal(got, message(n, prev, round)) {
				t.Errorf("PE %d of %d, round %d: put has not arrived", pe.Rank(), pe.Size(), round)
			}
			got := make([]byte, n)
			pe.Get(got, next, 100)
			if !bytes.Equal(got, message(n, pe.Rank(), round)) {
				t.Errorf("PE %d of %d, round %d: get returned something else", pe.Rank(), pe.Size(), round)
			}
			pe.Barrier()
		}
	})
}

// No PE leaves a barrier before all have entered it.
func TestBarrierHoldsEverybody(t *testing.T) {
	eachWorld(t, 8*16, func(t *testing.T, pe *shmem.PE) {
		for round := range uint64(rounds(300)) {
			var number [8]byte
			binary.LittleEndian.PutUint64(number[:], round+1)
			for to := range pe.Size() {
				pe.PutFlag(to, 8*pe.Rank(), number[:])
			}
			pe.Barrier()
			for from := range pe.Size() {
				testrun.Equal(t, round+1, binary.LittleEndian.Uint64(pe.Segment()[8*from:]),
					"on PE %d of %d from PE %d in round %d", pe.Rank(), pe.Size(), from, round)
			}
			pe.Barrier()
		}
	})
}

// Notifications count: several may be under way, and data come before them.
func TestNotifyWaitCounts(t *testing.T) {
	eachWorld(t, 4096, func(t *testing.T, pe *shmem.PE) {
		const ahead = 4
		to, from := (pe.Rank()+1)%pe.Size(), (pe.Rank()+pe.Size()-1)%pe.Size()
		for round := range rounds(100) {
			for k := range ahead {
				pe.Put(to, 64*k, message(64, pe.Rank(), round+k))
				pe.Notify(to)
			}
			for k := range ahead {
				pe.Wait(from)
				if got := pe.Segment()[64*k : 64*k+64]; !bytes.Equal(got, message(64, from, round+k)) {
					t.Errorf("PE %d: message %d of round %d has not arrived", pe.Rank(), k, round)
				}
			}
			pe.Barrier()
		}
	})
}

// A flag comes after its message, pushed or polled for.
func TestFlags(t *testing.T) {
	for _, n := range []int{4, 8, 72, 1000} {
		eachWorld(t, 4096, func(t *testing.T, pe *shmem.PE) {
			to, from := (pe.Rank()+1)%pe.Size(), (pe.Rank()+pe.Size()-1)%pe.Size()
			flagged := func(pe, round int) []byte {
				b := message(n, pe, round)
				binary.LittleEndian.PutUint32(b[n-4:], uint32(round+1))
				return b
			}
			for round := range rounds(100) {
				pe.PutFlag(to, 0, flagged(pe.Rank(), round))
				want := flagged(from, round)
				pe.WaitFlag(pe.Rank(), 0, want)
				if got := pe.Segment()[:max(n-8, 0)]; !bytes.Equal(got, want[:len(got)]) {
					t.Errorf("%d bytes, round %d: the flag came before the message", n, round)
				}
				pe.PutFlag(pe.Rank(), 2048, flagged(pe.Rank(), round))
				pe.WaitFlag(from, 2048, want)
				var flag [4]byte
				pe.Get(flag[:], from, 2048+n-4)
				testrun.Equal(t, uint32(round+1), binary.LittleEndian.Uint32(flag[:]),
					"%d bytes, round %d: another flag than the one that was waited for", n, round)
				pe.Barrier()
			}
		})
	}
}

// Strided transfers against a loop over elements; what lies between is not touched.
func TestStrided(t *testing.T) {
	eachWorld(t, 1<<14, func(t *testing.T, pe *shmem.PE) {
		next := (pe.Rank() + 1) % pe.Size()
		for _, width := range []int{4, 8} {
			for _, s := range []shmem.Strides{{Dst: 1, Src: 1}, {Dst: 3, Src: 1}, {Dst: 1, Src: 5}, {Dst: 2, Src: 7}} {
				for _, n := range []int{0, 1, 33} {
					src := message(n*s.Src*width+width, pe.Rank(), n)
					clear(pe.Segment())
					pe.Barrier()
					pe.PutStrided(next, 64, src, n, width, s)
					pe.Quiet()
					want := make([]byte, 1<<14)
					for i := range n {
						copy(want[64+i*s.Dst*width:][:width], src[i*s.Src*width:])
					}
					got := make([]byte, 1<<14)
					pe.Get(got, next, 0)
					if !bytes.Equal(got, want) {
						t.Errorf("put of %d x %d bytes, strides %v: wrong", n, width, s)
					}
					back := make([]byte, n*s.Src*width+width)
					again := make([]byte, len(back))
					pe.GetStrided(back, next, 64, n, width, shmem.Strides{Dst: s.Src, Src: s.Dst})
					for i := range n {
						copy(again[i*s.Src*width:][:width], src[i*s.Src*width:])
					}
					if !bytes.Equal(back, again) {
						t.Errorf("get of %d x %d bytes, strides %v: wrong", n, width, s)
					}
					pe.Barrier()
				}
			}
		}
	})
}

// The path of small transfers and of synchronisation allocates nothing.
func TestNoAllocations(t *testing.T) {
	eachWorld(t, 4096, func(t *testing.T, pe *shmem.PE) {
		if pe.Size() != 1 {
			return
		}
		word := make([]byte, 8)
		ops := map[string]func(){
			"put": func() { pe.Put(0, 0, word) }, "get": func() { pe.Get(word, 0, 0) },
			"quiet": pe.Quiet, "barrier": pe.Barrier, "notify and wait": func() { pe.Notify(0); pe.Wait(0) },
			"put flag": func() { pe.PutFlag(0, 0, word); pe.WaitFlag(0, 0, word) },
			"sum":      func() { pe.SumToAll(shmem.Float64, 0, 64, 8) },
			"long sum": func() { pe.SumToAll(shmem.Int32, 0, 2048, 512) },
		}
		for name, op := range ops {
			testrun.Equal(t, 0, testing.AllocsPerRun(100, op), "%s: allocations", name)
		}
	})
}
