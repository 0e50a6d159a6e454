package check

import (
	"ocr/edt"
	"ocr/guid"
)

// An event is what is known of an event: who has satisfied it, directly or through
// other events.
type event struct {
	typ       edt.EventType
	site      string
	causes    []cause
	sent      []sending // of a channel event: what waits for a dependence
	added     []addition
	satisfied bool
}

// A sending is one satisfaction of a channel event.
type sending struct {
	block  guid.GUID
	causes []cause
}

// An addition is a dependence that was added to an event.
type addition struct {
	by   *node
	at   moment
	site string
}

const typeOf = edt.NoArg - 1

// fragile reports whether an event is gone once it has triggered, so that dependences
// have to come before.
func (e *event) fragile() bool { return e.typ&typeOf == edt.Once || e.typ&typeOf == edt.Latch }

// take returns what made an event satisfy somebody with a block. Of a channel event it
// is the satisfaction that was paired: the first with this block. Where several came
// with the same one, or with none, all of them count, for which it was is not known.
func (e *event) take(block guid.GUID) []cause {
	if e.typ&typeOf != edt.Channel {
		return e.causes
	}
	var all []cause
	first := -1
	for n, s := range e.sent {
		if s.block != block {
			continue
		}
		if first < 0 {
			first = n
		}
		all = append(all, s.causes...)
	}
	if first >= 0 {
		e.sent = append(e.sent[:first], e.sent[first+1:]...)
	}
	return all
}

// judgeAdditions reports dependences on an event that triggers, where nothing orders
// the two.
func (k *Checker) judgeAdditions(id guid.GUID, e *event, by *node) {
	if by == nil {
		return
	}
	for _, a := range e.added {
		if a.by == nil || k.ordered(a.by, a.at, by) {
			continue
		}
		k.report(Finding{
			Kind: OnceRace, EDT: a.by.edt, Template: a.by.template, Site: a.site,
			Object: id, ObjectSite: e.site, Other: by.edt, OtherTemplate: by.template,
			Detail: "which triggers the " + e.typ.String() + " event, by luck after this dependence was added",
		})
	}
}
