//go:build explore

package breaks

const (
	recordFolder = "internal/graph/record/"
	countDown    = "return n.w.Load() == 1 || n.w.Add(^uint32(0)) == 0"
)

var eventBreaks = of(recordFolder+"count.go", "edt", "Events", []broken{
	{name: "a waiter is pushed in one try with a store", often: true, file: recordFolder + "head.go", in: "edt",
		old: "\treturn h.w.CompareAndSwap(seen, uint64(ref))\n", new: "\th.w.Store(uint64(ref))\n\treturn true\n"},
	{name: "a waiter is pushed with a store", file: recordFolder + "head.go", in: "edt",
		old: "\treturn h.w.CompareAndSwap(uint64(seen), uint64(ref))\n", new: "\th.w.Store(uint64(ref))\n\treturn true\n"},
	{name: "a waiter is linked after the push", file: recordFolder + "head.go", in: "edt",
		old: "\tword.Publish(link, own|seen)\n\treturn h.w.CompareAndSwap(seen, uint64(ref))\n",
		new: "\tpushed := h.w.CompareAndSwap(seen, uint64(ref))\n\tword.Publish(link, own|seen)\n\treturn pushed\n"},
	{name: "an event is triggered with a store", file: recordFolder + "head.go", in: "edt",
		old: "\treturn h.w.CompareAndSwap(uint64(seen), uint64(triggered(block)))\n",
		new: "\th.w.Store(uint64(triggered(block)))\n\treturn true\n"},
	{name: "the next waiter is read after this one was satisfied", file: "edt/satisfy.go",
		old: "\t\tnext = record.Next(&s.link)\n\t\tc.fill(i, t, s, block, s.link&linkMode)\n\t\treturn next\n",
		new: "\t\tc.fill(i, t, s, block, s.link&linkMode)\n\t\treturn record.Next(&s.link)\n"},
	{name: "the slot stays as it is if the push fails", file: "edt/depend.go",
		old: "\t\t\ts.link = slotOpen // no other worker has seen another value\n", new: ""},
	{name: "a once event is freed after its waiters are satisfied", file: "edt/satisfy.go",
		old: "\tif once && !c.quickFree(uint32(low), e) {\n\t\tc.freeEvent(uint32(low), e)\n\t}\n",
		new: "\tif once {\n\t\tdefer c.freeEvent(uint32(low), e)\n\t}\n"},
	{name: "a counted event is used before the push", file: "edt/depend.go",
		old: "\t\tif e.head.Push(seen, ref, link, own) {\n\t\t\tif counted {\n\t\t\t\tc.useCounted(uint32(event), e)\n" +
			"\t\t\t}\n",
		new: "\t\tif counted {\n\t\t\tc.useCounted(uint32(event), e)\n\t\t}\n\t\tif e.head.Push(seen, ref, link, own) {\n"},
	{name: "the uses of a counted event are read again", test: "Overuse", old: "\tswitch c.w.Add(-1) {\n",
		new: "\tc.w.Add(-1)\n\tswitch c.w.Load() {\n"},
	{name: "the satisfaction is no use", test: "Overuse", old: "\tswitch c.w.Add(-1) {\n",
		new: "\tswitch c.w.Add(-1) & (Unsatisfied - 1) {\n"},
	{name: "a latch counts with a load and a store", test: "Latch", old: "{ return c.w.Add(d) == 0 }",
		new: "{\n\tn := c.w.Load() + d\n\tc.w.Store(n)\n\treturn n == 0\n}"},
	{name: "a latch looks at the count again", test: "Latch", old: "{ return c.w.Add(d) == 0 }",
		new: "{\n\tc.w.Add(d)\n\treturn c.w.Load() == 0\n}"},
	{name: "the next node is read after this one was freed", file: "edt/satisfy.go", test: "Chain",
		old: "\tnext = record.Next(&n.link)\n\tc.passing", new: "\tn.link = 0\n\tnext = record.Next(&n.link)\n\tc.passing"},
})

var countdownBreaks = of(recordFolder+"need.go", "edt", "Countdown", []broken{
	{name: "the decrement is skipped two slots short", often: true, old: countDown,
		new: "return n.w.Load() <= 2 || n.w.Add(^uint32(0)) == 0"},
	{name: "slots are counted with a load and a store", old: countDown,
		new: "x := n.w.Load(); n.w.Publish(x - 1); return x == 1"},
	{name: "the slot is counted before it is written", file: "edt/depend.go",
		old: "\ts.fill(low, link)\n\tif t.need.CountDown() {\n",
		new: "\tlast := t.need.CountDown()\n\ts.fill(low, link)\n\tif last {\n"},
})

