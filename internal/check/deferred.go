package check

import "ocr/edt"

// A deferred call is one on a label that had no object: the object's creator carries it
// out, and what follows from it has two causes.
type deferred struct {
	causes []cause // the caller first
	site   string
}

func (w *worker) CallDeferred(call uint64) {
	defer w.enterAnyhow()()
	why := w.why()
	if len(why) == 0 {
		return
	}
	site := edt.CallSite()
	switch {
	case w.resumed == nil:
	case w.self() == nil: // the next satisfaction by an External
		site = w.resumed.site
	default: // made by a call that was itself deferred
		why = append(why[1:], why[0])
	}
	w.k.deferred[call] = &deferred{why, site}
}

func (w *worker) CallResumed(call uint64) {
	defer w.enter()()
	w.resumed = w.k.deferred[call]
	delete(w.k.deferred, call)
}

// why is what makes the call that is reported: this moment of the EDT that runs, first,
// and the call that it carries out for another.
func (w *worker) why() (all []cause) {
	if c, ok := w.here(); ok {
		all = append(all, c)
	}
	if w.resumed != nil {
		all = append(all, w.resumed.causes...)
	}
	return all
}

// caller is the EDT whose call is reported, and where it was made.
func (w *worker) caller() (c cause, site string, ok bool) {
	if w.resumed != nil {
		return w.resumed.causes[0], w.resumed.site, true
	}
	if c, ok = w.here(); ok {
		site = edt.CallSite()
	}
	return c, site, ok
}
