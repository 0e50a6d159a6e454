//go:build amd64 && !race

package ids

// On amd64 loads take effect in program order, and so do stores. (Calls of sync/atomic would count against the
// compiler's budget for inlining [Table.Lookup].)

// current returns the tag. The caller sees what was written before the tag was set.
func (h *Header) current() uint32 { return h.tag }

// set changes the tag. One worker at a time calls it.
func (h *Header) set(tag uint32) { h.tag = tag }

// Advance is Expire if the generation is not the last.
func (h *Header) Advance() { h.tag++ }
