//go:build amd64 && !race

package ids

// On amd64 loads and stores take effect in program order. (Calls of sync/atomic would count against the compiler's
// budget for inlining [Table.Lookup].)

// current returns the tag. Its reader sees what was written before the tag was set.
func (h *Header) current() uint32 { return h.tag }

// set changes the tag. Only one worker sets it at a time.
func (h *Header) set(tag uint32) { h.tag = tag }

// Advance is Expire if the generation is not the last.
func (h *Header) Advance() { h.tag++ }
