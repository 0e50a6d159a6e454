package word

import "sync/atomic"

// Publish sets a word as [Of.Publish] does. It is for words that no exploration runs: others are an [Of].
func Publish(p *uint64, x uint64) {
	if totalStoreOrder {
		*p = x
		return
	}
	atomic.StoreUint64(p, x)
}
