//go:build amd64 && !race

package runtime

import (
	"unsafe"

	"ocr/edt"
)

// put stores an entry. It needs no ordering of its own: the store to bottom
// behind it publishes it, and on amd64 stores become visible in program order.
// As an atomic store it would be an XCHG, 2 to 7 ns.
func (r *ring) put(k int64, v edt.Task) {
	*(*uint64)(unsafe.Pointer(&r.entries[k&r.mask])) = uint64(v)
}
