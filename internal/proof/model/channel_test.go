package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A channelModel is edt/channel.go: one word while one side waits alone, queues under a lock if more wait.
// Dependences are numbered from 1, satisfactions too; in the head a satisfaction is its number and sendsAt.
type channelModel struct {
	weak        string
	head        model.Word
	lock        model.Word
	sent, wants fifoModel
	got         []model.Word // of each dependence: its satisfaction
	// The order in which they came, for conditions: when each met or began to wait.
	dependences, satisfactions fifoModel
}

const (
	sendsAt    = 20
	headQueued = 99
)

// A fifoModel is a queue; each call on it is one step.
type fifoModel struct {
	entries []model.Word
	n       model.Word
}

func newFifoModel(s *model.System, name string, capacity int) fifoModel {
	return fifoModel{s.Words(name, capacity), s.Word(name+" length", 0)}
}

func (f fifoModel) push(m model.Memory, v int) {
	m[f.entries[m[f.n]]] = int16(v)
	m[f.n]++
}

func (f fifoModel) pop(m model.Memory, newest bool) int {
	m[f.n]--
	at := int16(0)
	if newest {
		at = m[f.n]
	}
	v := m[f.entries[at]]
	for k := at; k < m[f.n]; k++ {
		m[f.entries[k]] = m[f.entries[k+1]]
	}
	m[f.entries[m[f.n]]] = 0
	return int(v)
}

func newChannelModel(s *model.System, weak string) *channelModel {
	return &channelModel{
		weak: weak, head: s.Word("head", 0), lock: s.Word("lock", 0),
		sent: newFifoModel(s, "sent", 4), wants: newFifoModel(s, "wants", 4), got: s.Words("got", 4),
		dependences: newFifoModel(s, "dependence", 4), satisfactions: newFifoModel(s, "satisfaction", 4),
	}
}

func sends(v int) bool { return v > sendsAt }

// came notes if v stands among those of its side.
func (ch *channelModel) came(m model.Memory, v int) {
	if sends(v) {
		ch.satisfactions.push(m, v-sendsAt)
	} else {
		ch.dependences.push(m, v)
	}
}

// swapHead is the fast path's compare-and-swap for v.
func (ch *channelModel) swapHead(p *model.Process, old, new, v int) bool {
	return p.Atomically(fmt.Sprintf("%d changes head from %d to %d", v, old, new), func(m model.Memory) int {
		if int(m[ch.head]) != old && ch.weak != "the fast path stores" {
			return 0
		}
		m[ch.head] = int16(new)
		ch.came(m, v)
		return 1
	}) != 0
}

// call is send and receive: v meets the first of the other side, or waits.
func (ch *channelModel) call(p *model.Process, v int) {
	for {
		switch h := p.Load(ch.head); {
		case h == 0:
			if ch.swapHead(p, 0, v, v) {
				return
			}
		case h != headQueued && sends(h) != sends(v):
			if ch.swapHead(p, h, 0, v) {
				ch.deliver(p, v, h)
				return
			}
		default:
			partner, ok := ch.meet(p, v)
			if !ok {
				continue
			}
			if partner != 0 {
				ch.deliver(p, v, partner)
			}
			return
		}
	}
}

// meet is the same under the lock; it reports false if the head needs none.
func (ch *channelModel) meet(p *model.Process, v int) (partner int, ok bool) {
	p.Lock(ch.lock)
	partner, ok, empty := ch.meetLocked(p, v)
	if empty && ch.weak != "the head becomes empty after the lock" {
		p.Store(ch.head, 0)
	}
	p.Unlock(ch.lock)
	if empty && ch.weak == "the head becomes empty after the lock" {
		p.Store(ch.head, 0)
	}
	return partner, ok
}

// meetLocked reports as well whether the queues have become empty.
func (ch *channelModel) meetLocked(p *model.Process, v int) (partner int, ok, empty bool) {
	own, partners := ch.wants, ch.sent
	if sends(v) {
		own, partners = partners, own
	}
	if h := p.Load(ch.head); h != headQueued && ch.weak != "the head is not looked at under the lock" {
		if h == 0 || sends(h) != sends(v) || !ch.queueHead(p, h) {
			return 0, false, false
		}
		p.Atomically(fmt.Sprintf("%d queues", h), func(m model.Memory) int { own.push(m, h); return h })
	}
	partner = p.Atomically(fmt.Sprintf("%d meets or queues", v), func(m model.Memory) int {
		ch.came(m, v)
		if m[partners.n] > 0 {
			return partners.pop(m, ch.weak == "the newest partner is taken")
		}
		own.push(m, v)
		return 0
	})
	left := p.Atomically("count partners", func(m model.Memory) int { return int(m[partners.n]) })
	return partner, true, partner != 0 && (left == 0 || ch.weak == "the head becomes empty with partners left")
}

// queueHead makes the head say that the queues count.
func (ch *channelModel) queueHead(p *model.Process, alone int) bool {
	if ch.weak == "the head becomes queued with a store" {
		p.Store(ch.head, headQueued)
		return true
	}
	return p.CAS(ch.head, alone, headQueued)
}

func (ch *channelModel) deliver(p *model.Process, v, partner int) {
	if sends(v) {
		v, partner = partner, v
	}
	p.Atomically(fmt.Sprintf("dependence %d gets satisfaction %d", v, partner-sendsAt), func(m model.Memory) int {
		m[ch.got[v]] = 10*m[ch.got[v]] + int16(partner-sendsAt)
		return partner - sendsAt
	})
}

// calls makes one call after the other.
func (ch *channelModel) calls(all ...int) func(p *model.Process) {
	return func(p *model.Process) {
		ch.call(p, all[0])
		if len(all) > 1 {
			p.Again(fmt.Sprint("calls ", all[1:]), ch.calls(all[1:]...))
		}
	}
}

// channelSystem has three satisfactions and three dependences, at the same time.
func channelSystem(weak string) *model.System {
	s := model.New("channel event")
	ch := newChannelModel(s, weak)
	s.Go("satisfier", ch.calls(sendsAt+1, sendsAt+2, sendsAt+3))
	s.Go("depend1", ch.calls(1, 2))
	s.Go("depend2", ch.calls(3))
	s.Finally(func(m model.Memory) string {
		for k := range 3 {
			d := m[ch.dependences.entries[k]]
			if m[ch.got[d]] != m[ch.satisfactions.entries[k]] {
				return fmt.Sprintf("dependence %d, which came as number %d, got %d", d, k+1, m[ch.got[d]])
			}
		}
		if m[ch.head] != 0 {
			return "something waits in the end"
		}
		return ""
	})
	return s
}

func TestChannelEvent(t *testing.T) {
	explore(t, channelSystem,
		variant{"the fast path stores", "got"},
		variant{"the head becomes queued with a store", "got"},
		variant{"the head is not looked at under the lock", "got"},
		variant{"the head becomes empty with partners left", "got"},
		variant{"the head becomes empty after the lock", "got"},
		variant{"the newest partner is taken", "got"})
}
