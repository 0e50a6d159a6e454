package main

import (
	"golang.org/x/tools/go/ssa"
)

var unused = rule("unused", `finds events and blocks that are created for nothing

It reports an event or a block whose name is thrown away; an EDT that was created with open slots whose name is
thrown away, as nothing can satisfy them; and an event of package task that does not leave its function and for
which something waits that nobody satisfies, or the other way round.`,
	func(p *program) {
		p.each(func(i ssa.Instruction) {
			call, ok := i.(*ssa.Call)
			if !ok {
				return
			}
			name := nameOf(call.Common())
			if what := made[name]; what != "" {
				p.lookAtUses(call, what)
			}
		})
	})

const openEDT = "an EDT with open slots"

// made says what a call creates.
var made = map[string]string{
	"ocr/edt.Ctx.NewEvent": "an event", "ocr/edt.Ctx.NewLatch": "a latch",
	"ocr/edt.Ctx.NewCounted": "an event", "ocr/edt.Ctx.NewChannel": "a channel event",
	"ocr/task.Once": "an event", "ocr/task.Sticky": "an event",
	"ocr/task.Counted": "an event", "ocr/task.Channel": "a channel event",
	"ocr/task.NewLatch": "a latch", "ocr/task/par.Future": "an event", "ocr/task/par.NewPipe": "a pipe",
	"ocr/edt.Ctx.NewBlockNoAcquire": "a block", "ocr/edt.Ctx.NewBlockNear": "a block", "ocr/task.Reserve": "a block",
	"ocr/task.ReserveHeaded": "a block",
	"ocr/task.Task1.NewOpen": openEDT, "ocr/task.Task2.NewOpen": openEDT, "ocr/task.Task3.NewOpen": openEDT,
	"ocr/task.Task4.NewOpen": openEDT,
}

// usesOfEvent says of the methods of an event whether something then waits for it, or satisfies it.
var usesOfEvent = map[string]string{
	"ocr/task.Event.From": "waits", "ocr/task.Event.After": "waits",
	"ocr/task.Event.Send": "satisfies", "ocr/task.Event.Pass": "satisfies", "ocr/task.Event.Signal": "satisfies",
	"ocr/task.Event.Destroy": "destroys",
}

func (p *program) lookAtUses(call *ssa.Call, what string) {
	uses := *call.Referrers()
	if len(uses) == 0 {
		if what == openEDT {
			p.say(placeOf(call), "%s is created and its name thrown away: nothing can satisfy them; use New, or keep the "+
				"ports (go doc ocr/task.Task1.NewOpen)", what)
			return
		}
		p.say(placeOf(call), "%s is created and its name thrown away: it cannot be used (go doc ocr/edt)", what)
		return
	}
	found := map[string]bool{}
	for _, i := range uses {
		use, ok := i.(*ssa.Call)
		if !ok || len(use.Call.Args) == 0 || use.Call.Args[0] != call || usesOfEvent[nameOf(use.Common())] == "" {
			return // it may be used elsewhere
		}
		found[usesOfEvent[nameOf(use.Common())]] = true
	}
	switch {
	case !found["satisfies"]:
		p.say(placeOf(call), "nothing satisfies this event: what waits for it never runs; send it a block or a signal, or "+
			"give it away (go doc ocr/task.Event)")
	case !found["waits"]:
		p.say(placeOf(call), "nothing waits for this event: what it brings is lost; give it to a slot by From or After "+
			"(go doc ocr/task.Event)")
	}
}
