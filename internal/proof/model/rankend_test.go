package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A rankEndModel is how rank 0 finds that a program is over on all ranks. A rank is passive if it has nothing to run,
// to send or to wait for from outside; it counts the messages that it has sent and handled. Rank 0 asks all ranks
// twice, and each answers once it is passive. If the ranks had handled as many messages by the first answers as they
// had sent by the second ones, the program is over.
//
// If a message makes an EDT run that sends only one message, the EDT stands for a call that its receiver forwards: the
// receiver sends the other message by itself. The messages of a rank wait until those that it has sent to other ranks
// were handled.
type rankEndModel struct {
	*rankProgram
	weak          string
	net           network
	active        []model.Word // by rank: EDTs that may run
	open          []model.Word // externals
	waiting       []model.Word // messages that have not entered their channels
	sent, handled []model.Word
	ready, ended  []model.Word // by EDT
	entered, gone []model.Word // by message, the last: handled
	over          model.Word
}

func (x *rankEndModel) children(k int) (all []int) {
	for j := k + 1; j < len(x.to); j++ {
		if x.parent[j] == k {
			all = append(all, j)
		}
	}
	return all
}

func (x *rankEndModel) forwarded(k int) bool { return k > 0 && len(x.children(k)) == 1 }

// send has rank from send message k, which enters its channel later.
func (x *rankEndModel) send(m model.Memory, k int) {
	m[x.waiting[x.from[k]]]++
	m[x.entered[k]] = 1
	if x.weak != "a message is counted when it enters its channel" {
		m[x.sent[x.from[k]]]++
	}
}

// enter puts message k into its channel.
func (x *rankEndModel) enter(p *model.Process, k int) {
	p.When(fmt.Sprintf("message %d enters", k), func(m model.Memory) bool {
		for j := range x.to {
			if j < k && x.from[j] == x.from[k] &&
				(m[x.entered[j]] == 1 || m[x.entered[j]] == 2 && m[x.gone[j]] == 0 && x.to[j] != x.to[k]) {
				return false
			}
		}
		return m[x.entered[k]] == 1
	}, func(m model.Memory) int {
		m[x.entered[k]] = 2
		m[x.waiting[x.from[k]]]--
		x.net.send(m, x.from[k], x.to[k], k)
		if x.weak == "a message is counted when it enters its channel" {
			m[x.sent[x.from[k]]]++
		}
		return 0
	})
}

func (x *rankEndModel) edt(p *model.Process, k int) {
	if k > 0 {
		p.Await(x.ready[k], 1)
	}
	for _, j := range x.children(k) {
		p.Atomically(fmt.Sprintf("send %d", j), func(m model.Memory) int { x.send(m, j); return j })
	}
	p.Atomically("end", func(m model.Memory) int { m[x.ended[k]] = 1; m[x.active[x.to[k]]]--; return 0 })
}

// receive takes message k.
func (x *rankEndModel) receive(p *model.Process, k int) {
	r := x.to[k]
	count := func() {
		p.Atomically("count it", func(m model.Memory) int { m[x.handled[r]]++; return int(m[x.handled[r]]) })
	}
	p.When(fmt.Sprintf("take %d", k), func(m model.Memory) bool { return x.net.next(m, x.from[k], r) == k },
		func(m model.Memory) int { x.net.take(m, x.from[k], r); return k })
	if x.weak == "a message counts as handled before it is carried out" {
		count()
	}
	p.Atomically("carry out", func(m model.Memory) int {
		m[x.gone[k]] = 1
		if x.forwarded(k) {
			x.send(m, x.children(k)[0])
		} else {
			m[x.ready[k]] = 1
			m[x.active[r]]++
		}
		return k
	})
	if x.weak != "a message counts as handled before it is carried out" {
		count()
	}
}

func (x *rankEndModel) passive(m model.Memory, r int) bool {
	switch x.weak {
	case "a rank answers at once":
		return true
	case "an open external does not count":
		return m[x.active[r]] == 0 && m[x.waiting[r]] == 0
	case "a message is counted when it enters its channel":
		return m[x.active[r]] == 0 && m[x.open[r]] == 0
	}
	return m[x.active[r]] == 0 && m[x.open[r]] == 0 && m[x.waiting[r]] == 0
}

// wave asks all ranks, and returns the sum of a count.
func (x *rankEndModel) wave(p *model.Process, what string, count []model.Word) (sum int) {
	for r := range x.ranks {
		sum += p.When(fmt.Sprintf("rank %d has %s", r, what), func(m model.Memory) bool { return x.passive(m, r) },
			func(m model.Memory) int { return int(m[count[r]]) })
	}
	return sum
}

