//go:build amd64 && !race

package ids

// current returns the tag. On amd64 loads take effect in program order, so what [Header.Confirm] publishes is seen.
func (h *Header) current() uint32 { return h.tag }
