//go:build !race

package ids

const mapOnHeap = false
