package model_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/proof/model"
)

// A causalModel delivers the messages of a program so that each comes after all messages to the same
// rank that were sent before it: by its own EDT, by those that made this one run, and so
// on. Channels between two ranks do that for two ranks only.
//
// Two protocols are modelled. The *hold*: a message enters its channel when all that its rank has sent to
// others has been handled. The *counts*: each message says how many messages to each rank its
// sender knows of, and the receiver leaves it in its channel until it has handled those.
type causalModel struct {
	*rankProgram
	weak    string
	net     network
	sent    []model.Word // by message
	handled []model.Word
	number  []model.Word   // of messages sent from a rank to another, by pair
	done    []model.Word   // of those handled
	took    []model.Word   // of those taken out of the channel
	knows   [][]model.Word // by rank and pair: messages that it knows of
	told    [][]model.Word // by pair and pair: what the receiver knows
	carries [][]model.Word // by message and pair
}

func (x *causalModel) pair(from, to int) int { return from*x.ranks + to }

func newCausalModel(s *model.System, pr *rankProgram, weak string) *causalModel {
	n, pairs := len(pr.to), pr.ranks*pr.ranks
	x := &causalModel{rankProgram: pr, weak: weak, net: newNetwork(s, pr.ranks),
		sent: s.Words("sent", n), handled: s.Words("handled", n),
		number: s.Words("number", pairs), done: s.Words("done", pairs), took: s.Words("took", pairs)}
	for r := range pr.ranks {
		x.knows = append(x.knows, s.Words(fmt.Sprintf("%d knows", r), pairs))
	}
	for k := range pairs {
		x.told = append(x.told, s.Words(fmt.Sprintf("told %d", k), pairs))
	}
	for k := range n {
		x.carries = append(x.carries, s.Words(fmt.Sprintf("message %d carries", k), pairs))
	}
	return x
}

// pass puts message k into its channel. A call takes effect at once.
func (x *causalModel) pass(m model.Memory, k int) int {
	if x.from[k] == x.to[k] {
		m[x.handled[k]] = 1
	} else {
		x.net.send(m, x.from[k], x.to[k], k)
	}
	return 1
}

// handle is the last part of the step in which message k is handled.
func (x *causalModel) handle(m model.Memory, k int) int {
	m[x.handled[k]] = 1
	m[x.done[x.pair(x.from[k], x.to[k])]]++
	for _, j := range x.past(k) {
		if x.to[j] == x.to[k] && m[x.handled[j]] == 0 {
			return j
		}
	}
	return 0
}

// edt sends the messages of EDT k, once message k has made it run.
func (x *causalModel) edt(k int, send func(p *model.Process, k int)) func(p *model.Process) {
	return func(p *model.Process) {
		if k != 0 {
			p.Await(x.handled[k], 1)
		}
		for j := k + 1; j < len(x.to); j++ {
			if x.parent[j] == k {
				send(p, j)
			}
		}
	}
}

// system has a process for each EDT, and one for each channel that the program uses.
func (x *causalModel) system(s *model.System, send func(p *model.Process, k int),
	receive func(p *model.Process, from, to int) int) *model.System {
	messages := map[[2]int]int{}
	for k := range x.to {
		x.spawn(s, k, send)
		if x.from[k] != x.to[k] {
			messages[[2]int{x.from[k], x.to[k]}]++
		}
	}
	for from := range x.ranks {
		for to := range x.ranks {
			if n := messages[[2]int{from, to}]; n > 0 {
				s.Go(fmt.Sprintf("%d->%d", from, to), func(p *model.Process) {
					for range n {
						if late := receive(p, from, to); late != 0 {
							p.Fail("handled before message %d, which comes first", late)
						}
					}
				})
			}
		}
	}
	return s
}

func (x *causalModel) spawn(s *model.System, k int, send func(p *model.Process, k int)) {
	for j := range x.to {
		if j > k && x.parent[j] == k {
			s.Go(fmt.Sprintf("EDT%d", k), x.edt(k, send))
			return
		}
	}
}

// holdSystem is the protocol with the hold.
func holdSystem(pr *rankProgram, weak string) *model.System {
	s := model.New("causal order by holding messages," + pr.String())
	x := newCausalModel(s, pr, weak)
	send := func(p *model.Process, k int) {
		p.When(fmt.Sprintf("send %d", k), func(m model.Memory) bool { return x.mayEnter(m, k) }, func(m model.Memory) int {
			m[x.sent[k]] = 1
			return x.pass(m, k)
		})
	}
	return x.system(s, send, func(p *model.Process, from, to int) int {
		return p.When("handle", func(m model.Memory) bool { return x.net.next(m, from, to) != 0 },
			func(m model.Memory) int { return x.handle(m, x.net.take(m, from, to)) })
	})
}

