package main

// An entry is one operation that is counted, and a row of the table.
type entry struct {
	name     string
	workload string // what operate runs
	// sizes are the sizes of the two runs. The cost of an operation is the difference of the costs of the runs, divided by
	// the difference of the numbers of their operations.
	sizes [2]int
	// within is a function: only its code, and the code of the functions that it calls, counts. If it is "", all code that
	// the worker runs counts.
	within string
}

// timed is the function in which the suite overhead calls a row's operations, without their preparation.
const timed = "ocr/internal/measure/suite/overhead.timed"

var entries = []entry{
	{name: "sweep-edt", workload: "synch_p2p/edt", sizes: [2]int{50, 550}},
	{name: "sweep-edt-again", workload: "synch_p2p/edt-again", sizes: [2]int{50, 550}},
	{name: "sweep-edt-recorded", workload: "synch_p2p/edt-recorded", sizes: [2]int{50, 550}},
	{name: "wavefront-recorded", workload: "wavefront/recorded/n=100", sizes: [2]int{1, 26}},
	{name: "wavefront-recorded-each", workload: "wavefront/recorded-each/n=100", sizes: [2]int{1, 6}},
	{name: "wavefront-made", workload: "wavefront/n=100", sizes: [2]int{1, 6}},
	{name: "chain-event", workload: "chain/event", sizes: [2]int{2, 22}},
	{name: "chain-plain", workload: "chain/plain", sizes: [2]int{2, 42}},
	{name: "fork-join-call", workload: "fork-join-fib/values=control", sizes: [2]int{1, 3}},
	{name: "fork-join-call-typed", workload: "fork-join-fib/values=typed", sizes: [2]int{1, 3}},
	{name: "block-create-destroy", workload: "block-create-destroy/bytes=64", sizes: [2]int{2, 22}, within: timed},
	{name: "event-create-destroy", workload: "event-create-destroy/type=sticky", sizes: [2]int{2, 22}, within: timed},
	{name: "satisfy-0", workload: "satisfy/waiters=0", sizes: [2]int{2, 22}, within: timed},
	{name: "satisfy-1", workload: "satisfy/waiters=1", sizes: [2]int{2, 22}, within: timed},
	{name: "add-dependence", workload: "add-dependence/from=event/to=edt", sizes: [2]int{2, 22}, within: timed},
	{name: "taskbench-stencil", workload: "taskbench", sizes: [2]int{500, 4500}},
}
