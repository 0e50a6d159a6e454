// Package graphtest makes random graphs of EDTs whose result does not depend on the schedule, and computes that result
// without the runtime, as the oracle of tests.
//
//	p := graphtest.Generate(seed, 30)
//	x := p.NewExecution()
//	err := runtime.Run(ctx, x.Main)
//	// err is nil and x.Compare(p.Expect()) finds no difference
//
// A plan is a tree of EDTs, numbered in preorder: each is created by the body of its parent. Events and shared blocks
// belong to an EDT too, which creates them before its children, so that all of its subtree may use them. Dependences
// only go from lower to higher numbers, so that no plan gets stuck. Once and latch events, which must have their
// dependences before they trigger, are satisfied by EDTs that wait for a gate: a slot that their creator satisfies
// last.
//
// Beside the tree there are scenes: small programs with races that a correct program may have.
//
// Every EDT hashes its parameters and the contents of its slots into a value. It reads only contents that are the same
// under every schedule. To other shared blocks it adds, or writes a word of its own.
package graphtest
