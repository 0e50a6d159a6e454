//go:build explore

package breaks

var dequeBreaks = of("runtime/deque.go", "", "Deque", []broken{
	{name: "push overfills the ring", old: "> r.mask {", new: "> r.mask+1 {"},
	{name: "push publishes bottom first", old: "\tr.put(b, k)\n\td.bottom.Store(b + 1)\n",
		new: "\td.bottom.Store(b + 1)\n\tr.put(b, k)\n"},
	{name: "grow publishes the ring before it copies", old: "\tfor k := d.top.Load(); k < b; k++ {",
		new: "\td.ring.Store(bigger)\n\tfor k := d.top.Load(); k < b; k++ {"},
	{name: "pop stores bottom without waiting", often: true, old: "\td.bottom.Store(b)\n", new: "\td.bottom.Publish(b)\n"},
	{name: "pop loads top before it stores bottom", old: "\td.bottom.Store(b)\n\tt := d.top.Load()\n",
		new: "\tt := d.top.Load()\n\td.bottom.Store(b)\n"},
	{name: "pop takes the last entry without a compare-and-swap",
		old: "\t\tif !d.top.CompareAndSwap(t, t+1) {\n\t\t\tk = 0\n",
		new: "\t\tif d.top.Store(t + 1); k == 0 {\n\t\t\tk = 0\n"},
	{name: "pop leaves bottom behind", old: "\td.bottom.Store(b + 1)\n\treturn k\n", new: "\treturn k\n"},
	{name: "thief loads bottom before top", old: "\tt := d.top.Load()\n\tif t >= d.bottom.Load() {",
		new: "\tb := d.bottom.Load()\n\tt := d.top.Load()\n\tif t >= b {"},
	{name: "thief reads the entry after it claimed it",
		old: "\tk := d.ring.Load().get(t)\n\tif !d.top.CompareAndSwap(t, t+1) {\n\t\treturn 0\n\t}\n\treturn k\n",
		new: "\tif !d.top.CompareAndSwap(t, t+1) {\n\t\treturn 0\n\t}\n\treturn d.ring.Load().get(t)\n"},
	{name: "thief moves top without a compare-and-swap", old: "\tif !d.top.CompareAndSwap(t, t+1) {\n\t\treturn 0\n",
		new: "\tif d.top.Store(t + 1); k == 0 {\n\t\treturn 0\n"},
})

var nextEDTBreaks = of("runtime/nextslot.go", "", "NextEDT", []broken{
	{name: "thief does not execute the barrier", often: true, old: "\tword.Barrier()\n", new: ""},
	{name: "owner looks at the claim before it empties the slot",
		old: "\tn.edt.Publish(0)\n\treturn k, n.claim.Load() == claimFree\n",
		new: "\tsure = n.claim.Load() == claimFree\n\tn.edt.Publish(0)\n\treturn k, sure\n"},
	{name: "owner keeps a claimed EDT with a store",
		old: "\tif n.claim.CompareAndSwap(claimed, claimKept) || n.claim.Load() != claimTaken {\n",
		new: "\tif n.claim.Load() == claimed {\n\t\tn.claim.Store(claimKept)\n\t\treturn true\n\t}\n" +
			"\tif n.claim.Load() != claimTaken {\n"},
	{name: "thief takes with a store", old: "\tif k == 0 || !n.claim.CompareAndSwap(claimed, claimTaken) {\n",
		new: "\tif k != 0 {\n\t\tn.claim.Store(claimTaken)\n\t} else {\n"},
	{name: "thief frees the claim when it has the EDT", old: "\t\treturn 0\n\t}\n\treturn k\n}\n\n// peek",
		new: "\t\treturn 0\n\t}\n\tn.claim.Store(claimFree)\n\treturn k\n}\n\n// peek"},
	{name: "a worker that parks does not execute the barrier", often: true, file: "runtime/park.go", test: "Park",
		old: "count < len(p.workers) && p.nextSlots", new: "false"},
	{name: "owner looks whether all are busy before it fills the slot", file: "runtime/worker.go", test: "Park",
		old: "\tw.nextEDT.put(k)\n\tif !w.pool.busy() {", new: "\tbusy := w.pool.busy()\n\tw.nextEDT.put(k)\n\tif !busy {"},
	{name: "edt looks whether all are busy before it fills the slot", often: true, file: "edt/execute.go", in: "runtime",
		test: "ReadyBesideAParkingWorker", old: wanted, new: wantedBefore},
	{name: "a node looks whether all are busy before it fills the slot", large: true, file: "edt/recording_run.go",
		in: "runtime", test: "ReadyBesideAParkingWorker", old: wanted, new: wantedBefore},
	{name: "edt does not look whether workers are parked", file: "edt/host.go", in: "runtime",
		test: "ReadyBesideAParkingWorker", old: "uint64(uint32(n.Parked.Load()))|uint64(n.Spinning.Load())",
		new: "uint64(n.Spinning.Load())"},
})

