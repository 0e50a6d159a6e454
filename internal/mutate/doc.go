// Mutate measures how good the tests of the core are: it makes one small fault at a
// time in the core (internal/ids, internal/block, edt, runtime), and sees whether a test fails.
//
//	go run ./internal/mutate -seed 1 -n 100
//
// A mutant is one edit of one source file (operators.go lists the kinds, and says
// which places are left out by rule). All mutants that compile are known before the
// first test runs; n of them are drawn by seed, as many from each package, spread
// evenly over its files and the kinds of edits. For the same sources the same seed
// draws the same mutants.
//
// A mutant never touches the tree: the compiler gets the edited file through -overlay.
// Tests run from its own package on (ladder.go) until one fails. A run
// that takes four times as long as the same tests without the fault, and 10 s more,
// counts as a kill "by timeout", which the table says. The tests first run
// without any fault: they must pass.
//
// It runs in the root of the module. Do not edit the sources while it runs.
package main
