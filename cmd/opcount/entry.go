package main

import (
	"slices"
	"strings"
)

// An entry is one operation that is counted, and a row of the table.
type entry struct {
	name     string
	workload string // of cmd/opcount/counted
	// sizes are the sizes of the two runs: the difference of their costs, divided by that of their operations, is the
	// operation's cost.
	sizes [2]int
	// within is the only function whose code, and that of the functions it calls, counts. If it is "" all counts that the
	// workers run.
	within string
	// only, if not nil, lists the functions of package runtime that count, in a run on two workers.
	only []string
	what string
}

// timed is the function in which the suite overhead calls a row's operations, without their preparation.
const timed = "ocr/internal/measure/suite/overhead.timed"

var entries = []entry{
	{name: "sweep-edt", workload: "synch_p2p/edt", sizes: [2]int{50, 550},
		what: "an EDT of synch_p2p that creates the next: 15 points, three blocks, a sticky event"},
	{name: "sweep-edt-again", workload: "synch_p2p/edt-again", sizes: [2]int{50, 550},
		what: "the same, and it goes on as the next"},
	{name: "sweep-edt-recorded", workload: "synch_p2p/edt-recorded", sizes: [2]int{50, 550},
		what: "the same, as a node of a recorded graph"},
	{name: "wavefront-recorded", workload: "wavefront/recorded/n=500", sizes: [2]int{1, 2},
		what: "a cell of a grid of 500 x 500, a node of a recorded graph without slots"},
	{name: "wavefront-recorded-each", workload: "wavefront/recorded-each/n=100", sizes: [2]int{1, 6},
		what: "the same of 100 x 100, and the graph is recorded, run once and destroyed"},
	{name: "wavefront-made", workload: "wavefront/n=100", sizes: [2]int{1, 6},
		what: "a cell of the same grid, an EDT with two slots and an event"},
	{name: "chain-event", workload: "chain/event", sizes: [2]int{2, 22},
		what: "an EDT that makes the next behind a once event"},
	{name: "chain-plain", workload: "chain/plain", sizes: [2]int{2, 42}, what: "an EDT that makes the next"},
	{name: "fork-join-call", workload: "fork-join-fib/values=control", sizes: [2]int{1, 3},
		what: "a call of fib: an EDT, and half a join of two slots"},
	{name: "fork-join-call-typed", workload: "fork-join-fib/values=typed", sizes: [2]int{1, 3},
		what: "the same in package task"},
	{name: "block-create-destroy", workload: "block-create-destroy/bytes=64", sizes: [2]int{2, 22}, within: timed,
		what: "a block of 64 bytes, held by its creator, and its destruction"},
	{name: "event-create-destroy", workload: "event-create-destroy/type=sticky", sizes: [2]int{2, 22}, within: timed,
		what: "a sticky event and its destruction"},
	{name: "satisfy-0", workload: "satisfy/waiters=0", sizes: [2]int{2, 22}, within: timed,
		what: "a sticky event without waiters is satisfied"},
	{name: "satisfy-1", workload: "satisfy/waiters=1", sizes: [2]int{2, 22}, within: timed,
		what: "a sticky event is satisfied that an EDT waits for, which gets ready"},
	{name: "add-dependence", workload: "add-dependence/from=event/to=edt", sizes: [2]int{2, 22}, within: timed,
		what: "a slot of an EDT waits for a sticky event"},
	{name: "taskbench-stencil", workload: "taskbench", sizes: [2]int{500, 4500},
		what: "a task of Task Bench's stencil_1d, width 8, kernel empty, inputs checked"},
	{name: "hand-off", workload: "hand-off/to=spinning", sizes: [2]int{1, 4}, only: handOff,
		what: "an EDT is made for the other worker, sent, received, run; without looking for it"},
}

// handOff are the functions of package runtime that run once when an EDT passes from one worker to the other. All
// others search for work: how often they run depends on time.
var handOff = []string{
	"ocr/runtime.(*worker).Ready",
	"ocr/runtime.(*inbox).send",
	"ocr/runtime.(*worker).receive",
	"ocr/runtime.(*inbox).receive",
	"ocr/runtime.(*worker).enqueueLocal",
	"ocr/runtime.(*worker).execute",
}

// counts reports whether a function of the module is part of the operation. A searching worker also looks for mail. It
// calls ids.Owning once, when it starts: if it enters Go's scheduler there, the scheduler's cost is counted to it, and
// depends on time.
func (e entry) counts(function string) bool {
	looks := strings.HasPrefix(function, "ocr/runtime.") || strings.HasPrefix(function, "ocr/internal/core/sys.") ||
		slices.Contains([]string{"ocr/internal/core/ids.Owning", "ocr/edt.(*Graph).Mail"}, function)
	return e.only == nil || !looks || slices.Contains(e.only, function)
}
