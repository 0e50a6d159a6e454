package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// loadSizes are the sizes of memory, in KiB, from which loads are timed: one for a first level cache, one for a second,
// one for a part of a third, and one larger than most caches.
var loadSizes = []int{16, 256, 4 << 10, 64 << 10}

// loads says how long a load takes on this machine, if its address is what the load before has read. Where another
// virtual machine uses the shared cache, a load from 4 MiB takes as long as one from 64 MiB.
func loads() string {
	const trials, each = 9, 100_000
	var said []string
	for _, kib := range loadSizes {
		lines := cycle(kib << 10 / lineBytes)
		at := follow(lines, 0, len(lines)) // fills the caches
		var ns []float64
		for range trials {
			begun := time.Now()
			at = follow(lines, at, each)
			ns = append(ns, float64(time.Since(begun).Nanoseconds())/each)
		}
		slices.Sort(ns)
		said = append(said, fmt.Sprintf("%.3g ns from %d KiB", ns[trials/2], kib))
	}
	return "a load takes " + strings.Join(said, ", ")
}

// A line is a line of a cache; it holds the index of the next one.
type line struct {
	next uint32
	_    [lineBytes - 4]byte
}

const lineBytes = 64

// cycle returns n lines that are one cycle in random order (Sattolo's algorithm), so that no prefetcher follows it.
func cycle(n int) []line {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	lines := make([]line, n)
	for k := range lines {
		lines[k].next = uint32(k)
	}
	for k := n - 1; k > 0; k-- {
		j := random.IntN(k)
		lines[k].next, lines[j].next = lines[j].next, lines[k].next
	}
	return lines
}

// follow makes n steps of the cycle, and returns where it ends.
func follow(lines []line, at uint32, n int) uint32 {
	for range n {
		at = lines[at].next
	}
	return at
}
