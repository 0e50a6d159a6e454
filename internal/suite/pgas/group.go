package pgas

import (
	"cmp"
	"fmt"
	"maps"
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

// turn is when a key is measured: the keys of one turn are a group, and take samples in
// turn.
type turn struct {
	class         class
	bytes, stride int
}

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.class, u.class), cmp.Compare(t.bytes, u.bytes), cmp.Compare(t.stride, u.stride))
}

// grouped puts keys into groups, latencies first and small sizes first. Keys without a
// size join their home; the line baseline also joins, as a key of its own, every other
// group of latencies and reductions: the machine may change from group to group.
func grouped(keys []key) [][]key {
	turns := map[key]turn{}
	var sizeless []key
	for _, k := range keys {
		if k.bytes == 0 {
			sizeless = append(sizeless, k)
		} else {
			turns[k] = turn{classOf(k.about()), k.bytes, k.stride}
		}
	}
	sorted := slices.Compact(slices.SortedFunc(maps.Values(turns), turn.compare))
	home := homeOf(sorted, sizeless)
	for _, k := range sizeless {
		turns[k] = home
		for _, t := range sorted {
			if k.test == Line && t != home && (t.class == latency || t.class == reduction) {
				k.beside = besideOf(t.class, t.bytes)
				turns[k] = t
				keys = append(keys, k)
			}
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int { return turns[a].compare(turns[b]) })
	var groups [][]key
	for i, k := range keys {
		if i == 0 || turns[k] != turns[keys[i-1]] {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], k)
	}
	return groups
}

// homeOf returns the turn of keys that have no size: latencies of 8 bytes, the least that
// a word is, or the first latencies. If there are none, the line baseline alone joins the
// first reductions.
func homeOf(sorted []turn, sizeless []key) turn {
	words := turn{latency, 8, 1}
	if slices.Contains(sorted, words) {
		return words
	}
	alone := !slices.ContainsFunc(sizeless, func(k key) bool { return k.test != Line })
	for _, t := range sorted {
		if t.class == latency || alone && t.class == reduction {
			return t
		}
	}
	return words
}

// besideOf names a turn.
func besideOf(c class, bytes int) string {
	word := "latency"
	if c == reduction {
		word = "reduction"
	}
	return fmt.Sprintf("%s-%d", word, bytes)
}
