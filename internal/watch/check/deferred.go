package check

import "ocr/guid"

// A deferred call has its caller for its cause. It is the next satisfaction by an External, which a worker carries out
// between two EDTs, or one that a message carries to another rank.
type deferred struct {
	causes []cause // the caller first
	by     cause   // the caller; a message may have none
	site   string

	// Of a message:
	offers []offer   // the blocks that the caller holds and may write, and those that the event offers
	from   guid.GUID // the event whose trigger sends it, if any
	scope  *scope    // the scope of the EDT that it creates, if not that of the caller
}

// A callKey identifies a deferred call: each rank numbers its own.
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
	if w.resumed != nil { // by the satisfaction before
		site = w.resumed.site
	}
	w.k.deferred[w.callKey(call)] = &deferred{causes: why, by: why[0], site: site}
}

func (w *worker) CallResumed(call uint64) {
	defer w.enter()()
	key := w.callKey(call)
	w.resumed = w.k.deferred[key]
	delete(w.k.deferred, key)
}

// why returns the causes of the reported call: first this moment of the EDT that runs, then those of the deferred call
// that it carries out.
func (w *worker) why() (all []cause) {
	if c, ok := w.here(); ok {
		all = append(all, c)
	}
	if w.message != nil {
		all = append(all, w.message.causes...)
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
	if c, ok = w.here(); !ok && w.message != nil {
		c, ok = w.message.by, w.message.by.from != nil
	}
	if ok {
		site = w.site()
	}
	return c, site, ok
}
