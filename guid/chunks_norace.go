//go:build !race

package guid

const mapOnHeap = false