const (
	wanted       = "\t\tc.nextSlot.EDT.Publish(uint64(k))\n\t\tif c.nextSlot.wanted() {\n"
	wantedBefore = "\t\twanted := c.nextSlot.wanted()\n\t\tc.nextSlot.EDT.Publish(uint64(k))\n\t\tif wanted {\n"
)

var oldestBreaks = of("runtime/worker.go", "", "Oldest", []broken{
	{name: "the oldest EDT is taken from a deque with a store", old: "\t\t\tk = w.deque.steal()\n",
		new: "\t\t\tif t := w.deque.top.Load(); t < w.deque.bottom.Own() {\n\t\t\t\tk = w.deque.ring.Load().get(t)\n" +
			"\t\t\t\tw.deque.top.Store(t + 1)\n\t\t\t}\n"},
	{name: "the oldest EDT is taken though a thief has it", old: "\t\tcase 2:\n\t\t\tk = w.nextEDT.take()\n",
		new: "\t\tcase 2:\n\t\t\tk, _ = w.nextEDT.empty()\n"},
	{name: "the oldest EDT of a priority is taken without the lock", file: "runtime/lists.go",
		old: "\tq.mu.Lock()\n\tdefer q.mu.Unlock()\n\tfor range q.queues {", new: "\tfor range q.queues {"},
})

var priorityBreaks = of("runtime/worker.go", "", "Park", []broken{
	{name: "a push with a priority wakes no worker", old: "\tw.prio.push(k)\n\tw.pool.notify()\n",
		new: "\tw.prio.push(k)\n"},
	{name: "a push with a priority wakes first", old: "\tw.prio.push(k)\n\tw.pool.notify()\n",
		new: "\tw.pool.notify()\n\tw.prio.push(k)\n"},
	{name: "a worker that parks looks at no priorities", file: "runtime/pool.go", old: " || w.prio.count.Load() > 0 ||",
		new: " ||"},
})

var inboxBreaks = of("runtime/inbox.go", "", "Inbox", []broken{
	{name: "no mark of the lap", old: "\tif p&(in.mask+1) == 0 {\n", new: "\tif p&0 == 0 {\n"},
	{name: "sender does not look whether there is room", old: "if int64(p-freed) > int64(in.mask) {", new: "if false {"},
	{name: "sender claims its place with a load and a store", old: "if in.tail.CompareAndSwap(p, p+1) {",
		new: "if in.tail.Store(p + 1); true {"},
	{name: "overflow list is changed without its lock", large: true,
		old: "\tin.overflow.list = append(in.overflow.list, k)\n\tin.overflow.count.Add(1)\n",
		new: "\tin.overflow.mu.Unlock()\n\tlist := append(in.overflow.list, k)\n\tin.overflow.count.Add(1)\n" +
			"\tin.overflow.list = list\n\tin.overflow.mu.Lock()\n"},
	{name: "receiver forgets the overflow list", old: "\t\treturn in.receiveOverflow()\n", new: "\t\treturn 0\n"},
	{name: "receiver frees the place before it reads it", old: "\tin.turnTo(in.head + 1)\n",
		new: "\tin.freed.Store(in.head + 1)\n\tv = in.at.Load()\n\tin.turnTo(in.head + 1)\n"},
})

