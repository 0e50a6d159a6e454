package taskbench

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"ocr/datablock"
)

// A links says how a task learns the GUIDs of the EDTs that take its output, and
// how it knows that a buffer has been read; see the package comment.
type links uint8

const (
	alone     links = iota // no column takes another's output
	mutual                 // a column that sends to another in a set also receives from it
	announced              // by announcements from the consumer
	recorded               // it need not: a recorded graph has edges
)

// A plan is what the tasks of one graph read. It is made once.
type plan struct {
	Graph
	period int // sets of dependences
	links  links
	ahead  int // (t,i) creates (t+ahead,i)
	half   int // announced: steps between two announcements
	ring   int // output buffers of a column
	names  int // announced: entries in a column's list of its own EDTs; recorded: 1, the column's step

	pairs    int // words of an output that are whole pairs
	payload  int // word of an output buffer in which the output begins
	stride   int // words of an output buffer
	peerMask int // steps for which a column knows a peer's EDTs, less 1

	columns []column
	tiles   []int // words of their blocks
}

// A column is the part of the plan for one column.
type column struct {
	steps // in which it has a task, if any

	takes    [][]take // by set: the inputs
	gives    [][]give // by set of the step that takes them: the outputs, other tiles' first
	slots    []int    // by set: of its task, without the consumers'
	complete steps    // in these, all inputs are there
	wanted   steps    // in these, all outputs are taken

	tile                                       int // whose block it is in
	namesAt, peersAt, outputAt, scratchAt, end int // words there, see layout.go

	producers []announcing // announced: producers, to which this column's EDTs are announced
	consumers []int        // announced: consumers; their place here is that of their slot

	inputs  [][]input  // by set: the column's own output, if it is one, and then the others in ascending order
	outputs [][]output // by set
}

// A take is an input as a task sees it.
type take struct {
	source   uint64 // what it says of itself
	slot     uint32 // that it comes on
	outputAt uint32 // word of the producer's first buffer
	peer     uint32 // mutual: word where the GUID that came with it goes
	remote   bool   // it is in another tile's block
}

// A give is an output as a task sees it: one slot of another column's task.
type give struct {
	slot uint32
	peer uint32         // word where the GUID of its EDT is
	mode datablock.Mode // Null if the taker is of the same tile, and holds the block
}

// An input is an output that the tasks of a column take.
type input struct {
	from  int
	slot  int
	there steps
	times int // it counts so often; spread may name a column twice
}

// An output is one slot of another column that takes this column's output.
type output struct {
	to    int
	slot  int
	taken steps
}

// An announcing is a producer, and the place of this column among its consumers.
type announcing struct{ producer, place int }

// steps is a range of steps, both ends included.
type steps struct{ first, last int }

func (s steps) has(t int) bool { return t >= s.first && t <= s.last }

func (s steps) count() int { return max(0, s.last-s.first+1) }

// shift moves a range by some steps.
func (s steps) shift(by int) steps { return steps{s.first + by, s.last + by} }

func (s steps) and(o steps) steps { return steps{max(s.first, o.first), min(s.last, o.last)} }

// lives reports whether the column has tasks at all.
func (col *column) lives() bool { return col.first <= col.last }

// living yields the columns that have tasks.
func (p *plan) living() iter.Seq2[int, *column] {
	return func(yield func(int, *column) bool) {
		for i := range p.columns {
			if col := &p.columns[i]; col.lives() && !yield(i, col) {
				return
			}
		}
	}
}

func newPlan(g Graph, window int) *plan {
	p := &plan{Graph: g, period: g.sets(), columns: make([]column, g.Width)}
	p.pairs = g.Output / pairBytes * (pairBytes / wordBytes)
	for i := range p.columns {
		p.columns[i].steps = g.life(i)
	}
	p.connect()
	p.choose(window)
	return p
}

func (p *plan) connect() {
	for i := range p.columns {
		col := &p.columns[i]
		col.inputs, col.outputs = make([][]input, p.period), make([][]output, p.period)
		col.slots = make([]int, p.period)
		for set := range p.period {
			p.connectInputs(i, set)
		}
	}
	for i := range p.columns {
		for set := range p.period {
			for _, in := range p.columns[i].inputs[set] {
				if from := &p.columns[in.from]; in.from != i {
					from.outputs[set] = append(from.outputs[set], output{i, in.slot, p.columns[i].shift(-1)})
				}
			}
		}
	}
	for i := range p.columns {
		p.columns[i].findWhole()
	}
}

