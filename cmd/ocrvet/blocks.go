package main

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

var blocks = rule("blocks", `finds EDTs that block

An EDT never blocks: it would keep its worker, and a run in which all workers wait hangs. The rule reports operations
on channels, select without default, time.Sleep, waits of package sync, net/http and os/exec, and a run inside of a
body, in functions that are given a Ctx and in functions of the same package that those call; and mutexes that are
still held when the body returns. See "What blocks" in go doc ocr/task.`,
	func(p *program) {
		var all []*ssa.Function
		for _, b := range p.bodies() {
			all = append(all, b.fn)
			p.lookAtLocks(b.fn)
		}
		for _, fn := range p.functions {
			if ofEDT(fn) {
				all = append(all, fn)
			}
		}
		eachIn(p.reached(all, func(ssa.Instruction) bool { return true }), func(i ssa.Instruction) {
			if what := blocking(i); what != "" {
				p.say(placeOf(i), "%s blocks the EDT and its worker: "+
					"wait on a slot, or call it by ocr/task.Blocking (go doc ocr/task)", what)
			}
		})
	})

var waits = set("time.Sleep", "sync.WaitGroup.Wait", "sync.Cond.Wait", "ocr/runtime.Run", "ocr/runtime.Pool.Run",
	"os/exec.Cmd.Run", "os/exec.Cmd.Wait", "os/exec.Cmd.Output", "os/exec.Cmd.CombinedOutput",
	"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.Client.Do", "net/http.Client.Get",
	"net/http.Client.Head", "net/http.Client.Post", "net/http.Client.PostForm", "net/http.RoundTripper.RoundTrip",
	"net/http.Transport.RoundTrip",
	"net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.ServeTLS",
	"net/http.Server.ListenAndServe", "net/http.Server.ListenAndServeTLS", "net/http.Server.Serve",
	"net/http.Server.ServeTLS", "net/http.Server.Shutdown",
	"net.Dial", "net.Listener.Accept", "golang.org/x/sync/errgroup.Group.Wait")

// blocking says what an instruction waits by, "" if it does not wait.
func blocking(i ssa.Instruction) string {
	switch i := i.(type) {
	case *ssa.Send:
		return "a send on a channel"
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			return "a receive from a channel"
		}
	case *ssa.Select:
		if i.Blocking {
			return "a select without default"
		}
	case *ssa.Call, *ssa.Defer: // the body returns after what is deferred
		if name := nameOf(i.(ssa.CallInstruction).Common()); waits[name] {
			return name
		}
	}
	return ""
}

// lookAtLocks reports mutexes that a body holds when it returns.
func (p *program) lookAtLocks(fn *ssa.Function) {
	eachIn([]*ssa.Function{fn}, func(i ssa.Instruction) {
		if call, ok := i.(*ssa.Call); ok && locks[nameOf(call.Common())] {
			forward(call, func(after ssa.Instruction) (stop bool) {
				if unlock, ok := after.(ssa.CallInstruction); ok && unlocks[nameOf(unlock.Common())] {
					return true
				}
				if _, ok := after.(*ssa.Return); ok {
					p.say(placeOf(call), "the EDT returns with this mutex held: unlock it before, as the next EDT that locks "+
						"it blocks its worker (go doc ocr/task)")
				}
				return false
			})
		}
	})
}
