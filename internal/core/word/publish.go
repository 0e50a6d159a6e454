//go:build !explore

package word

import "sync/atomic"

// Publish sets a word as [Of.Publish] does. It is for words of which their owner has plain accesses too. In an
// exploration it is a step, after which the value is visible.
func Publish(p *uint64, x uint64) {
	if totalStoreOrder {
		*p = x
		return
	}
	atomic.StoreUint64(p, x)
}

// Load returns such a word.
func Load(p *uint64) uint64 { return atomic.LoadUint64(p) }
