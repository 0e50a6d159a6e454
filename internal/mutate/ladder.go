package main

import "slices"

// A rung is the tests of one package, that a mutant must survive.
type rung struct {
	dir  string
	long bool   // without -short
	tag  string // to build with, for mutants of this package only
	only string // of the tests, by regular expression
}

// ladder is all tests that could kill a mutant of the core. A package comes before those
// that use it, so that a mutant begins with its own package and goes on behind it.
var ladder = []rung{
	{dir: "internal/ids"}, {dir: "guid"}, {dir: "internal/block"}, {dir: "edt"}, {dir: "internal/graphtest"}, {dir: "runtime"},
	{dir: "runtime", tag: "yield", only: "Park|RunEnds|InEveryOrder"}, {dir: "edt/edttest"},
	{dir: "internal/check"}, {dir: "apps/synchp2p"}, {dir: "task"},
	{dir: "internal/ids", long: true}, {dir: "internal/block", long: true}, {dir: "edt", long: true}, {dir: "runtime", long: true},
}

func (r rung) String() string {
	if r.long {
		return r.dir + " (long)"
	}
	if r.tag != "" {
		return r.dir + " (" + r.tag + ")"
	}
	return r.dir
}

// climb returns the rungs for a package: from its own on, and its own long tests last.
func climb(rungs []rung, src *source) (all []rung) {
	first := slices.IndexFunc(rungs, func(r rung) bool { return r.dir == src.name })
	for _, r := range rungs[max(first, 0):] {
		if r.dir == src.name || !r.long && r.tag == "" {
			all = append(all, r)
		}
	}
	return all
}
