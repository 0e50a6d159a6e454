package shmem_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/internal/proof/testrun"
)

// sumCounts are numbers of elements on both sides of every threshold.
var sumCounts = []int{1, 2, 7, shmem.SmallReduction / 8, shmem.SmallReduction/4 + 1, 3000}

// Integer sums are exact whatever the order.
func TestSumToAll(t *testing.T) {
	for _, e := range []shmem.Element{shmem.Int32, shmem.Int64, shmem.Float32, shmem.Float64} {
		for _, inPlace := range []bool{false, true} {
			eachWorld(t, 1<<16, func(t *testing.T, pe *shmem.PE) {
				for round, n := range append(sumCounts, sumCounts...) {
					source, target := 0, 1<<15
					if inPlace {
						target = source
					}
					fill(e, pe.Segment()[source:], n, func(j int) int { return (pe.Rank()+1)*(j%50) + round })
					pe.SumToAll(e, target, source, n)
					pes := pe.Size()
					want := make([]byte, n*e.Size())
					fill(e, want, n, func(j int) int { return pes*(pes+1)/2*(j%50) + pes*round })
					if got := pe.Segment()[target:][:len(want)]; !bytes.Equal(got, want) {
						t.Errorf("%v, PE %d of %d, %d elements, in place %v: wrong sum", e, pe.Rank(), pes, n, inPlace)
					}
				}
			})
		}
	}
}

// fill sets n elements to integers.
func fill(e shmem.Element, b []byte, n int, value func(j int) int) {
	for j := range n {
		switch e {
		case shmem.Int32:
			datablock.SliceOf[int32](b)[j] = int32(value(j))
		case shmem.Int64:
			datablock.SliceOf[int64](b)[j] = int64(value(j))
		case shmem.Float32:
			datablock.SliceOf[float32](b)[j] = float32(value(j))
		case shmem.Float64:
			datablock.SliceOf[float64](b)[j] = float64(value(j))
		}
	}
}

// roughFloats fills a source with numbers whose sum depends on the order of additions.
func roughFloats(b []byte, pe, n int) {
	random := rand.New(rand.NewPCG(7, uint64(pe)))
	for j := range n {
		datablock.SliceOf[float64](b)[j] = (random.Float64() - 0.5) * math.Pow(2, float64(random.IntN(60)))
	}
}

// Floating-point sums have the same bits on every PE and in every run.
func TestSumBitsAreReproducible(t *testing.T) {
	for _, n := range sumCounts {
		first := map[int]string{} // by number of PEs
		for range testrun.Sized(2, 2, 5) {
			eachWorld(t, 1<<16, func(t *testing.T, pe *shmem.PE) {
				roughFloats(pe.Segment(), pe.Rank(), n)
				pe.SumToAll(shmem.Float64, 1<<15, 0, n)
				pe.Barrier()
				if pe.Rank() == 0 {
					bits := string(pe.Segment()[1<<15:][:8*n])
					if was, ok := first[pe.Size()]; ok && was != bits {
						t.Errorf("%d PEs, %d elements: other bits than in the run before", pe.Size(), n)
					}
					first[pe.Size()] = bits
				}
				mine := make([]byte, 8*n)
				pe.Get(mine, 0, 1<<15)
				if !bytes.Equal(mine, pe.Segment()[1<<15:][:8*n]) {
					t.Errorf("%d PEs, %d elements: PE %d has other bits than PE 0", pe.Size(), n, pe.Rank())
				}
			})
		}
	}
}

// The order matters for these numbers: else the test above could not fail.
func TestRoughFloatsAreRough(t *testing.T) {
	a, b, c := make([]byte, 800), make([]byte, 800), make([]byte, 800)
	for pe, s := range [][]byte{a, b, c} {
		roughFloats(s, pe, 100)
	}
	x, y, z := datablock.SliceOf[float64](a), datablock.SliceOf[float64](b), datablock.SliceOf[float64](c)
	differ := 0
	for j := range x {
		if (x[j]+y[j])+z[j] != x[j]+(y[j]+z[j]) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("all sums are the same in any order")
	}
}