var parkBreaks = of("runtime/park.go", "", "Park", []broken{
	{name: "3 comes after 5",
		old: "\tw.parked.Store(parkedInRun) // (3)\n\tcount := w.countParked()    // (4)\n\tdefer w.unpark()\n",
		new: "\tcount, stay := w.countParked(), p.stopped.Load() || !w.inbox.empty() || p.anyStealable()\n" +
			"\tdefer w.unpark()\n\tif w.parked.Store(parkedInRun); !stay {\n\t\tw.block()\n\t}\n"},
	{name: "4 comes after 5", test: "ParkBesideABusyWorker", old: "\tcount := w.countParked()    // (4)\n",
		new: "\tstay := p.stopped.Load() || !w.inbox.empty() || p.anyStealable()\n\tcount := w.countParked()\n" +
			"\tif !stay {\n\t\tw.block()\n\t}\n"},
	{name: "5 does not look at the inbox", old: "p.stopped.Load() || !w.inbox.empty() || p.anyStealable()",
		new: "p.stopped.Load() || p.anyStealable()"},
	{name: "5 does not look at the deques", old: "p.stopped.Load() || !w.inbox.empty() || p.anyStealable()",
		new: "p.stopped.Load() || !w.inbox.empty()"},
	{name: "5 does not look whether the run is over", test: "Stop",
		old: "p.stopped.Load() || !w.inbox.empty() || p.anyStealable()", new: "p.anyStealable()"},
	{name: "sender wakes before it claims a place", file: "runtime/worker.go",
		old: "\t\ttarget.inbox.send(k)\n\t\ttarget.wake()\n", new: "\t\ttarget.wake()\n\t\ttarget.inbox.send(k)\n"},
	{name: "1 comes before the push", file: "runtime/worker.go", old: "\t\tw.deque.push(k)\n\t\tw.pool.notify()\n",
		new: "\t\tw.pool.notify()\n\t\tw.deque.push(k)\n"},
	{name: "2 comes after 5", test: "ParkBesideABusyWorker", old: "\t\t\tif counted {\n\t\t\t\tw.endSpin(k != 0)",
		new: "\t\t\tif counted && k == 0 {\n\t\t\t\tdefer w.endSpin(false)\n\t\t\t\tw.park()\n" +
			"\t\t\t} else if counted {\n\t\t\t\tw.endSpin(k != 0)"},
	{name: "a wake-up is not passed on", test: "ParkBesideABusyWorker", old: "p.spinning.Add(-1) == 0 && found",
		new: "p.spinning.Add(-1) == 0 && false"},
	{name: "a woken worker does not count as spinning", test: "ParkBesideABusyWorker", old: "\tcounted := woken\n",
		new: "\tcounted := false\n"},
	{name: "a worker woken at rest does not count as spinning", file: "runtime/worker.go", test: "PushBesideWorkersAtRest",
		old: "w.search(true)", new: "w.search(false)"},
	{name: "a wake-up is a store", old: "\tword.Wake(&w.parked, 1)\n", new: ""},
	{name: "quiescence does not read the parked workers again", file: "runtime/pool.go", test: "Quiescence",
		old: "!p.anyUnread() && p.numParked.Load() == before", new: "!p.anyUnread()"},
	{name: "quiescence forgets the epoch", file: "runtime/pool.go", test: "Quiescence",
		old: "p.numParked.Load() == before", new: "p.numParked.Load()&parkedMask == before&parkedMask"},
	{name: "quiescence does not look at the inboxes", often: true, file: "runtime/pool.go", test: "Quiescence",
		old: "!p.anyStealable() && !p.anyUnread() &&", new: "!p.anyStealable() &&"},
	{name: "the inbox is not settled", test: "Quiescence", old: "\tw.inbox.settle()\n", new: ""},
	{name: "stop wakes before it says so", file: "runtime/pool.go", test: "Stop",
		old: "\tfirst = !p.stopped.Swap(true)\n\tfor _, w := range p.workers {\n\t\tw.inbox.close()\n" +
			"\t\tw.wakeFrom(parkedInRun)\n\t}\n",
		new: "\tfor _, w := range p.workers {\n\t\tw.wakeFrom(parkedInRun)\n\t}\n\tfirst = !p.stopped.Swap(true)\n"},
})

