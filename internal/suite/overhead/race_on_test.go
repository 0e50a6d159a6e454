//go:build race

package overhead

// raceDetector says that the race detector watches: its shadow of the heap is mapped
// outside of the heap.
const raceDetector = true
