package taskbench

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"ocr/datablock"
)

// A plan is the constant data that the tasks of one graph read.
type plan struct {
	Graph
	alone  bool // no column takes another's output: a task goes on as the next one
	period int  // sets of edges
	ahead  int  // (t,i) creates (t+ahead,i)
	ring   int  // output buffers of a column

	pairs   int // words of the whole pairs of an output
	stride  int // words of an output buffer
	columns []column
	tiles   []int // words of their blocks
}

// A column is the part of the plan for one column.
type column struct {
	steps         // steps in which it has a task, if any
	whole steps   // steps in which a task has all inputs, and all its outputs are taken
	sets  []edges // the steps use them in turn

	source                    uint64 // second word of the pairs of its outputs
	tile                      int    // the tile whose block has its memory
	stepAt, outputAt, scratch int    // offsets in this block, see layOut
	end                       int
}

// edges are a column's edges by one set.
type edges struct {
	slots int    // of its task: the block of its tile, and outputs of other columns
	in    []edge // the column's own output, if it is an input, and then the others in ascending order
	out   []edge // outputs of the step before to tasks that use the set: to other tiles first
}

// An edge is an input of a column's tasks, or a task that takes their outputs.
type edge struct {
	column int            // at the other end
	steps                 // in which the input is there, or the output is taken
	times  int            // dependences that it counts as: spread may name a column twice, and a link back is none
	slot   int            // of the task that takes it
	peer   int            // word in the column's tile for GUIDs of EDTs of the column at the other end
	listed int            // of an output: index in graph.peers of the EDT that takes it
	at     int            // word of the first output buffer of the producer's column
	source uint64         // second word of the output's pairs
	mode   datablock.Mode // in which the block is passed on: Null inside a tile, as the taker holds the block
}

// steps is a range of steps, both ends included.
type steps struct{ first, last int }

func (s steps) has(t int) bool { return t >= s.first && t <= s.last }

func (s steps) count() int { return max(0, s.last-s.first+1) }

// shift moves a range by some steps.
func (s steps) shift(by int) steps { return steps{s.first + by, s.last + by} }

func (s steps) and(o steps) steps { return steps{max(s.first, o.first), min(s.last, o.last)} }

// living yields the columns that have tasks.
func (p *plan) living() iter.Seq2[int, *column] {
	return func(yield func(int, *column) bool) {
		for i := range p.columns {
			if col := &p.columns[i]; col.count() > 0 && !yield(i, col) {
				return
			}
		}
	}
}

func newPlan(g Graph) *plan {
	p := &plan{Graph: g, period: g.sets(), columns: make([]column, g.Width)}
	p.pairs = g.Output / pairBytes * (pairBytes / wordBytes)
	for i := range p.columns {
		p.columns[i] = column{steps: g.life(i), source: source(g.number, i), sets: make([]edges, p.period)}
	}
	for set := range p.period {
		p.connect(set)
	}
	p.alone = !g.recorded
	for _, col := range p.living() {
		col.whole = col.steps
		for _, set := range col.sets {
			p.alone = p.alone && set.slots == firstInput
			for _, e := range slices.Concat(set.in, set.out) {
				col.whole = col.whole.and(e.steps)
			}
		}
	}
	p.ahead, p.ring = p.period+1, 2
	if p.alone {
		p.ahead = 1
	}
	if !g.recorded {
		p.ring = 1 << bits.Len(uint(p.period))
	}
	return p
}

// connect adds the edges of a set, at both ends. A column whose output another takes gets a link back (see the package
// comment), except in a recorded graph.
func (p *plan) connect(set int) {
	takes := make([]map[int]int, p.Width) // how often column i takes the output of column j; 0 is a link back
	for i := range takes {
		takes[i] = map[int]int{}
	}
	for i := range p.living() {
		for _, j := range p.sources(set, i) {
			if p.columns[j].count() > 0 {
				takes[i][j]++
				if !p.recorded {
					takes[j][i] += 0
				}
			}
		}
	}
	for i, col := range p.living() {
		own := &col.sets[set]
		own.slots = firstInput
		if n := takes[i][i]; n > 0 {
			own.in = append(own.in, edge{column: i, steps: col.shift(1), times: n, slot: slotOwn})
			delete(takes[i], i)
		}
		for _, j := range slices.Sorted(maps.Keys(takes[i])) {
			from, times := &p.columns[j], takes[i][j]
			own.in = append(own.in, edge{column: j, steps: from.shift(1), times: times, slot: own.slots})
			from.sets[set].out = append(from.sets[set].out,
				edge{column: i, steps: col.shift(-1), times: times, slot: own.slots})
			own.slots++
		}
	}
}

// others returns the inputs that other columns produce.
func (e *edges) others() []edge {
	if len(e.in) > 0 && e.in[0].slot == slotOwn {
		return e.in[1:]
	}
	return e.in
}

// setOf returns the number of the set of the inputs of step t.
func (p *plan) setOf(t int) int {
	if p.period <= 1 {
		return 0
	}
	if p.Type == FFT {
		return (t + p.period - 1) % p.period
	}
	return t % p.period
}

// mostEdges returns the greatest number of inputs or outputs of a task.
func (p *plan) mostEdges() int {
	most := 0
	for _, col := range p.living() {
		for _, set := range col.sets {
			most = max(most, len(set.in), len(set.out))
		}
	}
	return most
}
