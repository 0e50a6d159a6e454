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
		rows = append(rows, call{
			n: n,
			act: func(c *edt.Ctx, l *lane) {
				for range l.n {
					g, _ := c.NewBlock(size)
					c.DestroyBlock(g)
				}
			},
			perOp: aBlock,
		}.row(fmt.Sprintf("block-create-destroy/bytes=%d", size),
			"creating a block of so many zeroed bytes, held by the EDT, and destroying it",
			makeBytes(size, n)))
	}
	return rows
}

// makeBytes makes a byte slice, and leaves it to the collector.
func makeBytes(size, n int) Peer {
	return loopPeer("make-bytes", n, func() func(n int) int {
		var kept atomic.Pointer[[]byte]
		return func(n int) int {
			for range n {
				b := make([]byte, size)
				kept.Store(&b)
			}
			return n
		}
	})
}
