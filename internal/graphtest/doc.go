// Package graphtest makes random graphs of EDTs whose result does not depend on
// the schedule, and says without the runtime what the result must be. It is for
// the tests of the packages that run graphs.
//
//	p := graphtest.Generate(seed, 30)
//	x := p.NewExecution()
//	err := runtime.Run(ctx, x.Main)
//	// err is nil and x.Compare(p.Expect()) finds no difference
//
// A plan is a tree of EDTs, numbered in preorder: each is created by the body of
// its parent. Events and shared blocks belong to an EDT too, which creates them
// before its children, so that all of its subtree may use them. Dependences only
// go from lower to higher numbers, so that no plan gets stuck. Once and latch
// events, which must have their dependences before they trigger, are satisfied by
// EDTs that wait for a gate: a slot that their creator satisfies last.
//
// Some objects have labels, under which they may be created late, and by the first of
// several EDTs. Beside the tree there are scenes: small programs of their
// own, made of races that a correct program may have.
//
// Every EDT mixes its parameters and what came on its slots into a value. It reads
// only what is the same under every schedule, and takes part in the blocks that
// are not by adding to them or by writing a word of its own.
package graphtest
