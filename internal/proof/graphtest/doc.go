// Package graphtest makes random graphs of EDTs whose result does not depend on the schedule. It computes the result
// without the runtime, as the oracle of tests.
//
//	p := graphtest.Generate(seed, 30)
//	x := p.NewExecution()
//	err := runtime.Run(ctx, x.Main)
//	// err is nil and x.Compare(counters, p.Expect()) finds no difference
//
// A plan is a tree of EDTs, numbered in preorder: the body of an EDT creates its children. Events and shared blocks
// belong to an EDT too, which creates them before its children, so all of its subtree may use them. An EDT depends only
// on EDTs with lower numbers, so no plan gets stuck. Once and latch events must have their dependences before they
// trigger; so EDTs that satisfy them wait at a gate: a slot that their creator satisfies last.
//
// Beside the tree there are scenes: small programs with races that correct programs may have.
//
// Every EDT hashes its parameters and the contents of its slots into a value. It reads only contents that are the same
// under every schedule. It adds to other shared blocks, or writes one word of each.
package graphtest
