//go:build !explore

package word

import "sync/atomic"

// Publish is [Of.Publish] for a number that its owner also reads and writes plainly. In an exploration it is a step,
// and the value is visible after it.
func Publish(p *uint64, x uint64) {
	if totalStoreOrder {
		*p = x
		return
	}
	atomic.StoreUint64(p, x)
}

// Load returns a number that its owner may also read and write plainly.
func Load(p *uint64) uint64 { return atomic.LoadUint64(p) }
