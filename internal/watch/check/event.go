package check

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// An event is what the checker knows of an event: which EDTs have satisfied it, directly or through other events.
type event struct {
	typ      edt.EventType
	site     string
	got      sending   // all satisfactions; not of a channel event
	counts   []count   // of a latch, until it triggers or is destroyed
	scopes   []cause   // of a latch: finish scopes that have closed and count it down
	raised   []cause   // of a latch that is gone: the causes of its increments
	unjudged bool      // it had too many counts
	sent     []sending // of a channel event: satisfactions that wait for a dependence
	early    sending   // of a channel event: earlier ones, merged to bound sent
	earlier  int       // the number of satisfactions in early
	sender   []cause   // of a channel event: the latest satisfaction
	links    map[guid.GUID][]cause
	added    []addition
}

// A sending is one satisfaction of an event, or several merged.
type sending struct {
	block  guid.GUID
	causes []cause
	offers []offer
}

// An offer is a satisfaction with a block that the caller still held and could write.
type offer struct {
	by   *hold
	site string
}

// An addition is a dependence that was added to an event.
type addition struct {
	by   cause
	site string
}

// sentKept bounds event.sent.
const sentKept = 64

// causesKept bounds the causes of an event that each of its waiters gets: more are joined into one first.
const causesKept = 4

func (e *event) is(t edt.EventType) bool { return e.typ == t }

// fragile reports whether an event is destroyed by its trigger, so that dependences must be added before.
func (e *event) fragile() bool { return e.is(edt.Once) || e.is(edt.Latch) }

func (s *sending) add(t sending) {
	s.causes = append(s.causes, t.causes...)
	s.offers = append(s.offers, t.offers...)
}

// link records which EDT made this event depend on a source.
func (e *event) link(source guid.GUID, why []cause) {
	if e.links == nil {
		e.links = make(map[guid.GUID][]cause)
	}
	e.links[source] = append(e.links[source], why...)
}

// unlink returns the causes that link has recorded for a source. If there are several dependences, it is not known
// which of them a satisfaction belongs to: the first one gets all causes.
func (e *event) unlink(source guid.GUID) []cause {
	why := e.links[source]
	delete(e.links, source)
	return why
}

// satisfy records a satisfaction of an event that is not a latch.
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

// judgeSender reports, as a note, that two EDTs which satisfy a channel event one after the other are not ordered.
func (w *worker) judgeSender(id guid.GUID, e *event, s *sending) {
	k, by := w.k, w.self()
	now := &node{causes: s.causes, begin: k.now()}
	for _, c := range e.sender {
		if by == nil || c.scope != nil || k.ordered(c.from, c.at, now) {
			continue
		}
		f := by.finding(finding.SendOrder, w.sites.here(), id, e.site, "which of them a dependence is paired with is luck")
		f.Note = true
		k.report(c.from.against(f))
		return
	}
}

// mergeSent merges the older half of a channel event's waiting satisfactions into early.
func (k *Checker) mergeSent(e *event) {
	const n = sentKept / 2
	for _, s := range e.sent[:n] {
		e.early.add(s)
	}
	e.early.causes = k.condense(e.early.causes, causesKept)
	e.earlier += n
	e.sent = append(e.sent[:0], e.sent[n:]...)
}

// condense joins the causes into one if they are more than kept.
func (k *Checker) condense(causes []cause, kept int) []cause {
	if len(causes) <= kept {
		return causes
	}
	return []cause{k.join(causes)}
}

// take returns the satisfactions that made an event satisfy a dependence with a block. For a channel event it is the
// one that was paired with the dependence: the first with this block, or the first of all if the block is not known. If
// several qualify, all of them count.
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

// judgeAdditions reports dependences that were added to a triggering event without an order before the trigger. The
// trigger comes after each of the satisfactions, so a dependence that was added before one of them is in time.
func (k *Checker) judgeAdditions(id guid.GUID, e *event, by *node) {
	if len(e.got.causes) == 0 {
		return
	}
	trigger := &node{causes: e.got.causes}
	for _, a := range e.added {
		if k.ordered(a.by.from, a.by.at, trigger) {
			continue
		}
		k.report(by.against(a.by.from.finding(finding.OnceRace, a.site, id, e.site,
			"the "+e.typ.String()+" event triggers, by luck after this dependence was added")))
	}
}