// connectInputs lists the inputs of a column by one set.
func (p *plan) connectInputs(i, set int) {
	col := &p.columns[i]
	if !col.lives() {
		return
	}
	times := make(map[int]int)
	for _, j := range p.sources(set, i) {
		if j >= 0 && j < p.Width && p.columns[j].lives() {
			times[j]++
		}
	}
	col.slots[set] = firstInput
	if n := times[i]; n > 0 {
		col.inputs[set] = append(col.inputs[set], input{from: i, slot: slotOwn, there: col.shift(1), times: n})
		delete(times, i)
	}
	for _, j := range slices.Sorted(maps.Keys(times)) {
		col.inputs[set] = append(col.inputs[set], input{j, col.slots[set], p.columns[j].shift(1), times[j]})
		col.slots[set]++
	}
}

// findWhole finds the steps in which all inputs and outputs are there.
func (col *column) findWhole() {
	col.complete, col.wanted = col.steps, col.steps
	for set := range col.inputs {
		for _, in := range col.inputs[set] {
			col.complete = col.complete.and(in.there)
		}
		for _, out := range col.outputs[set] {
			col.wanted = col.wanted.and(out.taken)
		}
	}
}

// choose decides how columns are linked, and how far ahead EDTs are created.
func (p *plan) choose(window int) {
	p.links = p.kindOfLinks()
	switch p.links {
	case alone:
		p.ahead, p.ring = 1, 2
	case recorded:
		p.ring, p.names = 2, 1
	case mutual:
		p.ahead = p.period + 1
		p.ring = powerOfTwo(p.ahead)
	case announced:
		p.ring = powerOfTwo(max(window, 2))
		p.half, p.ahead = p.ring/2, p.ring
		// More than are ahead, so that none is overwritten while a producer reads it: it reads the names of the half
		// window that follows on its step, and this column is at most period-1 steps past that.
		p.names = powerOfTwo(p.ahead + p.period)
		p.linkConsumers()
	}
}

func powerOfTwo(atLeast int) int { return 1 << bits.Len(uint(atLeast-1)) }

func (p *plan) kindOfLinks() links {
	if p.recorded {
		return recorded
	}
	kind := alone
	for i := range p.columns {
		for set := range p.period {
			switch in, out := p.columns[i].others(set), p.columns[i].outputs[set]; {
			case len(in)+len(out) == 0:
			case p.Type.growsOrShrinks() || !mirrored(in, out):
				return announced
			default:
				kind = mutual
			}
		}
	}
	return kind
}

// others returns the inputs that are other columns' outputs.
func (col *column) others(set int) []input {
	inputs := col.inputs[set]
	if len(inputs) > 0 && inputs[0].slot == slotOwn {
		return inputs[1:]
	}
	return inputs
}

// mirrored reports whether a column receives by a set from those it sends to.
func mirrored(in []input, out []output) bool {
	return slices.EqualFunc(in, out, func(a input, b output) bool { return a.from == b.to })
}

// linkConsumers lists which columns announce their EDTs to which.
func (p *plan) linkConsumers() {
	for j := range p.columns {
		col := &p.columns[j]
		for set := range p.period {
			for _, out := range col.outputs[set] {
				col.consumers = append(col.consumers, out.to)
			}
		}
		slices.Sort(col.consumers)
		col.consumers = slices.Compact(col.consumers)
		for place, i := range col.consumers {
			p.columns[i].producers = append(p.columns[i].producers, announcing{j, place})
		}
	}
}

// setOf returns which of the sets the inputs of step t follow.
func (p *plan) setOf(t int) int {
	if p.period <= 1 {
		return 0
	}
	if p.Type == FFT {
		return (t + p.period - 1) % p.period
	}
	return t % p.period
}

// isTurn reports whether announcements arrive in step t.
func (p *plan) isTurn(t int) bool { return p.half != 0 && t != 0 && t&(p.half-1) == 0 }

// mostOutputs returns the most outputs that a task passes on.
func (p *plan) mostOutputs() int {
	most := 0
	for i := range p.columns {
		for _, outputs := range p.columns[i].outputs {
			most = max(most, len(outputs))
		}
	}
	return most
}
