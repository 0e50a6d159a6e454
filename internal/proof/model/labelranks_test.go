package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A labelRanksModel is calls on one label of ranks 0 to 2. Rank 0 keeps the label: it passes a call on to the home of
// the label's object, or keeps it until there is one. That a message may enter its channel is as in the model of the
// hold.
type labelRanksModel struct {
	weak     string
	net      network
	messages []labelMessage // the first is not used
	sent     []model.Word
	handled  []model.Word
	object   model.Word   // of the label, 0 for none
	busy     model.Word   // calls that were kept are being carried out
	kept     []model.Word // calls that wait for an object, the first one first
	due      []model.Word // by call: it was kept when the object was entered
	done     []model.Word // by call: carried out
	answer   []model.Word // by query: one more than the answer
}

type labelKind uint8

const (
	labelCall    labelKind = iota // on the label; passed on, it is the message passedAs
	labelPassed                   // at its home
	labelEnter                    // object, answered by passedAs
	labelAsk                      // for the object if no call is kept, answered by passedAs
	labelAnswer                   // to the message query
	labelDestroy                  // of the label's object; passed on, it is the message passedAs
	labelGone                     // the home destroys the object, and says so by the message passedAs
	labelForget                   // object
	labelWake                     // an EDT
)

type labelMessage struct {
	from, to int
	kind     labelKind
	object   int
	passedAs int
	call     int // which is carried out
	after    int // a call that comes before this one
}

// allKept, as a call, is those that were kept when the object was entered.
const allKept = -1

func (x *labelRanksModel) strong(k int) bool {
	switch x.messages[k].kind {
	case labelForget:
		return x.weak != "FORGET is weak"
	case labelCall, labelPassed, labelDestroy, labelGone:
		return true
	}
	return false
}

// send puts a message into its channel once it may go.
func (x *labelRanksModel) send(p *model.Process, k int) {
	m := x.messages[k]
	p.When(fmt.Sprintf("send %d", k), func(mem model.Memory) bool {
		for j, other := range x.messages {
			if j > 0 && mem[x.sent[j]] == 1 && mem[x.handled[j]] == 0 && other.from == m.from && other.to != m.to &&
				x.strong(j) {
				return false
			}
		}
		return true
	}, func(mem model.Memory) int {
		mem[x.sent[k]] = 1
		x.net.send(mem, m.from, m.to, k)
		return k
	})
}

// carryOut is a call that is carried out on the object, or by the EDT for which it is.
func (x *labelRanksModel) carryOut(p *model.Process, call, after int) {
	if p.Atomically(fmt.Sprintf("carry out call %d", call), func(m model.Memory) int {
		m[x.done[call]] = 1
		for k := range x.due {
			if m[x.done[k]] == 0 && k != 0 && (k == after || after == allKept && m[x.due[k]] == 1) {
				return k
			}
		}
		return 0
	}) != 0 {
		p.Fail("call %d overtakes one", call)
	}
}

// enter gives the label an object, unless it has one.
func (x *labelRanksModel) enter(p *model.Process, object int) bool {
	return p.Atomically("enter", func(m model.Memory) int {
		if m[x.object] != 0 {
			return 0
		}
		m[x.object] = int16(object)
		for _, w := range x.kept {
			if k := m[w]; k != 0 {
				m[x.busy], m[x.due[k]] = 1, 1
			}
		}
		return 1
	}) != 0
}

func (x *labelRanksModel) passKept(p *model.Process) {
	for {
		k := p.Atomically("take what was kept", func(m model.Memory) int {
			k, last := m[x.kept[0]], len(x.kept)-1
			for n := range last {
				m[x.kept[n]] = m[x.kept[n+1]]
			}
			if m[x.kept[last]] = 0; k == 0 {
				m[x.busy] = 0
			}
			return int(k)
		})
		if k == 0 {
			return
		}
		x.send(p, x.messages[k].passedAs)
	}
}

// look returns the object; if there is none, or calls are being carried out and that counts, it keeps call k, unless
// that is 0.
func (x *labelRanksModel) look(p *model.Process, k int, mayBeBusy bool) int {
	return p.Atomically("look at the label", func(m model.Memory) int {
		if m[x.object] != 0 && (m[x.busy] == 0 || mayBeBusy) {
			return int(m[x.object])
		}
		for _, w := range x.kept {
			if k != 0 && m[w] == 0 {
				m[w] = int16(k)
				break
			}
		}
		return 0
	})
}

