//go:build !amd64 || race

package runtime

import "ocr/edt"

// put stores an entry; the store to bottom behind it publishes it.
func (r *ring) put(k int64, v edt.Task) { r.entries[k&r.mask].Store(uint64(v)) }
