//go:build !amd64 || race

package ids

import "sync/atomic"

// current returns the tag. The caller sees what was written before the tag was set.
func (h *Header) current() uint32 { return atomic.LoadUint32(&h.tag) }

// set changes the tag. One worker at a time calls it.
func (h *Header) set(tag uint32) { atomic.StoreUint32(&h.tag, tag) }

// Advance is Expire for a generation that is not the last.
func (h *Header) Advance() { h.set(h.tag + 1) }
