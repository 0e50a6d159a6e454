package model_test

import (
	"testing"

	"ocr/internal/proof/model"
)

// A mailModel is edt/mail.go with pool.ring: a goroutine that is no worker posts letters,
// numbered from 1, which any worker carries out.
type mailModel struct {
	letters   int
	waiting   model.Word
	taken     model.Word // letters that were taken out of the box
	delivered model.Word
	courier   model.Word
	senders   model.Word
	hints     []model.Word
}

func newMailModel(s *model.System, m *poolModel, letters int) {
	m.mail = &mailModel{
		letters: letters, waiting: s.Word("waiting", 0), taken: s.Word("taken", 0),
		delivered: s.Word("delivered", 0), courier: s.Word("courier", 0), senders: s.Word("senders", 1),
		hints: s.Words("hint", m.workers),
	}
}

// sender calls [External.Satisfy] once for each letter.
func (m *poolModel) sender(p *model.Process) {
	x := m.mail
	for k := 1; k <= x.letters; k++ {
		switch {
		case m.weak == "the bell rings before the letter is there":
			m.ring(p)
			p.Add(x.waiting, 1)
			continue
		case m.weak == "the last letter is announced before it is there" && k == x.letters:
			p.Add(x.senders, -1)
		}
		p.Add(x.waiting, 1)
		m.ring(p)
	}
}

func (m *poolModel) ring(p *model.Process) {
	for _, h := range m.mail.hints {
		p.Store(h, 1)
	}
	if p.Load(m.numParked)&parkedMask > 0 && p.Load(m.spinning) == 0 { // (1)
		for w := range m.workers {
			if m.wake(p, w) {
				return
			}
		}
	}
}

// hinted looks for mail between two EDTs.
func (m *poolModel) hinted(p *model.Process, w int) {
	if m.mail == nil || p.Load(m.mail.hints[w]) == 0 {
		return
	}
	if m.weak == "the hint is taken back after the look" {
		if p.Load(m.mail.waiting) == 0 {
			p.Store(m.mail.hints[w], 0)
			return
		}
	}
	p.Store(m.mail.hints[w], 0)
	m.receive(p)
}

// receive is edt.Worker.Receive.
func (m *poolModel) receive(p *model.Process) {
	x := m.mail
	if p.Load(x.waiting) == 0 || m.weak != "letters have no courier" && !p.CAS(x.courier, 0, 1) {
		return
	}
	k := p.Atomically("take a letter", func(v model.Memory) int {
		if v[x.waiting] == 0 {
			return 0
		}
		v[x.waiting]--
		v[x.taken]++
		return int(v[x.taken])
	})
	if k > 0 {
		if p.Add(x.delivered, 1) != k {
			p.Fail("letter %d is not carried out in its turn", k)
		}
		if k == x.letters && m.weak != "the last letter is announced before it is there" {
			p.Add(x.senders, -1)
		}
	}
	p.Store(x.courier, 0)
	if m.weak != "the courier does not look again" && p.Load(x.waiting) > 0 {
		m.ring(p)
	}
}

func (m *poolModel) anyMail(p *model.Process) bool {
	return m.mail != nil && m.weak != "(5) does not look for mail" && p.Load(m.mail.waiting) > 0
}

// expects reports whether mail may still come.
func (m *poolModel) expects(p *model.Process) bool {
	return m.mail != nil && m.weak != "quiescence does not count senders" && p.Load(m.mail.senders) > 0
}

// mailSystem runs a program that ends when nothing is left, and nothing may come.
func mailSystem(name string, workers, epochs, letters int, edts ...edtModel) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(name)
		m := newPoolModel(s, weak, workers, epochs, edts)
		newMailModel(s, m, letters)
		m.start(s)
		s.Go("outside", m.sender)
		s.Always(func(v model.Memory) string {
			switch {
			case v[m.stopped] == 0:
			case int(v[m.mail.delivered]) < letters:
				return "the run ended with letters left"
			case int(v[m.ran]) < len(edts):
				return "the run ended with EDTs left"
			}
			return ""
		})
		return s
	}
}

// Letters come while the worker runs an EDT, searches, parks or is parked.
func TestMail(t *testing.T) {
	explore(t, mailSystem("mail", 1, epochs, 2, edtModel{bound: anyWorker}),
		variant{"the bell rings before the letter is there", "deadlock"},
		variant{"(5) does not look for mail", "deadlock"},
		variant{"quiescence does not count senders", "letters left"},
		variant{"the last letter is announced before it is there", "letters left"})
}

// One worker is busy until another has carried out the letter.
func TestMailBesideABody(t *testing.T) {
	explore(t, mailSystem("mail beside a body", 2, 2, 1, edtModel{bound: anyWorker, letter: 1, ends: true}),
		variant{"(5) does not look for mail", "deadlock"},
		variant{"(2) comes after (5)", "deadlock"})
}

// Two workers carry out letters. One was idle, and then runs a body that waits for the last of them.
// The other runs a chain of EDTs, and looks between two of them if it has a hint.
func TestMailInOrder(t *testing.T) {
	explore(t, func(weak string) *model.System {
		s := model.New("mail in order")
		m := &poolModel{weak: weak, workers: 2, numParked: s.Word("numParked", 0), spinning: s.Word("spinning", 0)}
		newMailModel(s, m, 2)
		s.Go("outside", m.sender)
		s.Go("body", func(p *model.Process) {
			m.receive(p)
			p.Await(m.mail.delivered, 2)
		})
		var chain func(p *model.Process)
		chain = func(p *model.Process) {
			if m.hinted(p, 1); p.Load(m.mail.delivered) < 2 {
				p.Again("chain", chain)
			}
		}
		s.Go("chain", chain)
		return s
	},
		variant{"letters have no courier", "not carried out in its turn"},
		variant{"the courier does not look again", "livelock"},
		variant{"the hint is taken back after the look", "livelock"},
		variant{"the bell rings before the letter is there", "livelock"})
}
