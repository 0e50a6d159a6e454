package check

// A kept is a call on a label that had no object: the object's creator carries it out,
// and what follows from it has two causes.
type kept struct {
	causes []cause // the caller first
	site   string
}

// CallKept implements [edt.Observer].
func (w *worker) CallKept() any {
	defer w.enter()()
	why := w.why()
	if len(why) == 0 {
		return nil
	}
	if w.kept != nil { // made by a call that was itself kept
		why = append(why[1:], why[0])
	}
	return &kept{why, callSite()}
}

// CallResumed implements [edt.Observer].
func (w *worker) CallResumed(told any) {
	defer w.enter()()
	w.kept, _ = told.(*kept)
}

// why is what makes the call that is told of: this moment of the EDT that runs, first,
// and the call that it carries out for another.
func (w *worker) why() (all []cause) {
	if c, ok := w.here(); ok {
		all = append(all, c)
	}
	if w.kept != nil {
		all = append(all, w.kept.causes...)
	}
	return all
}

// caller is whose call is told of, and where it was made.
func (w *worker) caller() (c cause, site string, ok bool) {
	if w.kept != nil {
		return w.kept.causes[0], w.kept.site, true
	}
	if c, ok = w.here(); ok {
		site = callSite()
	}
	return c, site, ok
}
