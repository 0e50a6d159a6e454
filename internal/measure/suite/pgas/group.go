package pgas

import (
	"cmp"
	"slices"

	app "ocr/apps/pgas"
)

// class is a table of the results.
type class int

const (
	latency class = iota
	bandwidth
	strided
	reduction
)

func classOf(t app.Test) class {
	switch {
	case t.Kind == app.Latency:
		return latency
	case t.Kind == app.Reduction:
		return reduction
	case t.Uses.Stride:
		return strided
	}
	return bandwidth
}

// turn is when a key is measured: the keys of one turn are a group, and take samples in turn.
type turn struct {
	class         class
	bytes, stride int
}

func turnOf(k key) turn { return turn{classOf(k.about()), k.bytes, k.stride} }

// grouped puts keys into groups, latencies first and small sizes first.
func grouped(keys []key) [][]key {
	slices.SortStableFunc(keys, func(a, b key) int {
		t, u := turnOf(a), turnOf(b)
		return cmp.Or(cmp.Compare(t.class, u.class), cmp.Compare(t.bytes, u.bytes), cmp.Compare(t.stride, u.stride))
	})
	var groups [][]key
	for i, k := range keys {
		if i == 0 || turnOf(k) != turnOf(keys[i-1]) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], k)
	}
	return groups
}
