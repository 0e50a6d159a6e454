package check

import (
	"errors"
	goruntime "runtime"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// errStray is the panic of an EDT that uses the Ctx of another worker.
var errStray = errors.New("a Ctx was used on another goroutine than that of its EDTs")

// refuseStrays reports a call on another goroutine than the worker's, and ends that goroutine: the call would race with
// the worker. If it is the goroutine of another worker it panics instead, as for a misuse.
func (w *worker) refuseStrays() {
	g := sys.Goroutine()
	if own := w.goroutine.Load(); own == 0 || own == g {
		return
	}
	k := w.k
	f := finding.Finding{Kind: finding.StrayCall, Site: edt.CallSite()}
	k.lock()
	if n := w.current; n != nil {
		f.EDT, f.Template, f.About, f.ObjectSite = n.edt, n.template, n.about, n.site
		f.Object, f.Detail = n.edt, "this EDT runs on the worker of the Ctx; "
	} else {
		f.Detail = "no EDT runs on the worker of the Ctx; "
	}
	f.Detail += "the call is on a goroutine started at " + edt.StartSite() + ", which is ended"
	another := k.worksOn(g)
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

// worksOn reports whether a goroutine is a worker's.
func (k *Checker) worksOn(g uintptr) bool {
	for _, w := range k.workers {
		if w.goroutine.Load() == g {
			return true
		}
	}
	return false
}
