package check

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// An event is what is known of an event: which EDTs have satisfied it, directly or through
// other events.
type event struct {
	typ      edt.EventType
	site     string
	got      sending   // of all but channel events: every satisfaction
	counts   []count   // of a latch, until it goes
	scopes   []cause   // that have closed and count on it
	raised   []cause   // increments of a latch that is gone
	unjudged bool      // it had too many counts
	sent     []sending // of a channel event: what waits for a dependence
	early    sending   // of a channel event: what is in the way of sent
	earlier  int       // and how many satisfactions that were
	sender   []cause   // of a channel event: the latest satisfaction
	links    map[guid.GUID][]cause
	added    []addition
}

// A sending is a satisfaction of an event, or several.
type sending struct {
	block  guid.GUID
	causes []cause
	offers []offer
}

// An offer is a block that an EDT satisfied an event with while it held it and could write.
type offer struct {
	by   *hold
	site string
}

// An addition is a dependence that was added to an event.
type addition struct {
	by   cause
	site string
}

const typeOf = edt.NoArg - 1

// sentKept is how many satisfactions of a channel event that wait for a dependence are
// kept apart.
const sentKept = 64

// causesKept is how many causes of an event each of its waiters gets: more are made one
// first.
const causesKept = 4

func (e *event) is(t edt.EventType) bool { return e.typ&typeOf == t }

// fragile reports whether an event is gone once it has triggered, so that dependences
// have to come before.
func (e *event) fragile() bool { return e.is(edt.Once) || e.is(edt.Latch) }

func (s *sending) add(t sending) {
	s.causes = append(s.causes, t.causes...)
	s.offers = append(s.offers, t.offers...)
}

// link notes which EDT made a source satisfy this event.
func (e *event) link(source guid.GUID, why []cause) {
	if e.links == nil {
		e.links = make(map[guid.GUID][]cause)
	}
	e.links[source] = append(e.links[source], why...)
}

// unlink returns which EDTs made a source satisfy this event. Of several it is not known which
// counts for which of the source's satisfactions: all count for the first.
func (e *event) unlink(source guid.GUID) []cause {
	why := e.links[source]
	delete(e.links, source)
	return why
}

// satisfy notes a satisfaction of an event that is no latch.
func (k *Checker) satisfy(e *event, s sending) {
	switch {
	case e.is(edt.Channel):
		e.sender = s.causes
		if e.sent = append(e.sent, s); len(e.sent) > sentKept {
			k.mergeSent(e)
		}
	default:
		e.got.add(s)
	}
}

// judgeSender notes that the EDT which satisfies a channel event is in no order with the one
// that has done so before.
func (w *worker) judgeSender(id guid.GUID, e *event, s *sending) {
	k, by := w.k, w.actor()
	now := &node{causes: s.causes, begin: k.now()}
	for _, c := range e.sender {
		if by == nil || c.scope != nil || k.ordered(c.from, c.at, now) {
			continue
		}
		f := finding.Finding{
			Kind: finding.SendOrder, Note: true, EDT: by.edt, Template: by.template, About: by.about, Site: w.site(), Object: id, ObjectSite: e.site,
			Detail: "which of them a dependence is paired with is luck",
		}
		k.report(c.from.against(f))
		return
	}
}

// mergeSent makes one of the satisfactions of a channel event that wait longest.
func (k *Checker) mergeSent(e *event) {
	const n = sentKept / 2
	for _, s := range e.sent[:n] {
		e.early.add(s)
	}
	e.early.causes = k.condense(e.early.causes, causesKept)
	e.earlier += n
	e.sent = append(e.sent[:0], e.sent[n:]...)
}

// condense makes one of causes if there are more than these.
func (k *Checker) condense(causes []cause, kept int) []cause {
	if len(causes) <= kept {
		return causes
	}
	return []cause{k.join(causes)}
}

// take returns what made an event satisfy somebody with a block. Of a channel event it
// is the satisfaction that was paired: the first with this block, or, if the block is
// not known, the first. If it could be several, all of them count.
func (k *Checker) take(e *event, block guid.GUID, known bool) (all sending) {
	if !e.is(edt.Channel) {
		e.got.causes, e.raised = k.condense(e.got.causes, causesKept), k.condense(e.raised, causesKept)
		all.add(e.got)
		all.causes = append(all.causes, e.raised...)
		return all
	}
	all.add(e.early)
	first := -1
	for n, s := range e.sent {
		if known && s.block != block {
			continue
		}
		if first < 0 {
			first = n
		}
		all.add(s)
	}
	switch {
	case e.earlier > 0:
		if e.earlier--; e.earlier == 0 {
			e.early = sending{}
		}
	case first >= 0:
		e.sent = append(e.sent[:first], e.sent[first+1:]...)
	case known && len(e.sent) > 0:
		return k.take(e, block, false)
	}
	return all
}

// judgeAdditions reports dependences on an event that triggers, if nothing orders
// the two. No event triggers before any of the satisfactions that it takes: an EDT that
// adds a dependence before one of them is in time.
func (k *Checker) judgeAdditions(id guid.GUID, e *event, by *node) {
	if len(e.got.causes) == 0 {
		return
	}
	trigger := &node{causes: e.got.causes}
	for _, a := range e.added {
		if k.ordered(a.by.from, a.by.at, trigger) {
			continue
		}
		f := finding.Finding{
			Kind: finding.OnceRace, EDT: a.by.from.edt, Template: a.by.from.template, About: a.by.from.about, Site: a.site, Object: id, ObjectSite: e.site,
			Detail: "the " + e.typ.String() + " event triggers, by luck after this dependence was added",
		}
		if by != nil {
			f = by.against(f)
		}
		k.report(f)
	}
}