var channelBreaks = of(recordFolder+"channel.go", "edt", "Channel", []broken{
	{name: "a satisfaction takes a dependence with a store",
		old: "\t\t\tif ch.Head.w.CompareAndSwap(uint64(s), 0) {\n\t\t\t\treturn Ref(s), Met\n",
		new: "\t\t\tif ch.Head.w.Store(0); true {\n\t\t\t\treturn Ref(s), Met\n"},
	{name: "a dependence waits with a store", old: "\t\t\tif ch.Head.w.CompareAndSwap(0, uint64(ref)) {\n",
		new: "\t\t\tif ch.Head.w.Store(uint64(ref)); true {\n"},
	{name: "the head gets queues with a store",
		old: "\t\tif !alone || !ch.Head.w.CompareAndSwap(uint64(s), hasQueues) {\n\t\t\treturn 0, 0, false\n\t\t}\n",
		new: "\t\tif !alone {\n\t\t\treturn 0, 0, false\n\t\t}\n\t\tch.Head.w.Store(hasQueues)\n"},
	{name: "the head becomes empty with partners left", old: "\tif partners.n == 0 {\n", new: "\tif true {\n"},
	{name: "the head becomes empty after the lock", old: "\t\tch.Head.w.Store(0)\n",
		new: "\t\tq.mu.Unlock()\n\t\tch.Head.w.Store(0)\n\t\tq.mu.Lock()\n"},
	{name: "the newest partner is taken",
		old: "\tv := f.ring[f.head]\n\tf.head = (f.head + 1) & (len(f.ring) - 1)\n\tf.n--\n\treturn v\n",
		new: "\tf.n--\n\treturn f.ring[(f.head+f.n)&(len(f.ring)-1)]\n"},
})

var scopeBreaks = of("edt/scope.go", "", "Scopes", []broken{
	{name: "a stock is taken without counting it", old: "\t\tc.events.At(c.scope).count.Take(record.TokenBatch)\n",
		new: ""},
	{name: "the tokens are looked at again", often: true, file: recordFolder + "count.go", in: "edt",
		old: "{ return c.w.Add(-n) == 0 }", new: "{\n\tc.w.Add(-n)\n\treturn c.w.Load() == 0\n}"},
	{name: "a worker keeps its stock when it turns to another scope", old: "\tc.dropTokens()\n\tc.scope = scope\n",
		new: "\tc.scope = scope\n"},
	{name: "a worker keeps its stock when it finds nothing", file: "edt/host.go", old: "\t\tc.dropTokens()\n", new: ""},
})

var recordedBreaks = []broken{
	{name: "nodes are counted with a load and a store", file: recordFolder + "need.go", in: "edt", test: "Recording",
		often: true, old: countDown, new: "x := n.w.Load(); n.w.Publish(x - 1); return x == 1"},
	{name: "a node's count is set after it was handed over", file: "edt/recording_run.go", test: "Recording",
		old: "\t\ts.need.SetLeft(s.scope &^ scopeOfGraph) // no other worker counts before the node has run\n" +
			"\t\ts.phase = phaseReady\n",
		new: "\t\tc.nodeReady(Ready(s.out))\n\t\ts.need.SetLeft(s.scope &^ scopeOfGraph)\n\t\tcontinue\n"},
	{name: "a node's count is not set again", file: "edt/recording_run.go", test: "Recording",
		old: "\t\ts.need.SetLeft(s.scope &^ scopeOfGraph) // no other worker counts before the node has run\n", new: ""},
	{name: "a node without successors does not count", file: "edt/recording_run.go", test: "Recording",
		old: "\tif r.sinks == 1 || r.run.left.CountDown() {\n", new: "\tif r.run.left.IsLast() {\n"},
	{name: "the first nodes are ready before the count is set", file: "edt/recording_run.go", test: "Recording",
		old: "\t\tr.run.left.SetLeft(r.sinks)\n", new: "\t\tdefer r.run.left.SetLeft(r.sinks)\n"},
}

var acquireBreaks = of("edt/acquire.go", "", "Acquisition", []broken{
	{name: "an EDT waits with what it got in slot order", old: "\t\t\tc.unacquire(slots[:n])\n", new: ""},
	{name: "blocks are taken in slot order", old: "cmp.Or(cmp.Compare(slots[a].word, slots[b].word), cmp.Compare(a, b))",
		new: "cmp.Compare(a, b)"},
	{name: "an EDT that was granted a block is ready",
		old: "\t\t\tc.acquireOrdered(w.EDT, t, int(w.Cursor))\n", new: "\t\t\tc.ready(w.EDT, t)\n"},
	{name: "what was acquired in mode RW is acquired again", file: "edt/execute.go", old: "c.acquireSlow(i, t, from)",
		new: "c.acquireSlow(i, t, 0)"},
	{name: "a block with readers is acquired in one try with an addition", file: "internal/core/block/record.go",
		in: "edt", old: "old&^readMask == 0 && r.state.CompareAndSwap(old, old+classOne)",
		new: "old&^readMask == 0 && r.state.Add(classOne) != 0"},
	{name: "the hold is passed to an EDT that waits for more", file: "edt/pass.go", test: "Pass",
		old: "!t.need.IsLast() || ", new: ""},
	{name: "the hold is passed to one waiter of two", file: "edt/pass.go", test: "Pass",
		old: "s.link&(record.RefMask|linkMode)", new: "s.link&linkMode"},
	{name: "a block that was passed on is acquired again", file: "edt/pass.go", test: "Pass", old: "\tif n <= had { //",
		new: "\tif false { //"},
})
