package check

import (
	"errors"
	goruntime "runtime"
	"slices"

	"ocr/guid"
	"ocr/internal/graph/site"
	"ocr/runtime/finding"
)

// errStray is the panic of an EDT that uses the Ctx of another worker.
var errStray = errors.New("a Ctx was used on another goroutine than that of its EDTs")

// refuseStrays reports a call on a goroutine that is neither the worker's nor a coroutine of it, and ends that
// goroutine: the call would race with the worker. On the goroutine of another worker it panics, as for a misuse.
func (w *worker) refuseStrays() {
	if own := w.owner.Load(); own == nil || own.Calls() {
		return
	}
	k := w.k
	k.mu.Lock()
	f := w.current.finding(finding.StrayCall, site.OfCall(), guid.Null, "", "no EDT runs on the worker of the Ctx; ")
	if n := w.current; n != nil {
		f.Object, f.ObjectSite, f.Detail = n.edt, n.site, "this EDT runs on the worker of the Ctx; "
	}
	f.Detail += "the call is on a goroutine started at " + site.OfStart() + ", which is ended"
	another := slices.ContainsFunc(k.workers, func(o *worker) bool {
		own := o.owner.Load()
		return own != nil && own.Calls()
	})
	if another {
		f.Detail = "the call is made by an EDT of another worker"
	}
	k.report(f)
	k.mu.Unlock()
	if another {
		panic(errStray)
	}
	goruntime.Goexit()
}
