//go:build explore

package breaks

var blockBreaks = of("internal/core/block/queue.go", "", "Queue", []broken{
	{name: "a hold is taken with a load and a store", often: true, file: "internal/core/block/record.go",
		old: "\t\tnext, ok := admit(old, m, true)\n\t\tif !ok {\n\t\t\treturn false\n\t\t}\n" +
			"\t\tif r.state.CompareAndSwap(old, next) {\n",
		new: "\t\tnext, ok := admit(old, m, true)\n\t\tif !ok {\n\t\t\treturn false\n\t\t}\n" +
			"\t\tif r.state.Store(next); true {\n"},
	{name: "a hold is taken in one try with an addition", file: "internal/core/block/record.go",
		old: "old < readOne && r.state.CompareAndSwap(old, old+classOne)",
		new: "old < readOne && r.state.Add(classOne) != 0"},
	{name: "a hold is given back in one try with an addition", file: "internal/core/block/record.go",
		old: "old < readOne && r.state.CompareAndSwap(old, old-classOne)",
		new: "old < readOne && r.state.Add(^uint64(0)) < 1<<63"},
	{name: "a hold is given back with a load and a store", file: "internal/core/block/store.go",
		old: "\t\tnext := leave(old, m)\n\t\tif !r.state.CompareAndSwap(old, next) {\n",
		new: "\t\tnext := leave(old, m)\n\t\tif r.state.Store(next); false {\n"},
	{name: "a waiter queues without looking again", old: "\t\tif next, has = admit(state, w.Mode, true); !has {\n",
		new: "\t\tif next, has = state, false; !has {\n"},
	{name: "the queued bit is set without a compare-and-swap",
		old: "\t\tif !r.state.CompareAndSwap(old, next) {\n\t\t\tcontinue\n\t\t}\n\t\tif ok {\n",
		new: "\t\tif r.state.Store(next); false {\n\t\t\tcontinue\n\t\t}\n\t\tif ok {\n"},
	{name: "the queued bit is cleared with waiters left", old: "\t\tif !r.grant(w.Mode) {\n\t\t\treturn granted\n",
		new: "\t\tif !r.grant(w.Mode) {\n\t\t\tr.unmark()\n\t\t\treturn granted\n"},
	{name: "the queued bit is cleared after the lock", old: "\tr.unmark()\n\treturn granted\n",
		new: "\tr.lock.Unlock()\n\tr.unmark()\n\tr.lock.Lock()\n\treturn granted\n"},
	{name: "the bit of another block is cleared after the lock", test: "Recycled", old: "\tr.unmark()\n\treturn granted\n",
		new: "\tr.lock.Unlock()\n\tr.unmark()\n\tr.lock.Lock()\n\treturn granted\n"},
	{name: "the queued bit stays when the queue is empty", old: "\tr.unmark()\n\treturn granted\n",
		new: "\treturn granted\n"},
	{name: "the queue is served whatever it holds", old: "\t\tif !r.grant(w.Mode) {\n\t\t\treturn granted\n\t\t}\n",
		new: "\t\tif !r.grant(w.Mode) {\n\t\t\tr.state.Add(classOf[w.Mode] | classOne)\n\t\t}\n"},
	{name: "one waiter is served at a time", test: "QueueTogether",
		old: "\t\tr.leave(s.placesOf(i))\n\t}\n\tr.unmark()\n\treturn granted\n",
		new: "\t\tr.leave(s.placesOf(i))\n\t\tif r.first[0].edt != 0 {\n\t\t\treturn granted\n\t\t}\n\t}\n" +
			"\tr.unmark()\n\treturn granted\n"},
	{name: "newcomers pass by the queue", file: "internal/core/block/record.go", old: "\tif fair && state&queued != 0 {\n",
		new: "\tif false {\n"},
	{name: "handed over whatever waits", file: "internal/core/block/record.go", test: "HandOver",
		old: "return r.state.Load() < 1<<classShift", new: "return r.state.Load() != 0"},
	{name: "a destroyed block with holders is freed", file: "internal/core/block/store.go", test: "Destruction",
		old: "\t\tif old == 0 {\n\t\t\tl.free(i, r)\n\t\t}\n", new: "\t\tl.free(i, r)\n"},
	{name: "the destroyer frees nothing", file: "internal/core/block/store.go", test: "Destruction",
		old: "\t\tif old == 0 {\n\t\t\tl.free(i, r)\n\t\t}\n", new: ""},
	{name: "the last holder of a destroyed block does not serve its queue", file: "internal/core/block/store.go",
		test: "Destruction",
		old: "\tif state&queued != 0 && state&classMask == 0 {\n\t\treturn l.store.serve(i, r, granted)\n\t}\n" +
			"\tif state == destroyed {\n",
		new: "\tif state&queued != 0 && state&(classMask|destroyed) == 0 {\n\t\treturn l.store.serve(i, r, granted)\n" +
			"\t}\n\tif state == destroyed {\n"},
	{name: "an EDT that keeps a block finds it destroyed", test: "Kept", old: "\t\tif old&destroyed != 0 && !w.Kept {\n",
		new: "\t\tif old&destroyed != 0 {\n"},
	{name: "a waiter keeps its block", test: "Kept", old: "\t\tnext = state - readOne | queued\n",
		new: "\t\tnext = state | queued\n"},
})
