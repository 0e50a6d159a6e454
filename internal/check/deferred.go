package check

import "ocr/guid"

// A deferred call is one on a label that had no object: the object's creator carries it
// out, and what follows from it has two causes. So is what a message brings.
type deferred struct {
	causes []cause // the caller first
	by     cause   // the caller; of a message there may be none
	site   string

	// Of a message:
	offers []offer   // all that the caller holds and may write, or the event offers
	from   guid.GUID // event that it follows from
	scope  *scope    // of the EDT that it makes, if that is another than the caller's
}

// A callKey says which call was deferred: ranks number theirs.
type callKey struct {
	rank   int
	number uint64
}

func (w *worker) callKey(number uint64) callKey {
	if w.now == nil {
		return callKey{0, number}
	}
	return callKey{w.now.Rank, number}
}

func (w *worker) CallDeferred(call uint64) {
	defer w.enterAnyhow()()
	why := w.why()
	if len(why) == 0 {
		return
	}
	site := w.site()
	switch {
	case w.resumed == nil:
	case w.self() == nil: // the next satisfaction by an External
		site = w.resumed.site
	default: // made by a call that was itself deferred
		why = append(why[1:], why[0])
	}
	w.k.deferred[w.callKey(call)] = &deferred{causes: why, by: why[0], site: site}
}

func (w *worker) CallResumed(call uint64) {
	defer w.enter()()
	key := w.callKey(call)
	w.resumed = w.k.deferred[key]
	delete(w.k.deferred, key)
}

// why is what makes the call that is reported: this moment of the EDT that runs, first,
// and the call that it carries out for another.
func (w *worker) why() (all []cause) {
	if c, ok := w.here(); ok {
		all = append(all, c)
	}
	if w.message != nil {
		all = append(all, w.message.causes...)
	}
	if w.resumed != nil {
		for k := range all {
			all[k].carried = true
		}
		all = append(all, w.resumed.causes...)
	}
	return all
}

// caller is the EDT whose call is reported, and where it was made.
func (w *worker) caller() (c cause, site string, ok bool) {
	if w.resumed != nil {
		return w.resumed.by, w.resumed.site, w.resumed.by.from != nil
	}
	if c, ok = w.here(); !ok && w.message != nil {
		c, ok = w.message.by, w.message.by.from != nil
	}
	if ok {
		site = w.site()
	}
	return c, site, ok
}
