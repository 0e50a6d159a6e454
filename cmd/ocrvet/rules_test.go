package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"ocr/internal/proof/testrun"
)

// TestRules runs all rules over the programs below testdata, one for each rule. A comment says what is to be found in
// its line, and nothing else may be:
//
//	kept = c // want keeps "a regular expression"
func TestRules(t *testing.T) {
	var patterns []string
	for _, r := range rules {
		patterns = append(patterns, "./testdata/"+r.Name)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, patterns...)
	testrun.OK(t, err)
	graph, err := checker.Analyze(rules, pkgs, nil)
	testrun.OK(t, err)
	wanted := map[string][]*regexp.Regexp{} // by line and rule
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Error(err)
		}
		readWants(t, p, wanted)
	}
	for act := range graph.All() {
		if act.Err != nil {
			t.Errorf("%v: %v", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			at := lineAndRule(act.Package.Fset.Position(d.Pos).String(), act.Analyzer.Name)
			if w := wanted[at]; len(w) == 0 || !w[0].MatchString(d.Message) {
				t.Errorf("%s: found, and not wanted: %s", at, d.Message)
				continue
			}
			wanted[at] = wanted[at][1:]
		}
	}
	for at, w := range wanted {
		for _, message := range w {
			t.Errorf("%s: not found: %s", at, message)
		}
	}
}

var (
	want   = regexp.MustCompile("want ([a-z]+) [\"`]([^\"`]*)[\"`]")
	column = regexp.MustCompile(":[0-9]+$")
)

func lineAndRule(position, rule string) string {
	return fmt.Sprintf("%s: %s", column.ReplaceAllString(filepath.Base(position), ""), rule)
}

// readWants takes the wishes from the comments of a program: at least one for its own rule.
func readWants(t *testing.T, p *packages.Package, wanted map[string][]*regexp.Regexp) {
	own := 0
	for _, file := range p.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				for _, m := range want.FindAllStringSubmatch(c.Text, -1) {
					at := lineAndRule(p.Fset.Position(c.Pos()).String(), m[1])
					wanted[at] = append(wanted[at], regexp.MustCompile(m[2]))
					if m[1] == p.Name {
						own++
					}
				}
			}
		}
	}
	if own == 0 {
		t.Errorf("the program of rule %s wants nothing of it", p.Name)
	}
}
