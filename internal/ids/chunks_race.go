//go:build race

package ids

// mapOnHeap: the race detector watches the Go heap only.
const mapOnHeap = true
