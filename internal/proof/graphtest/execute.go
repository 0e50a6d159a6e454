package graphtest

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An Execution is one run of a plan.
//
// Concurrency: one EDT writes each entry of the lists. Only EDTs that the plan orders after that EDT read the entry.
// There is no other synchronisation: the race detector reports if the runtime does not order these EDTs.
type Execution struct {
	// Shutdown makes the last EDT end the run; otherwise the run ends when no EDT is left to run. It is set before the
	// run.
	Shutdown bool
	// Ranks is the number of ranks. It is set before the run.
	Ranks int

	p       *Plan
	number  uint64 // see registeredBody
	values  []uint64
	done    []bool
	edts    []guid.GUID
	events  []guid.GUID
	blocks  []guid.GUID
	onwards []onwards
	kept    [][]guid.GUID // private blocks that no node destroys, by their maker
	finals  [][]uint64
	root    guid.GUID // the root's output event
	swept   bool

	node, sweep, last *edt.Template

	closed atomic.Int32 // number of scenes that have ended

	mu       sync.Mutex
	problems []string
}

// NewExecution prepares a run of the plan, whose main EDT is [Execution.Main].
func (p *Plan) NewExecution() *Execution {
	return &Execution{
		p: p, number: numbered.Add(1), values: make([]uint64, len(p.Nodes)), done: make([]bool, len(p.Nodes)),
		edts: make([]guid.GUID, len(p.Nodes)), events: make([]guid.GUID, len(p.Events)),
		blocks: make([]guid.GUID, len(p.Blocks)), kept: make([][]guid.GUID, len(p.Nodes)),
		Ranks: 1, onwards: make([]onwards, len(p.Nodes)), finals: make([][]uint64, len(p.Blocks)),
	}
}

func (x *Execution) problem(format string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.problems = append(x.problems, fmt.Sprintf(format, args...))
}

// Compare describes how the run, with its counters, differs from the expected outcome; "" if it does not.
func (x *Execution) Compare(counters edt.Counters, want *Outcome) string {
	if len(x.problems) > 0 {
		return x.problems[0]
	}
	if !x.swept {
		return "the last EDT did not run"
	}
	return (&Outcome{x.values, x.finals, counters}).Diff(want)
}

// Main is the main EDT of the run.
func (x *Execution) Main(c *edt.Ctx, _ edt.Args) guid.GUID {
	executions.Store(x.number, x)
	x.node = c.NewTemplate("node", edt.Unknown, edt.Unknown, x.body)
	x.sweep = c.NewTemplate("sweep", 0, 1, x.sweepBody)
	x.last = c.NewTemplate("last", 0, edt.Unknown, x.lastBody)
	n := &x.p.Nodes[0]
	spec := &edt.Spec{Params: n.Params, DepCount: len(n.Slots), Finish: true}
	if x.p.Seed%2 == 0 {
		spec.Output = true
	} else {
		spec.OutputEvent = c.NewEvent(edt.Sticky)
	}
	root, out := c.Spawn(x.node, spec)
	x.root = out
	c.NewEDT(x.sweep, nil, edt.From(out, datablock.Null))
	c.AddDependence(guid.Null, root, 0, datablock.RO)
	return guid.Null
}

// body is the body of all nodes.
func (x *Execution) body(c *edt.Ctx, in edt.Args) guid.GUID {
	i := int(in.Param(0))
	n := &x.p.Nodes[i]
	if n.Place == bound && i > 0 && c.Worker() != x.worker(c, i) {
		x.problem("node %d runs on worker %d, is bound to %d", i, c.Worker(), x.worker(c, i))
	}
	if x.onwards[i].rounds > 0 {
		x.nextRound(c, i, in)
		x.goOn(c, i, in)
		return guid.Null
	}
	x.checkOrder(i)
	x.values[i] = x.read(i, in)
	seen := x.look(i, in)
	early := len(n.Rounds) > 0 && n.Rounds[0].Early
	if early {
		x.goOn(c, i, in)
	}
	x.takePart(i, in)
	x.give(c, i, in)
	for _, e := range n.Destroys {
		c.DestroyEvent(x.events[e])
	}
	x.makeObjects(c, n)
	for k := range n.Scenes {
		x.play(c, &n.Scenes[k])
	}
	victims := x.makeChildren(c, n)
	x.wire(c, n)
	for _, call := range n.Calls {
		x.call(c, i, in, call)
	}
	x.finishChildren(c, n, victims)
	ret := x.result(c, i)
	x.lookAgain(i, in, seen)
	x.done[i] = true
	if !early {
		x.goOn(c, i, in)
	}
	return ret
}

