package main

import (
	"fmt"
	"math/rand/v2"
)

// A mutant is a package with an edit in one of its files.
type mutant struct {
	id  int
	src *source
	*edit
}

// draw picks n mutants that compile: as many from each package as from every other, or
// one more; within a package spread over its files and over the kinds of edits. It
// draws all there are if they are fewer.
func (m *module) draw(seed uint64, n int) ([]mutant, error) {
	var all []mutant
	for k, src := range m.packages {
		rnd := rand.New(rand.NewPCG(seed, uint64(k)))
		share := n / len(m.packages)
		if k < n%len(m.packages) {
			share++
		}
		for _, e := range spread(rnd, edits(src, m.fset), share, func(e *edit) bool { return m.compiles(src, e) }) {
			all = append(all, mutant{len(all) + 1, src, e})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing to change in %d packages", len(m.packages))
	}
	return all, nil
}

// spread draws n edits that are good: each time one whose file and kind were drawn
// least often so far, by lot if there are several.
func spread(rnd *rand.Rand, left []*edit, n int, good func(*edit) bool) (drawn []*edit) {
	rnd.Shuffle(len(left), func(a, b int) { left[a], left[b] = left[b], left[a] })
	files, kinds := make(map[*file]int), make(map[kind]int)
	for len(drawn) < n && len(left) > 0 {
		best := 0
		for k, e := range left {
			if files[e.file]+kinds[e.kind] < files[left[best].file]+kinds[left[best].kind] {
				best = k
			}
		}
		e := left[best]
		left = append(left[:best], left[best+1:]...)
		if !good(e) {
			continue
		}
		files[e.file]++
		kinds[e.kind]++
		drawn = append(drawn, e)
	}
	return drawn
}
