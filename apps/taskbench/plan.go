package taskbench

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"ocr/datablock"
	"ocr/edt"
)

// A plan is the constant data that the tasks of one graph read.
type plan struct {
	Graph
	// passes says that tasks create EDTs and pass outputs on. If not, the graph is recorded; or no column takes another's
	// output, and each task goes on as the next task of its column.
	passes   bool
	plain    bool // an output is one pair, and there is no scratch memory
	period   int  // sets of links
	ahead    int  // (t,i) creates (t+ahead,i)
	ringMask int  // one less than the number of output buffers of a column, which is a power of two

	pairs   int // words of the whole pairs of an output
	stride  int // words of an output buffer
	columns []*column
	tiles   []int // words of the tiles' blocks
	most    int   // the greatest number of links of a task
}

// A column is the part of the plan for one column.
type column struct {
	steps          // steps in which it has a task, if any
	whole steps    // steps in which a task has all inputs, and all its outputs are taken
	sets  [][]link // the steps use them in turn

	number                    int
	source                    uint64 // second word of the pairs of its outputs
	place                     edt.Affinity
	tile                      int // the tile whose block has its memory
	stepAt, outputAt, scratch int // offsets in this block, see layOut
	end                       int
}

// A link joins two columns: each takes the other's output, except in a recorded graph. The index of a link in its set
// is the slot of the column's task on which the input comes. The link with index slotOwn is that of the column with
// itself: the task's own block brings its input.
type link struct {
	column int            // number of the column at the other end
	steps                 // in which the other column has a task
	to     int            // number of the other end's link, the slot that takes the output
	peer   int            // word in the column's tile for GUIDs of EDTs of the other column
	at     int            // word of the first output buffer of the other column
	source uint64         // second word of the pairs of the other column's output
	times  uint32         // dependences that the input counts as: 0 of a link back, 2 if spread names a column twice
	mode   datablock.Mode // mode in which a block is passed: Null inside a tile, as the taker holds the block
}

// steps is a range of steps, both ends included.
type steps struct{ first, last int }

func (s steps) has(t int) bool { return t >= s.first && t <= s.last }

func (s steps) count() int { return max(0, s.last-s.first+1) }

func (s steps) shift(by int) steps { return steps{s.first + by, s.last + by} }

func (s steps) and(o steps) steps { return steps{max(s.first, o.first), min(s.last, o.last)} }

// living yields the columns that have tasks.
func (p *plan) living() iter.Seq2[int, *column] {
	return func(yield func(int, *column) bool) {
		for i, col := range p.columns {
			if col.count() > 0 && !yield(i, col) {
				return
			}
		}
	}
}

func newPlan(g Graph) *plan {
	p := &plan{Graph: g, period: g.sets(), columns: make([]*column, g.Width)}
	p.pairs = g.Output / pairBytes * (pairBytes / wordBytes)
	p.plain = p.pairs == pairBytes/wordBytes && g.Scratch == 0
	for i := range p.columns {
		p.columns[i] = &column{number: i, steps: g.life(i), source: source(g.number, i), sets: make([][]link, p.period)}
	}
	for set := range p.period {
		p.connect(set)
	}
	for _, col := range p.living() {
		col.whole = col.steps
		for _, links := range col.sets {
			p.most = max(p.most, len(links))
			for _, l := range links {
				col.whole = col.whole.and(l.shift(1)).and(l.shift(-1))
			}
		}
	}
	p.passes = p.most > 1 && !g.recorded
	p.ahead, p.ringMask = p.period+1, 1
	if !p.passes {
		p.ahead = 1
	}
	if !g.recorded {
		p.ringMask = 1<<bits.Len(uint(p.period)) - 1
	}
	return p
}

// connect adds the links of a set: that of each column with itself first, and then the others in ascending order.
func (p *plan) connect(set int) {
	takes := make([]map[int]uint32, p.Width) // how often column i takes the output of column j
	for i := range takes {
		takes[i] = map[int]uint32{i: 0}
	}
	for i := range p.living() {
		for _, j := range p.sources(set, i) {
			if p.columns[j].count() > 0 {
				takes[i][j]++
				if !p.recorded {
					takes[j][i] += 0 // a link back
				}
			}
		}
	}
	slots := slices.Repeat([]int{firstInput}, p.Width) // by column: the slot of its task for the next input
	for i, col := range p.living() {
		links := []link{p.link(i, takes[i][i], slotOwn)}
		delete(takes[i], i)
		for _, j := range slices.Sorted(maps.Keys(takes[i])) {
			links = append(links, p.link(j, takes[i][j], slots[j]))
			slots[j]++
		}
		col.sets[set] = links
	}
}

func (p *plan) link(other int, times uint32, to int) link {
	col := p.columns[other]
	return link{column: other, steps: col.steps, times: times, to: to, source: col.source}
}

// setOf returns the index of the set of links that bring the inputs of step t.
func (p *plan) setOf(t int) int {
	if p.Type == FFT {
		return (t + p.period - 1) % p.period
	}
	return t % p.period
}

// links returns the links of a column for the inputs of step t.
func (p *plan) links(col *column, t int) []link {
	if p.period == 1 {
		return col.sets[0]
	}
	return col.sets[p.setOf(t)]
}
