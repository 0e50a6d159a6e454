//go:build !amd64 || race

package ids

import "sync/atomic"

// current returns the tag, and sees what [Header.Confirm] publishes.
func (h *Header) current() uint32 { return atomic.LoadUint32(&h.tag) }
