package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A rung is the tests of one package, that a mutant must survive.
type rung struct {
	dir  string
	long bool   // without -short
	tag  string // to build with, for mutants of this package only
	only string // of the tests, by regular expression
}

// ladder is all tests that could kill a mutant of the core, cheap first. A mutant
// begins with its own package; those that do not use its package are left out.
var ladder = []rung{
	{dir: "internal/ids"}, {dir: "guid"}, {dir: "internal/block"}, {dir: "internal/graphtest"}, {dir: "edt"}, {dir: "runtime"},
	{dir: "runtime", tag: "yield", only: "Park|RunEnds|InEveryOrder"}, {dir: "edt/edttest"},
	{dir: "internal/check"}, {dir: "apps/synchp2p"},
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

// climb returns the rungs for a package: its own first, and its own long tests last.
// uses says which packages each rung's tests depend on.
func climb(rungs []rung, uses map[string][]string, src *source) []rung {
	var own, others, long []rung
	for _, r := range rungs {
		switch {
		case r.dir == src.name && r.long:
			long = append(long, r)
		case r.dir == src.name:
			own = append(own, r)
		case !r.long && r.tag == "" && slices.Contains(uses[r.dir], src.path):
			others = append(others, r)
		}
	}
	return slices.Concat(own, others, long)
}

// dependences lists, for each rung, what its tests are built from.
func (m *module) dependences(ctx context.Context) (map[string][]string, error) {
	uses := make(map[string][]string)
	for _, r := range m.ladder {
		if uses[r.dir] != nil {
			continue
		}
		all, err := goList(ctx, m.dir, "-test", "./"+r.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.dir, err)
		}
		for _, p := range all {
			for _, dep := range p.Deps {
				path, _, _ := strings.Cut(dep, " ") // "ocr/edt [ocr/runtime.test]"
				uses[r.dir] = append(uses[r.dir], path)
			}
		}
	}
	return uses, nil
}

func (m *module) path(r rung) string { return filepath.Join(m.dir, r.dir) }
