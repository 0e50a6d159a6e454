package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A rankSleep is the attention of a rank in internal/rank/ring: senders that have mail for it, others
// that wake it, the rank that reads, and sleeps if there is nothing. Message k is in line k, from sender k.
type rankSleep struct {
	weak      string
	attention model.Word
	senders   model.Word // that may have mail
	waiting   model.Word // the rank is in the futex's queue
	lines     []model.Word
	work      model.Word // what Wake is for
}

// Bits of attention.
const (
	rankMail   = 1
	rankAsleep = 2
	rankWoken  = 4
)

func newRankSleep(s *model.System, weak string, messages int) *rankSleep {
	return &rankSleep{weak: weak, attention: s.Word("attention", 0), senders: s.Word("senders", 1<<messages-1),
		waiting: s.Word("waiting", 0),
		lines:   s.Words("line", messages), work: s.Word("work", 0)}
}

// notify sets a bit, and wakes the rank if it sleeps.
func (r *rankSleep) notify(p *model.Process, bit int) {
	if p.Load(r.attention)&bit != 0 {
		return
	}
	old := p.Atomically("or", func(m model.Memory) int {
		old := m[r.attention]
		m[r.attention] |= int16(bit)
		return int(old)
	})
	if old&rankAsleep != 0 && r.weak != "notify does not wake the futex" {
		p.Store(r.waiting, 0)
	}
}

func (r *rankSleep) and(p *model.Process, mask int) {
	p.Atomically("and", func(m model.Memory) int {
		m[r.attention] &= int16(mask)
		return int(m[r.attention])
	})
}

func (r *rankSleep) send(p *model.Process, k int) {
	switch r.weak {
	case "sender looks at attention first":
		r.mark(p, k)
		p.Store(r.lines[k], 1)
		return
	case "the head is stored plainly":
		p.StoreLater(r.lines[k], 1)
	default:
		p.Store(r.lines[k], 1)
	}
	r.mark(p, k)
}

// mark notes that sender k may have mail.
func (r *rankSleep) mark(p *model.Process, k int) {
	if r.weak == "a sender sets mail first" {
		r.notify(p, rankMail)
		p.Atomically("or", func(m model.Memory) int { m[r.senders] |= 1 << k; return 0 })
		return
	}
	if p.Load(r.senders)&(1<<k) == 0 {
		p.Atomically("or", func(m model.Memory) int { m[r.senders] |= 1 << k; return 0 })
	}
	r.notify(p, rankMail)
}

// takeMail reports whether no message has arrived, after it has cleared mail and the senders.
func (r *rankSleep) takeMail(p *model.Process) bool {
	r.and(p, ^rankMail)
	if r.weak == "senders are taken out after the look" {
		none := !r.arrived(p)
		p.Store(r.senders, 0)
		if !none {
			r.mark(p, 0)
			r.mark(p, 1)
		}
		return none
	}
	was := p.Atomically("take senders", func(m model.Memory) int {
		was := m[r.senders]
		m[r.senders] = 0
		return int(was)
	})
	none := true
	for k, l := range r.lines {
		if was&(1<<k) != 0 && p.Load(l) == 1 {
			r.mark(p, k)
			none = false
		}
	}
	return none
}

// A rankSleeper has what it waits for: messages that it reads, and work.
type rankSleeper struct{ messages, work int }

func (w rankSleeper) key(what string) string { return fmt.Sprint(what, w) }

// run reads, looks, and sleeps.
func (r *rankSleep) run(was rankSleeper) func(p *model.Process) {
	return func(p *model.Process) {
		w := was // a body is run again and again
		if r.arrived(p) {
			p.Again(w.key("read"), r.read(w))
		}
		if w.work > 0 && p.Load(r.work) != 0 {
			w.work--
		}
		if w.messages+w.work == 0 {
			return
		}
		p.Again(w.key("sleep"), r.sleep(w))
	}
}

func (r *rankSleep) arrived(p *model.Process) bool {
	senders := p.Load(r.senders)
	for k, l := range r.lines {
		if senders&(1<<k) != 0 && p.Load(l) == 1 {
			return true
		}
	}
	return false
}

func (r *rankSleep) read(was rankSleeper) func(p *model.Process) {
	return func(p *model.Process) {
		w := was
		w.messages -= p.Atomically("read", func(m model.Memory) int {
			n := 0
			for k, l := range r.lines {
				if m[l] == 1 && m[r.senders]&(1<<k) != 0 {
					m[l] = 2
					n++
				}
			}
			return n
		})
		p.Again(w.key("run"), r.run(w))
	}
}

