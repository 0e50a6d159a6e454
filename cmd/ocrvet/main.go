// Command ocrvet finds mistakes in programs of this runtime without running them:
//
//	go vet -vettool=$(which ocrvet) ./...
//	ocrvet ./...
//
// docs/testing.md lists its rules, and what it does not see. `ocrvet help RULE` describes one; the flag -RULE runs
// that one alone.
//
// A comment turns a rule off for its line and the next, or, above the package clause, for its file. It needs a reason:
//
//	//ocrvet:ignore keeps the test wants the run to end
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
)

// rules are the analyzers, in the order of docs/testing.md.
var rules = []*analysis.Analyzer{keeps, released, shared, pointers, readonly, blocks, unused}

func main() { multichecker.Main(rules...) }
