package ring

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ocr/internal/rank"
)

// The benchmarks compare two processes with two threads, alternated in one run. On a loaded machine compare
// the least times: go test -run '^$' -bench . -benchtime 2000x ./internal/rank/ring.
// An operation is a batch of messages; the benchmarks report the time of one message.

// A far starts the other rank of a benchmark: as a process, or as a thread.
type far struct {
	name  string
	start func(t testing.TB, role string, lines int, messages uint64) (*Engine, func())
}

var fars = []far{{"processes", withProcess}, {"threads", inThread}}

// batches times b.N batches of messages with each of fars, alternated, and reports
// the least and the median time of a message, and the ratio of processes to threads.
func batches(b *testing.B, role string, size, messages int, batch func(e *Engine, m *rank.Message)) {
	m := message(size)
	times := make([][]float64, len(fars))
	for range 4 {
		for k, f := range fars {
			e, end := f.start(b, role, DefaultLines, 0)
			for range b.N/4 + 1 {
				began := time.Now()
				batch(e, m)
				times[k] = append(times[k], float64(time.Since(began).Nanoseconds())/float64(messages))
			}
			e.Send(1, &rank.Message{Kind: last})
			end()
		}
	}
	for k, f := range fars {
		slices.Sort(times[k])
		b.ReportMetric(times[k][0], f.name+"-min-ns")
		b.ReportMetric(times[k][len(times[k])/2], f.name+"-median-ns")
	}
	b.ReportMetric(times[0][0]/times[1][0], "min-ratio")
	b.ReportMetric(0, "ns/op")
}

func message(size int) *rank.Message {
	if size <= lineBytes {
		return &rank.Message{Count: uint8(size / 8)}
	}
	return &rank.Message{Tail: make([]byte, size)}
}

// BenchmarkOneWay sends one message to and fro.
func BenchmarkOneWay(b *testing.B) {
	for _, size := range []int{8, 56, 300, 4096, 65536} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			const trips = 50
			batches(b, "echo", size, 2*trips, func(e *Engine, m *rank.Message) {
				for range trips {
					e.Send(1, m)
					for e.Poll(1, func(int, *rank.Message) bool { return true }) == 0 {
					}
				}
			})
		})
	}
}

// BenchmarkStream sends batches of messages that are on their way together.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{56, 4096, 65536} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			messages := max(20, 28_000/size)
			batches(b, "count", size, messages, func(e *Engine, m *rank.Message) {
				for range messages {
					e.Send(1, m)
				}
				for e.Handled(1) < e.Sent(1) {
					e.flushAll()
				}
			})
		})
	}
}