func (r *rankSleep) sleep(was rankSleeper) func(p *model.Process) {
	return func(p *model.Process) {
		w := was
		if r.weak == "mail is taken out after the look" {
			if r.arrived(p) {
				p.Again(w.key("read"), r.read(w))
			}
			r.and(p, ^rankMail)
		} else if !r.takeMail(p) {
			p.Again(w.key("read"), r.read(w))
		}
		slept := true
		if r.weak == "asleep is stored" {
			p.Store(r.attention, rankAsleep)
		} else {
			slept = p.CAS(r.attention, 0, rankAsleep)
		}
		if slept {
			r.futex(p)
		}
		r.and(p, ^(rankAsleep | rankWoken))
		p.Again(w.key("run"), r.run(w))
	}
}

// futex sleeps, if attention says asleep and nothing else.
func (r *rankSleep) futex(p *model.Process) {
	if p.Atomically("futex", func(m model.Memory) int {
		if m[r.attention] != rankAsleep {
			return 0
		}
		m[r.waiting] = 1
		return 1
	}) == 1 {
		p.Await(r.waiting, 0)
	}
}

// rankMailSystem has two senders, of two ranks.
func rankMailSystem(weak string) *model.System {
	s := model.New("sleep with mail")
	r := newRankSleep(s, weak, 2)
	s.Go("rank", r.run(rankSleeper{messages: 2}))
	for k := range 2 {
		s.Go(fmt.Sprintf("sender%d", k), func(p *model.Process) { r.send(p, k) })
	}
	return s
}

func TestRankSleepsWithMail(t *testing.T) {
	explore(t, rankMailSystem,
		variant{"sender looks at attention first", "deadlock"},
		variant{"the head is stored plainly", "deadlock"},
		variant{"notify does not wake the futex", "deadlock"},
		variant{"mail is taken out after the look", "deadlock"},
		variant{"senders are taken out after the look", "deadlock"},
		variant{"a sender sets mail first", "deadlock"},
		variant{"asleep is stored", "deadlock"})
}

// rankWakeSystem has a message, and a worker of the rank that has an EDT for another.
func rankWakeSystem(weak string) *model.System {
	s := model.New("wake")
	r := newRankSleep(s, weak, 1)
	s.Go("rank", r.run(rankSleeper{messages: 1, work: 1}))
	s.Go("sender", func(p *model.Process) { r.send(p, 0) })
	s.Go("waker", func(p *model.Process) {
		p.Store(r.work, 1)
		if r.weak == "Wake is not kept" && p.Load(r.attention)&rankAsleep == 0 {
			return
		}
		r.notify(p, rankWoken)
	})
	return s
}

func TestRankIsWoken(t *testing.T) {
	explore(t, rankWakeSystem,
		variant{"asleep is stored", "deadlock"},
		variant{"Wake is not kept", "deadlock"})
}

// A rankLook is a rank in which one goroutine polls and another takes mail out of attention and sleeps. The ring has
// one line, which message 2 takes when message 1 was read.
type rankLook struct {
	rankSleep
	position, line, freed, read model.Word
}

// arrived looks for message position + 1.
func (r *rankLook) arrived(p *model.Process) bool {
	at := p.Load(r.position)
	return p.Load(r.line) == at+1
}

// sleep is the goroutine that sleeps, until all is read.
func (r *rankLook) sleep(p *model.Process) {
	if p.Load(r.read) == 2 {
		return
	}
	early := r.weak == "mail is taken out after the look"
	if !early {
		r.and(p, ^rankMail)
	}
	if r.arrived(p) {
		r.notify(p, rankMail)
		r.readNext(p)
		p.Again("look", r.sleep)
	}
	if early {
		r.and(p, ^rankMail)
	}
	if p.CAS(r.attention, 0, rankAsleep) {
		r.futex(p)
	}
	r.and(p, ^(rankAsleep | rankWoken))
	p.Again("look", r.sleep)
}

// readNext polls: callers take turns.
func (r *rankLook) readNext(p *model.Process) {
	p.Lock(r.work)
	if at := p.Load(r.position); at < 2 && p.Load(r.line) == at+1 {
		p.Store(r.position, at+1)
		p.Store(r.freed, at+1)
		if at == 1 {
			p.Store(r.read, 2)
			r.notify(p, rankWoken) // for the end of the model
		}
	}
	p.Unlock(r.work)
}

func rankLookSystem(weak string) *model.System {
	s := model.New("look beside a poll")
	r := &rankLook{rankSleep: *newRankSleep(s, weak, 0), position: s.Word("position", 0), line: s.Word("line", 0),
		freed: s.Word("freed", 0), read: s.Word("read", 0)}
	s.Go("sender", func(p *model.Process) {
		p.Store(r.line, 1)
		r.notify(p, rankMail)
		p.Await(r.freed, 1)
		p.Store(r.line, 2)
		r.notify(p, rankMail)
	})
	s.Go("poller", r.readNext)
	s.Go("sleeper", r.sleep)
	return s
}

func TestRankLooksBesideAPoll(t *testing.T) {
	explore(t, rankLookSystem, variant{"mail is taken out after the look", "deadlock"})
}
