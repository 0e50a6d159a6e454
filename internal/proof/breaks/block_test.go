//go:build explore

package breaks

var blockBreaks = []broken{
	{name: "a hold is taken with a load and a store", file: "internal/core/block/record.go", test: "Queue", often: true,
		old: "\t\tnext, ok := admit(old, m, true)\n\t\tif !ok {\n\t\t\treturn false\n\t\t}\n" +
			"\t\tif r.state.CompareAndSwap(old, next) {\n",
		new: "\t\tnext, ok := admit(old, m, true)\n\t\tif !ok {\n\t\t\treturn false\n\t\t}\n" +
			"\t\tif r.state.Store(next); true {\n"},
	{name: "a hold is taken in one try with an addition", file: "internal/core/block/record.go", test: "Queue",
		old: "old < readOne && r.state.CompareAndSwap(old, old+classOne)",
		new: "old < readOne && r.state.Add(classOne) != 0"},
	{name: "a hold is given back in one try with an addition", file: "internal/core/block/record.go", test: "Queue",
		old: "old < readOne && r.state.CompareAndSwap(old, old-classOne)",
		new: "old < readOne && r.state.Add(^uint64(0)) < 1<<63"},
	{name: "a hold is given back with a load and a store", file: "internal/core/block/store.go", test: "Queue",
		old: "\t\tnext := leave(old, m)\n\t\tif !r.state.CompareAndSwap(old, next) {\n",
		new: "\t\tnext := leave(old, m)\n\t\tif r.state.Store(next); false {\n"},
	{name: "a waiter queues without looking again", file: "internal/core/block/queue.go", test: "Queue",
		old: "\t\tif next, has = admit(state, w.Mode, true); !has {\n",
		new: "\t\tif next, has = state, false; !has {\n"},
	{name: "the queued bit is set without a compare-and-swap", file: "internal/core/block/queue.go", test: "Queue",
		old: "\t\tif !r.state.CompareAndSwap(old, next) {\n\t\t\tcontinue\n\t\t}\n\t\tif ok {\n",
		new: "\t\tif r.state.Store(next); false {\n\t\t\tcontinue\n\t\t}\n\t\tif ok {\n"},
	{name: "the queued bit is cleared with waiters left", file: "internal/core/block/queue.go", test: "Queue",
		old: "\t\tif !r.grant(w.Mode) {\n\t\t\treturn granted\n",
		new: "\t\tif !r.grant(w.Mode) {\n\t\t\ts.unmark(r, true)\n\t\t\treturn granted\n"},
	{name: "newcomers pass by the queue", file: "internal/core/block/record.go", test: "Queue",
		old: "\tif fair && state&queued != 0 {\n", new: "\tif false {\n"},
	{name: "handed over whatever waits", file: "internal/core/block/record.go", test: "HandOver",
		old: "return r.state.Load() < 1<<classShift", new: "return r.state.Load() != 0"},
	{name: "a destroyed block with holders is freed", file: "internal/core/block/store.go", test: "Destruction",
		old: "\t\tif old == 0 {\n\t\t\tl.free(i, r)\n\t\t}\n", new: "\t\tl.free(i, r)\n"},
	{name: "the destroyer frees nothing", file: "internal/core/block/store.go", test: "Destruction",
		old: "\t\tif old == 0 {\n\t\t\tl.free(i, r)\n\t\t}\n", new: ""},
	{name: "the last holder of a destroyed block does not serve its queue", file: "internal/core/block/store.go",
		test: "Destruction", old: "\tif state&queued != 0 && state&classMask == 0 {\n" +
			"\t\treturn l.store.serve(i, r, granted)\n\t}\n\tif state == destroyed {\n",
		new: "\tif state&queued != 0 && state&(classMask|destroyed) == 0 {\n" +
			"\t\treturn l.store.serve(i, r, granted)\n\t}\n\tif state == destroyed {\n"},
	{name: "an EDT that keeps a block finds it destroyed", file: "internal/core/block/queue.go", test: "Kept",
		old: "\t\tif old&destroyed != 0 && !w.Kept {\n", new: "\t\tif old&destroyed != 0 {\n"},
	{name: "a waiter keeps its block", file: "internal/core/block/queue.go", test: "Kept",
		old: "\t\tnext = state - readOne | queued\n", new: "\t\tnext = state | queued\n"},
}
