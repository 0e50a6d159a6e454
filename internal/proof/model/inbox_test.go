package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// An inboxModel is runtime/inbox.go with a ring of size places. Messages are numbered
// from 1; the overflow list, which a lock guards, is one step.
type inboxModel struct {
	weak              string
	size              int
	tail, seen, freed model.Word
	ring              []model.Word
	list              []model.Word // the overflow list
	overflowed        model.Word   // how many are in it
	got               []model.Word // how often each message was received
}

// inboxLap is lapBit.
const inboxLap = 64

func newInboxModel(s *model.System, weak string, size, messages int) *inboxModel {
	return &inboxModel{
		weak: weak, size: size,
		tail: s.Word("tail", 0), seen: s.Word("seen", 0), freed: s.Word("freed", 0),
		ring: s.Words("ring", size), list: s.Words("list", messages), overflowed: s.Word("overflowed", 0),
		got: s.Words("got", messages+1),
	}
}

func (in *inboxModel) lap(p int) int {
	if in.weak != "no mark of the lap" && p&in.size == 0 {
		return inboxLap
	}
	return 0
}

func (in *inboxModel) send(p *model.Process, k int) {
	for {
		at := p.Load(in.tail)
		if at-p.Load(in.seen) >= in.size && in.weak != "sender does not look whether there is room" {
			freed := p.Load(in.freed)
			if at-freed >= in.size {
				in.sendOverflow(p, k)
				return
			}
			p.Store(in.seen, freed)
		}
		if in.weak == "sender claims its place with a load and a store" {
			p.Store(in.tail, at+1)
		} else if !p.CAS(in.tail, at, at+1) {
			continue
		}
		p.Store(in.ring[at%in.size], k+in.lap(at))
		return
	}
}

func (in *inboxModel) sendOverflow(p *model.Process, k int) {
	if in.weak == "overflow list without its lock" {
		n := p.Load(in.overflowed)
		p.Store(in.list[n], k)
		p.Store(in.overflowed, n+1)
		return
	}
	p.Atomically("send overflow", func(m model.Memory) int {
		m[in.list[m[in.overflowed]]] = int16(k)
		m[in.overflowed]++
		return k
	})
}

// receive takes what is at the receiver's head, or from the overflow list; it returns 0 if there is nothing.
func (in *inboxModel) receive(p *model.Process, head *int) int {
	v := p.Load(in.ring[*head%in.size])
	if v == 0 || v&inboxLap != in.lap(*head) {
		if in.weak == "receiver forgets the overflow list" || p.Load(in.overflowed) == 0 {
			return 0
		}
		return p.Atomically("receive overflow", func(m model.Memory) int {
			if m[in.overflowed] == 0 {
				return 0
			}
			m[in.overflowed]--
			return int(m[in.list[m[in.overflowed]]])
		})
	}
	if in.weak == "receiver frees the place before it reads it" {
		p.Store(in.freed, *head+1)
		v = p.Load(in.ring[*head%in.size])
	} else {
		p.Store(in.freed, *head) // this message is freed later
	}
	*head++
	return v &^ inboxLap
}

// settle publishes what was received.
func (in *inboxModel) settle(p *model.Process, head int) { p.Store(in.freed, head) }

// inboxSystem has senders with each messages each, and a receiver that polls until it has them all.
func inboxSystem(weak string, size, senders, each int) *model.System {
	s := model.New(fmt.Sprintf("inbox of %d", size))
	total := senders * each
	in := newInboxModel(s, weak, size, total)
	for n := range senders {
		s.Go(fmt.Sprintf("sender%d", n), func(p *model.Process) {
			for k := range each {
				in.send(p, n*each+k+1)
			}
		})
	}
	var poll func(head, left int) func(p *model.Process)
	poll = func(head, left int) func(p *model.Process) {
		return func(p *model.Process) {
			if left == 0 {
				in.settle(p, head)
				in.checkEmpty(p)
				return
			}
			at, next := head, left
			if k := in.receive(p, &at); k != 0 {
				p.Note(in.got[k], 1)
				next--
			} else {
				in.settle(p, at)
			}
			p.Again(fmt.Sprint("poll ", at, next), poll(at, next))
		}
	}
	s.Go("receiver", poll(0, total))
	s.Always(func(m model.Memory) string {
		for k := 1; k <= total; k++ {
			if m[in.got[k]] > 1 {
				return fmt.Sprintf("message %d was received twice", k)
			}
		}
		return ""
	})
	return s
}

// checkEmpty looks at an inbox that is known to be empty and settled.
func (in *inboxModel) checkEmpty(p *model.Process) {
	if p.Load(in.tail) != p.Load(in.freed) || p.Load(in.overflowed) != 0 {
		p.Fail("not empty with all messages received")
	}
}

func TestInbox(t *testing.T) {
	explore(t, func(weak string) *model.System { return inboxSystem(weak, 2, 2, 2) },
		variant{"no mark of the lap", "twice"},
		variant{"sender does not look whether there is room", "livelock"},
		variant{"sender claims its place with a load and a store", "livelock"},
		variant{"overflow list without its lock", "twice"},
		variant{"receiver forgets the overflow list", "livelock"},
		variant{"receiver frees the place before it reads it", "twice"})
}

func TestInboxOfOne(t *testing.T) {
	explore(t, func(weak string) *model.System { return inboxSystem(weak, 1, 2, 2) },
		variant{"no mark of the lap", "twice"})
}
