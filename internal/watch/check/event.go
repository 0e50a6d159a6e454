package check

import (
	"slices"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// An event is what the checker knows of an event: which EDTs have satisfied it, directly or by other events.
type event struct {
	typ    edt.EventType
	site   string
	causes []cause    // all satisfactions but a channel's
	offers []exposure // of blocks that the satisfying EDT still held
	added  []addition // the dependences on it, if its trigger destroys it
	counts []count    // of a latch
	fed    queues     // the calls that made it depend on another event, by that event
	sent   queues     // the satisfactions of a channel event, by block, until dependences have taken them
	left   int        // how many of these wait for dependences
	sender []cause    // of the latest satisfaction of a channel event
}

// A queue is the causes of n satisfactions or calls. The checker does not know in which order they are taken, so what
// takes one of them comes after all of them.
type queue struct {
	causes []cause
	n      int
}

type queues map[guid.GUID]*queue

func (k *Checker) put(all *queues, id guid.GUID, causes []cause) {
	if *all == nil {
		*all = make(queues)
	}
	q := (*all)[id]
	if q == nil {
		q = &queue{}
		(*all)[id] = q
	}
	q.n++
	q.causes = k.condense(append(q.causes, causes...))
}

// take takes one element of a queue, if there is one.
func (all queues) take(id guid.GUID) []cause {
	q := all[id]
	if q == nil {
		return nil
	}
	if q.n--; q.n == 0 {
		delete(all, id)
	}
	return q.causes
}

// An addition is a dependence that was added to an event.
type addition struct {
	by   cause
	site string
}

const (
	goneKept   = 1 << 12 // destroyed events that are remembered, as later calls may name them
	mostOffers = 64      // of an event
)

// fragile reports whether the trigger destroys the event, so that dependences must be added before.
func (e *event) fragile() bool { return e.typ == edt.Once || e.typ == edt.Latch }

// satisfy records a satisfaction of an event that is not a latch.
func (k *Checker) satisfy(e *event, block guid.GUID, causes []cause, offers []exposure) {
	if e.offers = append(e.offers, offers...); len(e.offers) > mostOffers {
		e.offers = e.offers[len(e.offers)-mostOffers:]
	}
	if e.typ != edt.Channel {
		e.causes = k.condense(append(e.causes, causes...))
		return
	}
	e.sender = causes
	e.left++
	k.put(&e.sent, block, causes)
}

// take returns the causes of a dependence that an event satisfies with a block. known is false if no block is reported,
// as for a latch: then any waiting satisfaction of a channel event may be the one taken. The dependence comes after all
// of these, and they stay until none waits.
func (k *Checker) take(e *event, block guid.GUID, known bool) []cause {
	causes := slices.Clone(e.causes)
	if known && e.sent[block] != nil {
		causes = append(causes, e.sent.take(block)...)
	} else {
		for _, q := range e.sent {
			causes = append(causes, q.causes...)
		}
	}
	if e.left--; e.left == 0 {
		clear(e.sent)
	}
	causes = k.condense(causes)
	for n := range causes {
		causes[n].through = true
	}
	return causes
}

// judgeSender reports, as a note, that nothing orders this satisfaction of a channel event after the previous one.
func (k *Checker) judgeSender(by *node, site string, id guid.GUID, e *event, causes []cause) {
	now := &node{causes: causes, begin: k.clock}
	for _, c := range e.sender {
		if by == nil || c.scope != nil || k.ordered(c, now) {
			continue
		}
		f := by.finding(finding.SendOrder, site, id, e.site, "which of them a dependence is paired with is luck")
		f.Note = true
		k.report(c.from.against(f))
		return
	}
}

// judgeAdditions reports dependences that were added to an event in no order with its trigger. The trigger comes after
// each satisfaction, so a dependence that was added before one of them is in time.
func (k *Checker) judgeAdditions(id guid.GUID, e *event, by *node) {
	if len(e.causes) == 0 {
		return
	}
	trigger := &node{causes: e.causes, begin: k.clock}
	for _, a := range e.added {
		if k.ordered(a.by, trigger) {
			continue
		}
		k.report(by.against(a.by.from.finding(finding.OnceRace, a.site, id, e.site,
			"the "+e.typ.String()+" event triggers, by luck after this dependence was added")))
	}
}