var runBreaks = of("runtime/between_runs.go", "", "Runs", []broken{
	{name: "b comes before a", old: "\tp.door.Store(doorOpen) // (a)\n\tp.workers[0].wake()    // (b)\n",
		new: "\tp.workers[0].wake()\n\tp.door.Store(doorOpen)\n"},
	{name: "c comes after d",
		old: "\tw.parked.Store(parkedBetweenRuns) // (c)\n\tw.countParked()\n" +
			"\tif p.door.Load()&doorOpen != 0 || p.closed.Load() { // (d)\n\t\tw.parked.Store(0)\n\t}\n",
		new: "\tw.countParked()\n\tif p.door.Load()&doorOpen == 0 && !p.closed.Load() {\n" +
			"\t\tw.parked.Store(parkedBetweenRuns)\n\t}\n"},
	{name: "stop wakes no worker", file: "runtime/pool.go", old: "\t\tw.wakeFrom(parkedInRun)\n", new: ""},
	{name: "no worker checks the door", old: "\t\tif v&doorOpen == 0 {\n",
		new: "\t\tif v&doorOpen == 0 && p.closed.Load() {\n"},
	{name: "the first one out ends the run", old: "\tif p.door.Add(-1) == 0 {", new: "\tif p.door.Add(-1) >= 0 {"},
	{name: "a run that no worker has entered does not end", old: "\tif p.door.And(^doorOpen) == doorOpen {",
		new: "\tif p.door.And(^doorOpen) < 0 {"},
	{name: "the door is shut last", large: true, file: "runtime/pool.go", old: "\tp.shut() // first,",
		new: "\tdefer p.shut() // first,"},
	{name: "a run has the EDTs that a stopped run has left", file: "runtime/inbox.go",
		old: "\tfor in.receive() != 0 {\n\t}\n", new: ""},
	{name: "quiescence does not wait for the beginning", file: "runtime/pool.go", old: "!p.beginning.Load() && ", new: ""},
	{name: "a worker does not stop in the gap", file: "runtime/halt.go", test: "Halt",
		old: "\tfor w.pool.halted.Load() != 0 { // (C)\n", new: "\tfor w.pool.halted.Load() > 1 {\n"},
	{name: "a worker does not look again in the gap", file: "runtime/halt.go", test: "Halt",
		old: "\tfor w.pool.halted.Load() != 0 { // (C)\n", new: "\tif w.pool.halted.Load() != 0 {\n"},
	{name: "a worker does not look after it has parked", file: "runtime/park.go", test: "Halt",
		old: "\tw.countAwake()\n\tw.gap()\n", new: "\tw.countAwake()\n"},
})

var mailBreaks = of("edt/outside.go", "runtime", "Mail", []broken{
	{name: "the bell rings before the letter is there", file: "edt/external.go", in: "runtime",
		old: "\tif cause, detail := x.accept(with, from); cause != nil {\n",
		new: "\tbell := x.box.bell\n\tbell()\n\tx.box.bell = func() {}\n\tdefer func() { x.box.bell = bell }()\n" +
			"\tif cause, detail := x.accept(with, from); cause != nil {\n"},
	{name: "5 does not look for mail", often: true, file: "runtime/pool.go",
		old: "p.graph.Mail() || p.delivered.count.Load() > 0", new: "p.delivered.count.Load() > 0"},
	{name: "quiescence does not count senders", old: "return g.mail.senders.Load() > 0 || ", new: "return "},
	{name: "letters have no courier", large: true, old: "return l.held.CompareAndSwap(0, 1)",
		new: "return l.held.Load() <= 1"},
	{name: "the courier does not look again", old: "\t\tif b.waiting.Load() > 0 {", new: "\t\tif false {"},
	{name: "the hint is taken back after the look", file: "runtime/ranks.go", old: "\t\tw.inbox.takeHint()\n",
		new: "\t\tdefer w.inbox.takeHint()\n"},
})
