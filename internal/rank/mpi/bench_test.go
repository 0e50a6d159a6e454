//go:build mpi

package mpi

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// TestOneWay reports the time of a message that goes to and fro, in ns: the least and the median of batches.
func TestOneWay(t *testing.T) {
	_, p := asRank(t)
	if p == nil {
		out, err := mpirun(t, 2)
		testrun.OK(t, err, "%s", out)
		t.Log(out)
		return
	}
	defer p.end()
	e := open(t, p)
	defer e.Close()
	for _, size := range []int{0, 4096, 65536} {
		m := &rank.Message{Count: 1, Tail: make([]byte, size)}
		const batches, trips = 200, 50
		var times []float64
		for range batches {
			began := time.Now()
			for range trips {
				if p.rank == 0 {
					e.Send(1, m)
				}
				for e.Poll(1, func(int, *rank.Message) bool { return true }) == 0 {
				}
				if p.rank == 1 {
					e.Send(0, m)
				}
			}
			times = append(times, float64(time.Since(began).Nanoseconds())/(2*trips))
		}
		slices.Sort(times)
		if p.rank == 0 {
			fmt.Printf("one way, %d B: least %.0f ns, median %.0f ns\n", 8+size, times[0], times[batches/2])
		}
	}
}
