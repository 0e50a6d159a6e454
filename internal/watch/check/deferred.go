package check

// A deferred call has its caller for its cause. It is the next satisfaction by an External, which a worker carries out
// between two EDTs.
type deferred struct {
	causes []cause // the caller first
	by     cause   // the caller
	site   string
}

func (w *worker) CallDeferred(call uint64) {
	defer w.enterAnyhow()()
	why := w.why()
	if len(why) == 0 {
		return
	}
	site := w.sites.here()
	if w.resumed != nil { // by the satisfaction before
		site = w.resumed.site
	}
	w.k.deferred[call] = &deferred{causes: why, by: why[0], site: site}
}

func (w *worker) CallResumed(call uint64) {
	defer w.enter()()
	w.resumed = w.k.deferred[call]
	delete(w.k.deferred, call)
}

// why returns the causes of the reported call: first this moment of the EDT that runs, then those of the deferred call
// that it carries out.
func (w *worker) why() (all []cause) {
	if c, ok := w.here(); ok {
		all = append(all, c)
	}
	if w.resumed != nil {
		all = append(all, w.resumed.causes...)
	}
	return all
}

// caller is the EDT that made the reported call, and the line of the call.
func (w *worker) caller() (c cause, site string, ok bool) {
	if w.resumed != nil {
		return w.resumed.by, w.resumed.site, w.resumed.by.from != nil
	}
	if c, ok = w.here(); ok {
		site = w.sites.here()
	}
	return c, site, ok
}
