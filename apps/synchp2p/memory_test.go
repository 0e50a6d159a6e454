package synchp2p

import (
	"fmt"
	"sync"
	"testing"
)

// BenchmarkKernelMemory sweeps strips that do not fit into caches, on one core and on two at a time: what the memory
// gives is the most that an EDT form can reach on such a grid, and the second core's gain the most that it can gain.
func BenchmarkKernelMemory(b *testing.B) {
	const bytes, rows = 32 << 20, 50
	for _, width := range []int{400, 2000} {
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("columns=%d/cores=%d", width, cores), func(b *testing.B) {
				strips := make([][]float64, cores)
				for k := range strips {
					strips[k] = make([]float64, bytes/pointSize)
				}
				points := 0
				for b.Loop() {
					var all sync.WaitGroup
					for _, s := range strips {
						all.Go(func() { sweepAll(s, width, rows) })
					}
					all.Wait()
					points += cores * (bytes / pointSize / width) * width
				}
				b.ReportMetric(2*float64(points)/float64(b.Elapsed().Microseconds()), "Mflop/s")
			})
		}
	}
}

func sweepAll(strip []float64, width, rows int) {
	edge := make([]float64, rows+1)
	for at := 0; at+(rows+1)*width <= len(strip); at += rows * width {
		sweepRows(strip[at:], width, width, edge)
	}
}
