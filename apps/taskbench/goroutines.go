package taskbench

import (
	"sync"

	"ocr/apps/trial"
)

// A crossing is an output that a column sends to another worker, once for all the columns there.
type crossing struct {
	column   int
	from, to int
	sent     steps
}

// A lane is a channel from one worker to another, with the buffers of its messages.
//
// The channel holds the messages of two steps and the receiver keeps those of two more; there are more buffers than
// that, so none is overwritten that is still read. No deadlock: the messages of the worker that is furthest behind have
// been sent, and a lane is full only if its receiver is further behind than its sender.
type lane struct {
	messages chan *outBuffer
	buffers  []outBuffer
	next     int
}

func (l *lane) send(output *outBuffer) {
	b := &l.buffers[l.next]
	if l.next++; l.next == len(l.buffers) {
		l.next = 0
	}
	b.words = b.words[:copy(b.words[:cap(b.words)], output.words)]
	l.messages <- b
}

// connect finds what workers send each other, and makes their lanes.
func (team *team) connect() {
	for _, p := range team.plans {
		team.crossings = append(team.crossings, team.cross(p))
	}
	for _, from := range team.members {
		for _, to := range team.members {
			l := newLane(from.parts)
			from.to, to.from = append(from.to, l), append(to.from, l)
		}
	}
}

// newLane makes a lane from a worker, which sends at most each of its columns' outputs a step.
func newLane(parts []part) *lane {
	perStep, words := 0, 0
	for _, g := range parts {
		perStep += g.high - g.low
		words = max(words, g.outputWords())
	}
	l := &trial.Own[lane](1)[0] // its sender writes next
	l.messages, l.buffers = make(chan *outBuffer, 2*perStep), newOutBuffers(4*perStep+1, words)
	return l
}

// owner returns the worker of a column.
func (team *team) owner(p *plan, i int) int { return i * len(team.members) / p.Width }

// cross lists the crossings of a graph by the set of the step that takes them.
func (team *team) cross(p *plan) [][]crossing {
	bySet := make([][]crossing, p.period)
	for set := range bySet {
		for j := range p.columns {
			for to := range team.members {
				if s := team.sent(p, j, set, to); to != team.owner(p, j) && s.count() > 0 {
					bySet[set] = append(bySet[set], crossing{j, team.owner(p, j), to, s})
				}
			}
		}
	}
	return bySet
}

// sent returns the steps in which a column sends its output to a worker.
func (team *team) sent(p *plan, j, set, to int) steps {
	all := steps{p.Steps, -1}
	for _, out := range p.columns[j].outputs[set] {
		if team.owner(p, out.to) == to {
			all.first, all.last = min(all.first, out.taken.first), max(all.last, out.taken.last)
		}
	}
	return all.and(p.columns[j].steps)
}

// receive receives what the columns of a worker need of others for a step; false if a sender has left. Both ends of a
// lane go through the crossings in the same order, so a message needs no address.
func (team *team) receive(m *member, k, t int) bool {
	if team.crossings == nil {
		return true
	}
	for _, x := range team.crossings[k][team.plans[k].setOf(t)] {
		if x.to == m.worker && x.sent.has(t-1) {
			output := <-m.from[x.from].messages
			if output == nil {
				return false
			}
			m.parts[k].outputs[(t+1)&1][x.column] = output
		}
	}
	return true
}

func (team *team) send(m *member, k, t int) {
	if team.crossings == nil {
		return
	}
	for _, x := range team.crossings[k][team.plans[k].setOf(t+1)] {
		if x.from == m.worker && x.sent.has(t) {
			m.to[x.to].send(m.parts[k].outputs[t&1][x.column])
		}
	}
}

// leave closes a worker's lanes and empties those to it, so that no worker waits for it: all at the same time, because
// their senders end in any order.
func (m *member) leave() {
	for _, lane := range m.to {
		close(lane.messages)
	}
	var all sync.WaitGroup
	for _, lane := range m.from {
		all.Go(func() {
			for range lane.messages {
			}
		})
	}
	all.Wait()
}