func (x *causalModel) mayEnter(m model.Memory, k int) bool {
	if x.from[k] == x.to[k] {
		return true
	}
	for j := range x.to {
		if m[x.sent[j]] == 0 || m[x.handled[j]] == 1 || x.from[j] != x.from[k] || x.to[j] == x.to[k] {
			continue
		}
		switch x.weak {
		case "channels in order are all there is":
		case "an EDT waits for its own messages only":
			if x.parent[j] == x.parent[k] {
				return false
			}
		case "what makes an EDT run does not wait":
			if !slices.Contains(x.parent[1:], k) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// The shortest violation is a latch at 1 that is to be counted up and then down: 0->1, 0->2, 2->1.
func TestCausalHold(t *testing.T) {
	explorePrograms(t, causalPrograms(), holdSystem,
		variant{"channels in order are all there is", "comes first"},
		variant{"what makes an EDT run does not wait", "comes first"},
		variant{"an EDT waits for its own messages only", "comes first"})
}

func causalPrograms() []*rankProgram { return append(rankPrograms(3, 3), rankPrograms(4, 4)...) }

// countsSystem is the protocol with counts.
func countsSystem(pr *rankProgram, weak string) *model.System {
	s := model.New("causal order by counts," + pr.String())
	x := newCausalModel(s, pr, weak)
	send := func(p *model.Process, k int) {
		p.Atomically(fmt.Sprintf("send %d", k), func(m model.Memory) int { return x.sendCounts(m, k) })
	}
	return x.system(s, send, func(p *model.Process, from, to int) int {
		k := 0
		if weak == "a message that waits at its receiver counts as handled" {
			k = p.When("take", func(m model.Memory) bool { return x.net.next(m, from, to) != 0 }, func(m model.Memory) int {
				m[x.took[x.pair(from, to)]]++
				return x.net.take(m, from, to)
			})
		}
		ready := func(m model.Memory) bool {
			if k == 0 {
				return x.mayHandle(m, x.net.next(m, from, to))
			}
			return x.mayHandle(m, k)
		}
		return p.When("handle", ready, func(m model.Memory) int {
			k := k
			if k == 0 {
				k = x.net.take(m, from, to)
				m[x.took[x.pair(from, to)]]++
			}
			late := x.handle(m, k)
			x.learn(m, k)
			return late
		})
	})
}

// sendCounts numbers message k, and has it carry what its receiver does not know.
func (x *causalModel) sendCounts(m model.Memory, k int) int {
	from, to := x.from[k], x.to[k]
	if from == to {
		return x.pass(m, k)
	}
	own := x.pair(from, to)
	known, told := x.knows[from], x.told[own]
	if x.weak == "told one rank counts as told all" {
		told = x.told[x.pair(from, from)]
	}
	for a := range x.ranks {
		for b := range x.ranks {
			n := x.pair(a, b)
			switch {
			case n == own || m[known[n]] <= m[told[n]]:
			case a == from && m[known[n]] <= m[x.took[n]]: // handled, says the other end
			case x.weak == "channels in order are all there is":
			case x.weak == "a rank tells of its own messages only" && a != from:
			case x.weak == "a rank tells of messages to the receiver only" && b != to:
			default:
				m[x.carries[k][n]] = m[known[n]]
				m[told[n]] = m[known[n]]
			}
		}
	}
	m[x.number[own]]++
	m[known[own]] = m[x.number[own]]
	return x.pass(m, k)
}

// mayHandle reports whether all messages have been handled that come before k.
func (x *causalModel) mayHandle(m model.Memory, k int) bool {
	if k == 0 {
		return false
	}
	for a := range x.ranks {
		if n := x.pair(a, x.to[k]); m[x.done[n]] < m[x.carries[k][n]] {
			return false
		}
	}
	return true
}

// learn files what message k tells its receiver.
func (x *causalModel) learn(m model.Memory, k int) {
	if x.weak == "a rank forgets what it was told" {
		return
	}
	known := x.knows[x.to[k]]
	for n, w := range x.carries[k] {
		m[known[n]] = max(m[known[n]], m[w])
		m[w] = 0
	}
}

func TestCausalCounts(t *testing.T) {
	explorePrograms(t, causalPrograms(), countsSystem,
		variant{"channels in order are all there is", "comes first"},
		variant{"a rank tells of messages to the receiver only", "comes first"},
		variant{"a rank tells of its own messages only", "comes first"},
		variant{"a rank forgets what it was told", "comes first"},
		variant{"told one rank counts as told all", "comes first"},
		variant{"a message that waits at its receiver counts as handled", "comes first"})
}
