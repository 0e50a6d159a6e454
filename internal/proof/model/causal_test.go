package model_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/proof/model"
)

// A causalModel delivers the messages of a program so that each comes after all messages to the same rank that were
// sent before it: by its own EDT, by those that made this one run, and so on. Channels do that for two ranks only. The
// *hold*: a message enters its channel when all that its rank has sent to others has been handled.
type causalModel struct {
	*rankProgram
	weak    string
	net     network
	sent    []model.Word // by message
	handled []model.Word
}

// send puts message k into its channel once it may enter. A call takes effect at once.
func (x *causalModel) send(p *model.Process, k int) {
	p.When(fmt.Sprintf("send %d", k), func(m model.Memory) bool { return x.mayEnter(m, k) }, func(m model.Memory) int {
		if m[x.sent[k]] = 1; x.from[k] == x.to[k] {
			m[x.handled[k]] = 1
		} else {
			x.net.send(m, x.from[k], x.to[k], k)
		}
		return 1
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

// receive handles n messages of a channel.
func (x *causalModel) receive(p *model.Process, from, to, n int) {
	for range n {
		if late := p.When("handle", func(m model.Memory) bool { return x.net.next(m, from, to) != 0 },
			func(m model.Memory) int { return x.handle(m, x.net.take(m, from, to)) }); late != 0 {
			p.Fail("handled before message %d, which comes first", late)
		}
	}
}

// handle returns a message that should have been handled before message k, 0 for none.
func (x *causalModel) handle(m model.Memory, k int) int {
	m[x.handled[k]] = 1
	for _, j := range x.past(k) {
		if x.to[j] == x.to[k] && m[x.handled[j]] == 0 {
			return j
		}
	}
	return 0
}

// holdSystem has a process for each EDT that sends messages, and one for each channel that the program uses.
func holdSystem(pr *rankProgram, weak string) *model.System {
	s := model.New("causal order by holding messages," + pr.String())
	n := len(pr.to)
	x := &causalModel{rankProgram: pr, weak: weak, net: newNetwork(s, pr.ranks),
		sent: s.Words("sent", n), handled: s.Words("handled", n)}
	messages := map[[2]int]int{}
	for k := range n {
		if x.from[k] != x.to[k] {
			messages[[2]int{x.from[k], x.to[k]}]++
		}
		if !slices.Contains(x.parent[1:], k) {
			continue
		}
		s.Go(fmt.Sprintf("EDT%d", k), func(p *model.Process) {
			if k != 0 {
				p.Await(x.handled[k], 1)
			}
			for j := k + 1; j < n; j++ {
				if x.parent[j] == k {
					x.send(p, j)
				}
			}
		})
	}
	for from := range x.ranks {
		for to := range x.ranks {
			if n := messages[[2]int{from, to}]; n > 0 {
				s.Go(fmt.Sprintf("%d->%d", from, to), func(p *model.Process) { x.receive(p, from, to, n) })
			}
		}
	}
	return s
}

// The shortest violation is a latch at 1 that is to be counted up and then down: 0->1, 0->2, 2->1.
func TestCausalHold(t *testing.T) {
	explorePrograms(t, append(rankPrograms(3, 3), rankPrograms(4, 4)...), holdSystem,
		variant{"channels in order are all there is", "comes first"},
		variant{"what makes an EDT run does not wait", "comes first"},
		variant{"an EDT waits for its own messages only", "comes first"})
}
