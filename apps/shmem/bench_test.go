package shmem_test

import (
	"fmt"
	"testing"
	"time"

	"ocr/apps/shmem"
	"ocr/datablock"
)

// benchPEs times n rounds of body on each of two PEs, PE 0's clock counting.
func benchPEs(b *testing.B, pes, bytes int, body func(pe *shmem.PE, n int)) {
	b.Helper()
	cfg := shmem.Config{PEs: pes, Bytes: bytes, Done: b.Context().Done()}
	var elapsed time.Duration
	err := onPEs(b.Context(), pes, cfg, func(pe *shmem.PE) {
		body(pe, 10+b.N/10)
		pe.Barrier()
		start := time.Now()
		body(pe, b.N)
		pe.Quiet()
		if pe.Rank() == 0 {
			elapsed = time.Since(start)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(elapsed.Nanoseconds())/float64(b.N), "ns/unit")
	if bytes > 64 {
		b.ReportMetric(float64(bytes/4)*float64(b.N)/float64(elapsed.Nanoseconds()), "GB/s")
	}
}

func BenchmarkBarrier(b *testing.B) {
	for _, pes := range []int{2, 4, 8} {
		b.Run(fmt.Sprintf("pes=%d", pes), func(b *testing.B) {
			benchPEs(b, pes, 64, func(pe *shmem.PE, n int) {
				for range n {
					pe.Barrier()
				}
			})
		})
	}
}

// A line's way there and back: what the rest is measured by.
func BenchmarkLine(b *testing.B) {
	benchPEs(b, 2, 64, func(pe *shmem.PE, n int) {
		var message [8]byte
		first := pe.Load(pe.Rank(), 0, 8)
		pe.Barrier() // before the first put changes it
		for k := range uint64(n) {
			datablock.SliceOf[uint64](message[:])[0] = first + k + 1
			if pe.Rank() == 0 {
				pe.PutFlag(1, 0, message[:])
				pe.WaitFlag(pe.Rank(), 0, message[:])
			} else {
				pe.WaitFlag(pe.Rank(), 0, message[:])
				pe.PutFlag(0, 0, message[:])
			}
		}
	})
}

func BenchmarkNotifyWait(b *testing.B) {
	benchPEs(b, 2, 64, func(pe *shmem.PE, n int) {
		for range n {
			pe.Notify(1 - pe.Rank())
			pe.Wait(1 - pe.Rank())
		}
	})
}

func BenchmarkPutPut(b *testing.B) {
	benchPEs(b, 2, 64, func(pe *shmem.PE, n int) {
		var message [8]byte
		for range n {
			if pe.Rank() == 0 {
				pe.Put(1, 0, message[:])
				pe.Notify(1)
				pe.Wait(1)
			} else {
				pe.Wait(0)
				pe.Put(0, 0, message[:])
				pe.Notify(0)
			}
		}
	})
}

func BenchmarkPut(b *testing.B) {
	for _, size := range []int{8, 64, 4 << 10, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			benchPEs(b, 2, 4*size, func(pe *shmem.PE, n int) {
				src := pe.Segment()[:size]
				for range n {
					if pe.Rank() == 0 {
						pe.Put(1, 2*size, src)
					}
				}
			})
		})
	}
}

func BenchmarkSumToAll(b *testing.B) {
	for _, size := range []int{8, 256, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 64 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			benchPEs(b, 2, 4*size, func(pe *shmem.PE, n int) {
				for range n {
					pe.SumToAll(shmem.Int32, 2*size, 0, size/4)
				}
			})
		})
	}
}