func (x *rankEndModel) probe(p *model.Process) {
	var sent, handled int
	switch x.weak {
	case "one wave":
		for r := range x.ranks {
			both := p.When(fmt.Sprintf("rank %d has handled, sent", r), func(m model.Memory) bool { return x.passive(m, r) },
				func(m model.Memory) int { return int(10*m[x.handled[r]] + m[x.sent[r]]) })
			sent, handled = sent+both%10, handled+both/10
		}
	case "sent by the first wave, handled by the second":
		sent = x.wave(p, "sent", x.sent)
		handled = x.wave(p, "handled", x.handled)
	default:
		handled = x.wave(p, "handled", x.handled)
		sent = x.wave(p, "sent", x.sent)
	}
	if sent != handled {
		p.Again("probe", x.probe)
	}
	p.Store(x.over, 1)
}

// outside is an external of the last rank, which makes an EDT there.
func (x *rankEndModel) outside(p *model.Process) {
	r := x.ranks - 1
	p.Add(x.active[r], 1)
	p.Store(x.open[r], 0)
	p.Add(x.active[r], -1)
}

func rankEndSystem(external bool) func(pr *rankProgram, weak string) *model.System {
	return func(pr *rankProgram, weak string) *model.System {
		s := model.New("the end over ranks," + pr.String())
		n := len(pr.to)
		x := &rankEndModel{rankProgram: pr, weak: weak, net: newNetwork(s, pr.ranks),
			active: s.Words("active", pr.ranks), open: s.Words("open", pr.ranks), waiting: s.Words("waiting", pr.ranks),
			sent: s.Words("sent", pr.ranks), handled: s.Words("handled", pr.ranks), ready: s.Words("ready", n),
			ended: s.Words("ended", n), entered: s.Words("entered", n), gone: s.Words("gone", n), over: s.Word("over", 0)}
		edts := 0
		s.Go("rank 0", func(p *model.Process) {
			p.Atomically("begin", func(m model.Memory) int {
				m[x.active[0]] = 1
				if external {
					m[x.open[x.ranks-1]] = 1
				}
				m[x.ready[0]] = 1
				return 0
			})
			p.Again("probe", x.probe)
		})
		for k := range pr.to {
			if !x.forwarded(k) {
				s.Go(fmt.Sprint("EDT", k), func(p *model.Process) {
					p.Await(x.ready[0], 1)
					x.edt(p, k)
				})
				edts++
			}
			if k > 0 {
				s.Go(fmt.Sprint("send", k), func(p *model.Process) { x.enter(p, k) })
				s.Go(fmt.Sprint("receive", k), func(p *model.Process) { x.receive(p, k) })
			}
		}
		if external {
			s.Go("outside", func(p *model.Process) {
				p.Await(x.ready[0], 1)
				x.outside(p)
			})
		}
		s.Always(func(m model.Memory) string {
			if m[x.over] == 0 {
				return ""
			}
			ended := 0
			for k := range x.ended {
				ended += int(m[x.ended[k]])
			}
			for r := range x.ranks {
				if m[x.open[r]]+m[x.active[r]] > 0 {
					return "over early: a rank has something to do"
				}
			}
			if ended < edts {
				return "over early: EDTs have not run"
			}
			return ""
		})
		return s
	}
}

// endPrograms lists the programs without calls, which change no count.
func endPrograms(messages, ranks int) (all []*rankProgram) {
	for _, pr := range rankPrograms(messages, ranks) {
		calls := false
		for k := 1; k < len(pr.to); k++ {
			calls = calls || pr.from[k] == pr.to[k]
		}
		if !calls {
			all = append(all, pr)
		}
	}
	return all
}

func TestEndOverRanks(t *testing.T) {
	explorePrograms(t, append(endPrograms(2, 2), endPrograms(3, 3)...), rankEndSystem(false),
		variant{"one wave", "early"},
		variant{"sent by the first wave, handled by the second", "early"},
		variant{"a rank answers at once", "early"},
		variant{"a message counts as handled before it is carried out", "early"},
		variant{"a message is counted when it enters its channel", "early"})
	t.Run("external", func(t *testing.T) {
		explorePrograms(t, append(endPrograms(1, 2), endPrograms(2, 3)...), rankEndSystem(true),
			variant{"an open external does not count", "early"})
	})
}