// passOn passes a call on. It is handled when the home has handled it.
func (x *labelRanksModel) passOn(p *model.Process, k int) {
	x.send(p, k)
	if x.weak != "a call that is passed on counts as handled" {
		p.Await(x.handled[k], 1)
	}
}

// handle carries a message out.
func (x *labelRanksModel) handle(p *model.Process, k int) {
	m := x.messages[k]
	switch m.kind {
	case labelCall:
		if x.look(p, k, false) != 0 {
			x.passOn(p, m.passedAs)
		}
	case labelPassed:
		x.carryOut(p, m.call, m.after)
	case labelEnter:
		entered := x.enter(p, m.object)
		if x.weak == "the answer goes ahead of what was kept" {
			x.answerTo(p, k, entered)
		}
		if entered {
			x.passKept(p)
		}
		if x.weak != "the answer goes ahead of what was kept" {
			x.answerTo(p, k, entered)
		}
	case labelAsk:
		x.answerTo(p, k, x.look(p, 0, x.weak == "a label is sent while its calls are carried out") != 0)
	case labelDestroy:
		if x.weak != "a label is free when its object's home says so" {
			p.Store(x.object, 0)
		}
		x.passOn(p, m.passedAs)
	case labelGone:
		x.send(p, m.passedAs)
	case labelForget:
		p.Atomically("forget", func(mem model.Memory) int {
			if int(mem[x.object]) == m.object || x.weak == "FORGET frees whatever the label has" {
				mem[x.object] = 0
			}
			return 0
		})
	}
}

func (x *labelRanksModel) answerTo(p *model.Process, k int, yes bool) {
	value := 1
	if yes {
		value = 2
	}
	p.Store(x.answer[k], value)
	x.send(p, x.messages[k].passedAs)
}

// ask sends a query and returns the answer.
func (x *labelRanksModel) ask(p *model.Process, k int) bool {
	x.send(p, k)
	p.Await(x.handled[x.messages[k].passedAs], 1)
	return p.Load(x.answer[k]) == 2
}

// A labelProgram is one run: what the label has, all messages that there may be, and the EDTs.
type labelProgram struct {
	name     string
	object   int
	messages []labelMessage
	edts     []labelEDT
	left     int // object of the label in the end
}

type labelEDT struct {
	name string
	body func(x *labelRanksModel, p *model.Process)
}

func (pr *labelProgram) system(weak string) *model.System {
	s := model.New("calls on a label over ranks: " + pr.name)
	messages := append([]labelMessage{{}}, pr.messages...)
	n := len(messages)
	x := &labelRanksModel{weak: weak, messages: messages, net: newNetwork(s, 3), sent: s.Words("sent", n),
		handled: s.Words("handled", n),
		object:  s.Word("object", pr.object), busy: s.Word("busy", 0), kept: s.Words("kept", 3), due: s.Words("due", n),
		done: s.Words("done", n), answer: s.Words("answer", n)}
	over := s.Word("EDTs", len(pr.edts))
	for _, edt := range pr.edts {
		s.Go(edt.name, func(p *model.Process) {
			edt.body(x, p)
			p.Add(over, -1)
		})
	}
	for from := range 3 {
		for to := range 3 {
			if from == to {
				continue
			}
			var loop func(p *model.Process)
			idle := func(m model.Memory) bool {
				for k := range messages {
					if m[x.sent[k]] != m[x.handled[k]] {
						return false
					}
				}
				return m[over] == 0
			}
			loop = func(p *model.Process) {
				k := p.When("take", func(m model.Memory) bool {
					return x.net.next(m, from, to) != 0 || idle(m)
				}, func(m model.Memory) int {
					return x.net.next(m, from, to)
				})
				if k == 0 {
					return
				}
				x.handle(p, k)
				p.Atomically("handled", func(m model.Memory) int { m[x.handled[k]] = 1; return x.net.take(m, from, to) })
				p.Again("loop", loop)
			}
			s.Go(fmt.Sprintf("%d->%d", from, to), loop)
		}
	}
	s.Finally(func(m model.Memory) string {
		if int(m[x.object]) != pr.left {
			return fmt.Sprintf("the label has object %d, want %d", m[x.object], pr.left)
		}
		return ""
	})
	return s
}

func mustEnter(x *labelRanksModel, p *model.Process, k int) {
	if !x.ask(p, k) {
		p.Fail("the label is taken")
	}
}

