//go:build race

package guid

// mapOnHeap: the race detector watches the Go heap only.
const mapOnHeap = true
