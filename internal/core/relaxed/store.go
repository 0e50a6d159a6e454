//go:build !amd64 || race

package relaxed

import "sync/atomic"

// Store64 stores v at p, which must be aligned.
func Store64(p *uint64, v uint64) { atomic.StoreUint64(p, v) }