func TestLabelsOverRanks(t *testing.T) {
	passedOn := &labelProgram{name: "one that is passed on, and what follows it", object: 1, left: 1,
		messages: []labelMessage{
			{from: 2, to: 0, kind: labelCall, passedAs: 2},
			{from: 0, to: 1, kind: labelPassed, call: 1},
			{from: 2, to: 1, kind: labelPassed, call: 3, after: 1},
		},
		edts: []labelEDT{{"caller on 2", func(x *labelRanksModel, p *model.Process) { x.send(p, 1); x.send(p, 3) }}}}
	kept := &labelProgram{name: "some that are kept, and what the creator does next", left: 1,
		messages: []labelMessage{
			{from: 2, to: 0, kind: labelCall, passedAs: 2},
			{from: 0, to: 1, kind: labelPassed, call: 1},
			{from: 2, to: 0, kind: labelCall, passedAs: 4},
			{from: 0, to: 1, kind: labelPassed, call: 3, after: 1},
			{from: 1, to: 0, kind: labelEnter, object: 1, passedAs: 6},
			{from: 0, to: 1, kind: labelAnswer},
			{},
		},
		edts: []labelEDT{
			{"caller on 2", func(x *labelRanksModel, p *model.Process) { x.send(p, 1); x.send(p, 3) }},
			{"creator on 1", func(x *labelRanksModel, p *model.Process) { mustEnter(x, p, 5); x.carryOut(p, 7, allKept) }},
		}}
	settled := &labelProgram{name: "one that is kept, and one for which the object is asked", left: 1,
		messages: []labelMessage{
			{from: 2, to: 0, kind: labelCall, passedAs: 2},
			{from: 0, to: 2, kind: labelPassed, call: 1},
			{from: 2, to: 0, kind: labelAsk, passedAs: 4},
			{from: 0, to: 2, kind: labelAnswer},
			{from: 2, to: 0, kind: labelCall, passedAs: 6},
			{from: 0, to: 2, kind: labelPassed, call: 5, after: 1},
		},
		edts: []labelEDT{
			{"caller on 2", func(x *labelRanksModel, p *model.Process) {
				x.send(p, 1)
				if x.ask(p, 3) {
					x.carryOut(p, 5, 1)
				} else {
					x.send(p, 5)
				}
			}},
			{"creator on 0", func(x *labelRanksModel, p *model.Process) { x.enter(p, 1); x.passKept(p) }},
		}}
	forgotten := &labelProgram{name: "a creation that follows a destruction at home", object: 1, left: 2,
		messages: []labelMessage{
			{from: 1, to: 0, kind: labelForget, object: 1},
			{from: 1, to: 2, kind: labelWake},
			{from: 2, to: 0, kind: labelEnter, object: 2, passedAs: 4},
			{from: 0, to: 2, kind: labelAnswer},
		},
		edts: []labelEDT{
			{"destroyer on 1", func(x *labelRanksModel, p *model.Process) { x.send(p, 1); x.send(p, 2) }},
			{"creator on 2", func(x *labelRanksModel, p *model.Process) { p.Await(x.handled[2], 1); mustEnter(x, p, 3) }},
		}}
	destroyed := &labelProgram{name: "a destruction by the label, and the next object", object: 1, left: 2,
		messages: []labelMessage{
			{from: 2, to: 0, kind: labelDestroy, passedAs: 2},
			{from: 0, to: 1, kind: labelGone, passedAs: 3},
			{from: 1, to: 0, kind: labelForget, object: 1},
			{from: 2, to: 0, kind: labelEnter, object: 2, passedAs: 5},
			{from: 0, to: 2, kind: labelAnswer},
		},
		edts: []labelEDT{{"EDT on 2", func(x *labelRanksModel, p *model.Process) { x.send(p, 1); mustEnter(x, p, 4) }}}}
	explorePrograms(t, []*labelProgram{passedOn, kept, settled, forgotten, destroyed}, (*labelProgram).system,
		variant{"a call that is passed on counts as handled", "overtakes"},
		variant{"the answer goes ahead of what was kept", "overtakes"},
		variant{"a label is sent while its calls are carried out", "overtakes"},
		variant{"FORGET is weak", "is taken"},
		variant{"a label is free when its object's home says so", "is taken"},
		variant{"FORGET frees whatever the label has", "has object 0"})
}