// checkOrder checks that each node that satisfies an event of node i's slots has run before node i.
func (x *Execution) checkOrder(i int) {
	for _, s := range x.p.Nodes[i].Slots {
		if s.Kind == fromEvent {
			x.checkTrigger(i, s.ID)
		}
	}
}

// checkTrigger checks that what must come before the trigger of an event has come before node i.
func (x *Execution) checkTrigger(i, event int) {
	e := &x.p.Events[event]
	if e.Type == edt.Idempotent && e.Callers[0] != e.Callers[len(e.Callers)-1] {
		return // one of them is enough
	}
	for _, caller := range e.Callers {
		if x.values[caller] == 0 {
			x.problem("node %d runs before node %d, which satisfies its slot", i, caller)
		}
	}
	if e.Output != none {
		n := &x.p.Nodes[e.Output]
		for k := e.Output; k == e.Output || n.Finish && k < n.End; k++ {
			if !x.done[k] {
				x.problem("node %d runs before node %d is done, whose end it waits for", i, k)
			}
		}
		if n.Returns != none {
			x.checkTrigger(i, n.Returns)
		}
	}
	if e.Type == edt.Channel && len(e.Callers) > 0 {
		return // the slot may have what a caller has sent
	}
	for _, l := range x.p.Nodes[e.Owner].Links {
		if l.To == event && l.Slot == edt.Decr {
			x.checkTrigger(i, l.From)
		}
	}
}

// read hashes the contents of the slots into the node's value.
func (x *Execution) read(i int, in edt.Args) uint64 {
	n := &x.p.Nodes[i]
	x.checkParams(i, in)
	v := startValue(n.Params)
	if len(in.Deps()) != len(n.Slots) {
		x.problem("node %d has %d slots, want %d", i, len(in.Deps()), len(n.Slots))
	}
	for k := range in.Deps() {
		d, s := in.Dep(k), &n.Slots[k]
		switch {
		case d.IsNull():
			v = mix(v, sawNothing)
		case d.Mode() != s.Mode:
			x.problem("slot %d of node %d: mode %v, want %v", k, i, d.Mode(), s.Mode)
		case s.Payload.Kind == shared && d.GUID() != x.blocks[s.Payload.Block]:
			x.problem("slot %d of node %d has another block", k, i)
		case d.Mode() == datablock.Null:
			if d.Bytes() != nil {
				x.problem("slot %d of node %d: memory in mode Null", k, i)
			}
			v = mix(v, sawGUID)
		case s.Payload.Kind == shared && x.p.Blocks[s.Payload.Block].Kind != table:
			v = mix(v, sawShared)
		default:
			v = mixWords(v, datablock.Slice[uint64](d))
		}
	}
	return v
}

// takePart makes the node's writes to shared blocks.
func (x *Execution) takePart(i int, in edt.Args) {
	for k, s := range x.p.Nodes[i].Slots {
		d := in.Dep(k)
		if s.Payload.Kind != shared || !s.First || s.Mode == datablock.Null {
			continue
		}
		switch x.p.Blocks[s.Payload.Block].Kind {
		case words:
			if s.Mode == datablock.RW {
				datablock.Slice[uint64](d)[s.Word] = x.values[i]
			}
		case tally:
			x.tally(i, s.Mode, datablock.Slice[uint64](d))
		}
	}
}

func (x *Execution) tally(i int, m datablock.Mode, ws []uint64) {
	if ws[2] != ^ws[0] {
		x.problem("node %d, in mode %v, sees a half-done write: %x", i, m, ws)
	}
	if m == datablock.EW {
		ws[0] += x.values[i]
		ws[1]++
		ws[2] = ^ws[0]
	}
}
