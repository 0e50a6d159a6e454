// Package model explores every interleaving of a small concurrent protocol.
//
// A protocol is written as its code is: processes are Go functions whose shared
// accesses go through a [Process], one atomic step each.
//
//	s := model.New("flag")
//	data, flag := s.Word("data", 0), s.Word("flag", 0)
//	s.Go("writer", func(p *model.Process) {
//		p.Store(data, 7)
//		p.Store(flag, 1)
//	})
//	s.Go("reader", func(p *model.Process) {
//		if p.Load(flag) == 1 && p.Load(data) != 7 {
//			p.Fail("the flag came before the data")
//		}
//	})
//	fmt.Println(s.Explore())
//
// [System.Explore] walks all states breadth first and reports the shortest way to one that breaks a condition, in which
// no process can go on (deadlock), or from which no end can be reached any more. It does not know fairness: it passes a
// protocol that ends only if no process is delayed for ever.
//
// Steps are sequentially consistent as Go's atomics are.
//
// The bodies must be deterministic, must not keep anything outside and must not defer a step: the explorer runs them
// again and again, up to the next step each time. Between two steps the state of a process is what its steps so far
// returned; [Process.Again] makes it forget that, so that loops have finitely many states.
//
// The protocols between ranks are in this package's tests, one a file, each with the weakened steps that break it.
// Those inside a process need no model: package ocr/internal/proof/explore runs their code.
package model
