package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A rankRing is internal/rank/ring/send.go and receive.go: a ring of messages of one line, and
// its outbox. Messages are numbered from 1.
type rankRing struct {
	weak         string
	size         int
	place, freed model.Word
	turn         model.Word // of the senders
	lines        []model.Word
	mu           model.Word
	list         []model.Word // the outbox
	first, end   model.Word   // of list
	got          []model.Word // how often each message was received
	returned     model.Word   // the Send of message 1 has
	left         model.Word   // messages that were not received
}

// The bit queued in place, and the mark of the lap in a line.
const (
	ringQueued = 64
	ringLap    = 64
)

func (r *rankRing) lap(at int) int {
	if r.weak != "no mark of the lap" && at&r.size == 0 {
		return ringLap
	}
	return 0
}

// send sends a message, and goes on with what follows.
func (r *rankRing) send(k int, next func(p *model.Process)) func(p *model.Process) {
	return func(p *model.Process) {
		if r.weak != "senders take no turns" {
			p.Lock(r.turn)
		}
		at := p.Load(r.place)
		if at&ringQueued != 0 || !r.hasRoom(p, at) {
			r.sendQueued(p, k)
		} else {
			p.Store(r.place, at+1)
			p.Store(r.lines[at%r.size], k+r.lap(at))
		}
		if r.weak != "senders take no turns" {
			p.Unlock(r.turn)
		}
		p.Again(fmt.Sprint("sent ", k), next)
	}
}

// hasRoom leaves out the senders' copy of freed: TestInbox has it.
func (r *rankRing) hasRoom(p *model.Process, at int) bool {
	return r.weak == "sender does not look whether there is room" || at-p.Load(r.freed) < r.size
}

func (r *rankRing) sendQueued(p *model.Process, k int) {
	p.Lock(r.mu)
	p.Atomically("queue", func(m model.Memory) int {
		m[r.list[m[r.end]]] = int16(k)
		m[r.place] |= ringQueued
		m[r.end]++
		return k
	})
	r.move(p)
	p.Unlock(r.mu)
}

// move puts what it can of the outbox into the ring, under the lock.
func (r *rankRing) move(p *model.Process) {
	at := p.Load(r.place) &^ ringQueued
	for {
		room := at-p.Load(r.freed) < r.size
		k := p.Atomically("take out of the outbox", func(m model.Memory) int {
			switch {
			case m[r.first] == m[r.end]:
				return 0
			case !room:
				return -1
			}
			m[r.first]++
			return int(m[r.list[m[r.first]-1]])
		})
		if k <= 0 {
			if k < 0 {
				at |= ringQueued
			}
			break
		}
		if r.weak == "the bit goes before the outbox is empty" {
			p.Store(r.place, at+1)
		}
		p.Store(r.lines[at%r.size], k+r.lap(at))
		at++
	}
	p.Store(r.place, at)
}

// push is the goroutine that empties the outbox, until all is received.
func (r *rankRing) push(p *model.Process) {
	if p.Atomically("look whether all is received", func(m model.Memory) int {
		return int(m[r.left])
	}) == 0 {
		return
	}
	p.Lock(r.mu)
	if p.Load(r.place)&ringQueued != 0 {
		r.move(p)
	}
	p.Unlock(r.mu)
	p.Again("push", r.push)
}

// receive reads lines until it has all messages.
func (r *rankRing) receive(head, left int) func(p *model.Process) {
	return func(p *model.Process) {
		if left == 0 {
			return
		}
		v := p.Load(r.lines[head%r.size])
		if v == 0 || v&ringLap != r.lap(head) {
			p.Again(fmt.Sprint("poll ", head, left), r.receive(head, left))
		}
		if r.weak == "freed before it is read" {
			p.Store(r.freed, head+1)
			v = p.Load(r.lines[head%r.size])
		}
		p.Atomically("free", func(m model.Memory) int {
			m[r.freed] = int16(head + 1)
			m[r.left]--
			return head
		})
		p.Note(r.got[v&^ringLap], 1)
		p.Again(fmt.Sprint("poll ", head+1, left-1), r.receive(head+1, left-1))
	}
}

// rankRingSystem has two senders of one rank: the first sends each messages, the second one more, when
// the Send of message after has returned.
func rankRingSystem(weak string, size, each, after int) *model.System {
	s := model.New(fmt.Sprintf("ring between ranks of %d", size))
	total := each + 1
	r := &rankRing{
		weak: weak, size: size,
		place: s.Word("place", 0), freed: s.Word("freed", 0), turn: s.Word("turn", 0),
		lines: s.Words("line", size), mu: s.Word("mu", 0), list: s.Words("outbox", total+1), first: s.Word("first", 0),
		end: s.Word("end", 0),
		got: s.Words("got", total+1), returned: s.Word("returned", 0), left: s.Word("left", total),
	}
	ended := func(*model.Process) {}
	var from func(k int) func(p *model.Process)
	from = func(k int) func(p *model.Process) {
		if k > each {
			return ended
		}
		return r.send(k, func(p *model.Process) {
			if k == after {
				p.Store(r.returned, 1)
			}
			p.Again(fmt.Sprint("next ", k+1), from(k+1))
		})
	}
	s.Go("sender0", from(1))
	s.Go("sender1", func(p *model.Process) {
		p.Await(r.returned, 1)
		p.Again("send", r.send(total, ended))
	})
	s.Go("pusher", r.push)
	s.Go("receiver", r.receive(0, total))
	before := func(k int) int { // the message that was sent before
		if k == total {
			return after
		}
		return k - 1
	}
	s.Always(func(m model.Memory) string {
		for k := 1; k <= total; k++ {
			switch {
			case m[r.got[k]] > 1:
				return fmt.Sprintf("message %d was received twice", k)
			case k > 1 && m[r.got[k]] == 1 && m[r.got[before(k)]] == 0:
				return fmt.Sprintf("message %d has overtaken one that was sent before", k)
			}
		}
		return ""
	})
	return s
}

func TestRankRing(t *testing.T) {
	explore(t, func(weak string) *model.System { return rankRingSystem(weak, 1, 2, 1) },
		variant{"no mark of the lap", "twice"},
		variant{"senders take no turns", "livelock"},
		variant{"sender does not look whether there is room", "overtaken"},
		variant{"freed before it is read", "overtaken"})
}

func TestRankRingOutbox(t *testing.T) {
	explore(t, func(weak string) *model.System { return rankRingSystem(weak, 1, 3, 3) },
		variant{"the bit goes before the outbox is empty", "overtaken"})
}

func TestRankRingOfTwo(t *testing.T) {
	explore(t, func(weak string) *model.System { return rankRingSystem(weak, 2, 2, 1) })
}
