package taskbench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Goroutines runs the graphs with a goroutine a worker over its columns, and Go
// channels between them: what plain Go costs. A worker sends a copy of an output once
// to every other worker that takes it, and receives what it needs before each step.
// Kernels, outputs and checks are the EDT form's.
//
// It returns the time from the start of the goroutines to the end of the last, and a
// [*trial.VerifyError] if an input was wrong. A cancelled context ends it after a step, with
// the context's cause.
func (c Config) Goroutines(ctx context.Context, workers int) (time.Duration, error) {
	c = c.numbered()
	team := newTeam(&c, workers)
	return together(ctx, workers, func(w int, stopped *atomic.Bool) error { return team.run(team.members[w], stopped) })
}

// A team is the goroutines of one run and what they share, which they only read.
type team struct {
	verify    bool
	workers   int
	steps     int
	plans     []*plan
	crossings [][][]crossing // by graph and set: in ascending order of columns
	members   []*member
}

// A crossing is an output that a column sends to another worker, once for all the
// columns there.
type crossing struct {
	column   int
	from, to int
	sent     steps
}

// A member is one worker's side. Nobody else touches it.
type member struct {
	worker  int
	outputs [][2][][]uint64 // by graph, parity of the step and column: its own and received ones
	scratch [][][]uint64    // by graph and column
	to      []*lane         // by worker
	from    []*lane
}

// A lane is a channel from one worker to another, with the buffers of its messages.
//
// The channel holds the messages of two steps and the receiver keeps those of two
// more; there are more buffers than that, so none is overwritten that is still read.
// Nobody waits in a circle: what the worker that is furthest behind waits for has been
// sent, and a lane to another is full only when that one is further behind.
type lane struct {
	messages chan []uint64
	buffers  [][]uint64
	next     int
}

func newLane(perStep, words int) *lane {
	l := &lane{messages: make(chan []uint64, 2*perStep)}
	for range 4*perStep + 1 {
		l.buffers = append(l.buffers, make([]uint64, words))
	}
	return l
}

func (l *lane) send(output []uint64) {
	b := l.buffers[l.next]
	if l.next++; l.next == len(l.buffers) {
		l.next = 0
	}
	l.messages <- b[:copy(b, output)]
}

func newTeam(c *Config, workers int) *team {
	team := &team{verify: c.Verify, workers: workers}
	for _, cfg := range c.Graphs {
		p := newPlan(cfg, c.Window)
		team.plans = append(team.plans, p)
		team.crossings = append(team.crossings, team.cross(p))
		team.steps = max(team.steps, cfg.Steps)
	}
	for w := range workers {
		team.members = append(team.members, team.newMember(w))
	}
	for a, from := range team.members {
		for b, to := range team.members {
			from.to[b] = team.newLane(a)
			to.from[a] = from.to[b]
		}
	}
	return team
}

// owner returns the worker of a column.
func (team *team) owner(p *plan, i int) int { return i * team.workers / p.Width }

// cross lists the crossings of a graph by the set of the step that takes them.
func (team *team) cross(p *plan) [][]crossing {
	bySet := make([][]crossing, p.period)
	for set := range bySet {
		for j := range p.columns {
			for to := range team.workers {
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
	return all.and(p.columns[j].active())
}

func (team *team) newMember(w int) *member {
	m := &member{worker: w, to: make([]*lane, team.workers), from: make([]*lane, team.workers)}
	for _, p := range team.plans {
		var outputs [2][][]uint64
		scratch := make([][]uint64, p.Width)
		for parity := range outputs {
			outputs[parity] = make([][]uint64, p.Width)
		}
		for i, high := share(p.Width, w, team.workers); i < high; i++ {
			for parity := range outputs {
				outputs[parity][i] = make([]uint64, p.outputWords())
			}
			scratch[i] = newScratch(p.Scratch)
		}
		m.outputs, m.scratch = append(m.outputs, outputs), append(m.scratch, scratch)
	}
	return m
}

// newLane makes a lane from a worker, which sends at most each of its columns' outputs
// a step.
func (team *team) newLane(from int) *lane {
	perStep, words := 0, 0
	for _, p := range team.plans {
		low, high := share(p.Width, from, team.workers)
		perStep += high - low
		words = max(words, p.outputWords())
	}
	return newLane(perStep, words)
}

// run goes through all steps. After a wrong input it goes on, because others wait for
// its outputs. Where it is stopped it leaves, and others that miss its outputs do too.
func (team *team) run(m *member, stopped *atomic.Bool) (first error) {
	defer m.leave()
	for t := range team.steps {
		if stopped.Load() {
			return first
		}
		for k, p := range team.plans {
			if t >= p.Steps {
				continue
			}
			if !team.receive(m, k, t) {
				return first
			}
			if err := team.step(m, k, t); err != nil && first == nil {
				first = fmt.Errorf("goroutines: %w", err)
			}
			team.send(m, k, t)
		}
	}
	return first
}

// leave closes a worker's lanes and empties those to it, so that no worker waits for it in
// vain: all at once, because their senders end in any order.
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

// receive takes what the columns of a worker need of others for a step, and reports false
// if one that was to send has left. Both ends of a lane go through the crossings in
// the same order, so a message needs no address.
func (team *team) receive(m *member, k, t int) bool {
	for _, x := range team.crossings[k][team.plans[k].setOf(t)] {
		if x.to == m.worker && x.sent.has(t-1) {
			output := <-m.from[x.from].messages
			if output == nil {
				return false
			}
			m.outputs[k][(t+1)&1][x.column] = output
		}
	}
	return true
}

func (team *team) send(m *member, k, t int) {
	for _, x := range team.crossings[k][team.plans[k].setOf(t+1)] {
		if x.from == m.worker && x.sent.has(t) {
			m.to[x.to].send(m.outputs[k][t&1][x.column])
		}
	}
}

// step runs one step of a worker's columns.
func (team *team) step(m *member, k, t int) error {
	p := team.plans[k]
	offset, width := p.At(t)
	low, high := share(p.Width, m.worker, team.workers)
	before, set, size := m.outputs[k][(t+1)&1], p.setOf(t), p.pairWords()
	var first error
	for i := max(low, offset); i < min(high, offset+width); i++ {
		if err := team.check(p, before, m.scratch[k][i], set, t, i); err != nil && first == nil {
			first = err
		}
		p.Kernel.Run(int64(p.number), int64(t), int64(i), bytesOf(m.scratch[k][i]))
		fill(m.outputs[k][t&1][i][:size], t, source(p.number, i))
	}
	return first
}

// check compares the scratch memory and all inputs of a task with what they must be.
func (team *team) check(p *plan, before [][]uint64, scratch []uint64, set, t, i int) error {
	if !team.verify {
		return nil
	}
	if err := p.checkScratch(scratch, t, i); err != nil {
		return err
	}
	col := &p.columns[i]
	for k := range col.inputs[set] {
		if in := &col.inputs[set][k]; in.there.has(t) {
			if err := p.checkPairs(before[in.from], t, i, in.from); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPairs compares one input of (t,i) with what it must be.
func (p *plan) checkPairs(output []uint64, t, i, from int) error {
	if pair := differs(output[:p.pairWords()], t-1, source(p.number, from)); pair >= 0 {
		return wrongPair(p.number, t, i, from, output, pair)
	}
	return nil
}
