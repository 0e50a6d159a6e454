package edt

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/guid"
)

// sites remember where objects were created, and where events were satisfied and
// destroyed, if the run asked for it.
type sites struct {
	mu        sync.Mutex
	at        map[siteKey]site
	event     map[uint32]eventEnd // by index: of the event that was last in that place
	positions map[position]*position
}

type siteKey struct {
	kind  guid.Kind
	index uint32
}

type site struct {
	at      *position // nil if it is not known
	creator string    // template of the EDT that created it
}

func (s site) String() string {
	if s.at == nil {
		return ""
	}
	file, line := s.at.line()
	switch {
	case file == "":
		return ""
	case s.creator == "":
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d by %s", file, line, s.creator)
}

// An eventEnd is how an event was satisfied or destroyed.
type eventEnd struct {
	low  uint64 // the event's low GUID word
	what string // "satisfied" or "destroyed"
	site
}

// as says it after some words, "" if it is not known.
func (e eventEnd) as(before string) string {
	if e.what == "" {
		return ""
	}
	return before + e.what + " at " + e.site.String()
}

func newSites() *sites {
	return &sites{at: make(map[siteKey]site), event: make(map[uint32]eventEnd), positions: make(map[position]*position)}
}

func (s *sites) note(c *Ctx, kind guid.Kind, index uint32) {
	at, creator := c.siteOfCall()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[siteKey{kind, index}] = site{s.same(&at), creator}
}

// siteOfCall returns where the call stands that is under way, and the template of the EDT that makes it.
func (c *Ctx) siteOfCall() (at position, creator string) {
	switch {
	case c.behalf != nil:
		return c.behalf.at, c.behalf.template
	case c.signed != nil:
		o := c.signer()
		return o.at, o.template
	}
	return c.callSite(), c.templateName()
}

// same returns the one copy that is kept of a position: a program makes most objects at few of them. The caller holds
// the lock.
func (s *sites) same(at *position) *position {
	one := s.positions[*at]
	if one == nil {
		kept := *at
		kept.file, kept.no = at.line()
		one = &kept
		s.positions[*at] = one
	}
	return one
}

// of returns where an object was created, "" if that is not known.
func (s *sites) of(kind guid.Kind, index uint32) string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at[siteKey{kind, index}].String()
}

// noteEnd records that an event is satisfied or destroyed by the call that is under way.
func (s *sites) noteEnd(c *Ctx, event guid.GUID, what string) {
	at, creator := c.siteOfCall()
	_, low := event.Words()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event[uint32(low)] = eventEnd{low, what, site{s.same(&at), creator}}
}

// endOf returns how an event was satisfied or destroyed, nothing if that is not known.
func (s *sites) endOf(event guid.GUID) eventEnd {
	if s == nil {
		return eventEnd{}
	}
	_, low := event.Words()
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.event[uint32(low)]; e.low == low {
		return e
	}
	return eventEnd{}
}

// A siteObserver notes how events are satisfied and destroyed, for runs that record
// sites. The others pay nothing for it.
type siteObserver struct {
	NopObserver
	c *Ctx
}

// EventSatisfied implements [Observer].
func (o siteObserver) EventSatisfied(event, _, _ guid.GUID, _ int) {
	o.c.g.sites.noteEnd(o.c, event, "satisfied")
}

// EventDestroyed implements [Observer]. What goes because it has triggered was noted
// before.
func (o siteObserver) EventDestroyed(event guid.GUID) {
	_, low := event.Words()
	e := o.c.events.At(uint32(low))
	kind := e.typ
	if lasting := kind == Sticky || kind == Idempotent || kind == Channel; lasting ||
		atomic.LoadUint64(&e.head)&headKind == 0 {
		o.c.g.sites.noteEnd(o.c, event, "destroyed")
	}
}
