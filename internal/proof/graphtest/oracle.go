package graphtest

import (
	"fmt"
	"slices"

	"ocr/datablock"
	"ocr/edt"
)

// An Outcome is what a plan computes.
type Outcome struct {
	Values   []uint64   // of the nodes
	Blocks   [][]uint64 // contents of the shared blocks at the end
	Counters edt.Counters
}

// Expect computes the outcome of a plan without running it.
func (p *Plan) Expect() *Outcome {
	o := &Outcome{}
	for i := range p.Nodes {
		o.Values = append(o.Values, p.expectValue(i, o.Values))
	}
	for b := range p.Blocks {
		o.Blocks = append(o.Blocks, p.expectBlock(b, o.Values))
	}
	p.expectCounters(&o.Counters)
	return o
}

func (p *Plan) expectValue(i int, values []uint64) uint64 {
	v := startValue(p.Nodes[i].Params)
	for _, s := range p.Nodes[i].Slots {
		switch {
		case s.Payload.Kind == empty:
			v = mix(v, sawNothing)
		case s.Mode == datablock.Null:
			v = mix(v, sawGUID)
		case s.Payload.Kind == private:
			ws := make([]uint64, privateWords(p.Seed, s.Payload.Event))
			fillPrivate(ws, values[s.Payload.Maker], s.Payload.Event)
			v = mixWords(v, ws)
		case p.Blocks[s.Payload.Block].Kind == table:
			v = mixWords(v, p.expectBlock(s.Payload.Block, nil))
		default:
			v = mix(v, sawShared)
		}
	}
	return v
}

func (p *Plan) expectBlock(b int, values []uint64) []uint64 {
	block := p.Blocks[b]
	ws := make([]uint64, block.Words)
	if block.Kind == table {
		fillTable(ws, p.Seed, b)
		return ws
	}
	for i := range p.Nodes {
		for _, s := range p.Nodes[i].Slots {
			if s.Payload.Kind != shared || s.Payload.Block != b || !s.First {
				continue
			}
			switch {
			case block.Kind == words && s.Mode == datablock.RW:
				ws[s.Word] = values[i]
			case block.Kind == tally && s.Mode == datablock.EW:
				ws[0] += values[i]
				ws[1]++
			}
		}
	}
	if block.Kind == tally {
		ws[2] = ^ws[0]
	}
	return ws
}

// These count the program around a plan: two EDTs that sweep up, the root's output event, and three templates. The call
// of Main that opens the root's gate is counted with the root.
const (
	frameEDTs      = 2
	frameEvents    = 1
	frameTemplates = 3
)

func (p *Plan) expectCounters(n *edt.Counters) {
	n.EDTCreated = uint64(len(p.Nodes)) + frameEDTs
	n.EDTRun = n.EDTCreated + 1 // and main
	n.EventCreated = uint64(len(p.Events)) + frameEvents
	n.BlockCreated = uint64(len(p.Blocks))
	n.TemplateCreated = frameTemplates
	for i := range p.Nodes {
		p.countNode(i, n)
	}
	n.EventDestroyed = n.EventCreated
	n.BlockDestroyed = n.BlockCreated
	n.TemplateDestroyed = n.TemplateCreated
}

func (p *Plan) countNode(i int, n *edt.Counters) {
	node := &p.Nodes[i]
	for _, s := range node.Slots {
		if s.Wired != listed {
			n.DependenceAdded++
		}
	}
	if node.OwnMade && i > 0 {
		n.TemplateCreated++
	}
	for k := range node.Rounds {
		node.Rounds[k].count(n, len(node.Slots))
	}
	for k := range node.Victims {
		node.Victims[k].count(n)
	}
	for k := range node.Scenes {
		n.Add(&node.Scenes[k].stage(nil).counts)
	}
	n.DependenceAdded += uint64(len(node.Links))
	for _, e := range node.Events {
		n.EventSatisfied += uint64(p.Events[e].Incrs)
	}
	for _, c := range node.Calls {
		if c.Depend {
			n.DependenceAdded++
		} else {
			n.EventSatisfied++
		}
		if p.Events[c.Event].Payload.Kind == private {
			n.BlockCreated++
		}
	}
	if p.returnsBlock(i) {
		n.BlockCreated++
	}
}

func (v *Victim) count(n *edt.Counters) {
	n.EDTCreated++
	n.EDTDestroyed++
	if v.Output {
		n.EventCreated++
	}
}

// returnsBlock reports whether node i makes a block and returns it.
func (p *Plan) returnsBlock(i int) bool {
	n := &p.Nodes[i]
	return n.Out != none && n.Returns == none && !n.Finish && p.Events[n.Out].Payload.Kind == private
}

// Diff describes the first difference between two outcomes, "" if there is none.
func (o *Outcome) Diff(want *Outcome) string {
	for i := range o.Values {
		if o.Values[i] != want.Values[i] {
			return fmt.Sprintf("node %d has value %#x, want %#x", i, o.Values[i], want.Values[i])
		}
	}
	for b := range o.Blocks {
		if !slices.Equal(o.Blocks[b], want.Blocks[b]) {
			return fmt.Sprintf("block %d holds %x, want %x", b, o.Blocks[b], want.Blocks[b])
		}
	}
	if o.Counters != want.Counters {
		return fmt.Sprintf("counters %+v\nwant     %+v", o.Counters, want.Counters)
	}
	return ""
}
