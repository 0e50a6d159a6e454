package overhead

import (
	"fmt"
	"sync/atomic"

	"ocr/edt"
)

func blockRows() []*Row {
	var rows []*Row
	for _, size := range []int{8, 64, 4 << 10, 64 << 10, 1 << 20} {
		n := min(pairLen, max(4, 1<<20/size)) // some 10 us at a time
		rows = append(rows, &Row{
			Section: Blocks, Name: fmt.Sprintf("block-create-destroy/bytes=%d", size),
			What: "creating a block of so many zeroed bytes, held by the EDT, and destroying it",
			measure: call{
				n: n,
				act: func(c *edt.Ctx, l *lane) {
					for range l.n {
						g, _ := c.NewBlock(size)
						c.DestroyBlock(g)
					}
				},
				counts: edt.Counters{BlockCreated: 1, BlockDestroyed: 1},
			}.measure,
			Peers: []Peer{makeBytes(size, n)},
		})
	}
	return rows
}

// buffers keeps byte slices on the heap.
var buffers [64]atomic.Pointer[[]byte]

// makeBytes makes a byte slice, and leaves it to the collector.
func makeBytes(size, n int) Peer {
	return peerSets("make-bytes", func(int) peerLoop {
		return peerLoop{n: n, work: func(worker int) func(int) int64 {
			return func(n int) int64 {
				for range n {
					b := make([]byte, size)
					buffers[worker%len(buffers)].Store(&b)
				}
				return 0
			}
		}}
	})
}
