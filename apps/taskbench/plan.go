package taskbench

import (
	"cmp"
	"iter"
	"maps"
	"math/bits"
	"slices"

	"ocr/datablock"
)

// A links says how a task learns the GUIDs of the EDTs that take its output, and how it knows that a buffer has been
// read; see the package comment.
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
	links  links
	period int // sets of edges
	ahead  int // (t,i) creates (t+ahead,i)
	half   int // announced: steps between two announcements
	ring   int // output buffers of a column

	pairs   int // words of an output that are whole pairs
	stride  int // words of an output buffer
	columns []column
	tiles   []int // words of their blocks
}

// A column is the part of the plan for one column.
type column struct {
	steps         // in which it has a task, if any
	whole steps   // in these, a task has all inputs, and all its outputs are taken
	sets  []edges // of which steps go through one after the other

	source                             uint64 // what its outputs say of themselves
	tile                               int    // whose block it is in
	stepAt, peersAt, outputAt, scratch int    // words there, see layOut
	end                                int

	consumers []int      // announced: their place here is that of their slot
	producers []producer // announced: to which this column's EDTs are announced
}

// edges are those of a column by one set.
type edges struct {
	slots int    // of its task: the block of its tile, and outputs of other columns
	in    []edge // the column's own output, if it is an input, and then the others in ascending order
	out   []edge // of the steps before that whose takers follow the set: to other tiles first
}

// An edge is an input of a column's tasks, or one of the tasks that take their outputs.
type edge struct {
	column int            // at the other end
	steps                 // in which the input is there, or the output is taken
	times  int            // the input counts so often: spread may name a column twice
	slot   int            // of the task that takes it
	peer   int            // word in the column's tile for the GUID of an EDT of the column at the other end
	listed int            // an output's: place of the EDT that takes it in graph.peers
	at     int            // word of the first output buffer of the column that it comes from
	source uint64         // what the output says of itself
	mode   datablock.Mode // in which it is passed on: Null inside a tile, as the taker holds the block
}

// A producer is a column, and the place of another among its consumers.
type producer struct{ column, place int }

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
		p.columns[i] = column{steps: g.life(i), source: source(g.number, i), sets: make([]edges, p.period)}
	}
	for i, col := range p.living() {
		for set := range col.sets {
			p.connect(i, set)
		}
	}
	for _, col := range p.living() {
		col.whole = col.steps
		for _, set := range col.sets {
			for _, e := range slices.Concat(set.in, set.out) {
				col.whole = col.whole.and(e.steps)
			}
		}
	}
	p.choose(window)
	return p
}

// connect adds the edges of a column's inputs by a set, at both ends.
func (p *plan) connect(i, set int) {
	col, times := &p.columns[i], make(map[int]int)
	for _, j := range p.sources(set, i) {
		if j >= 0 && j < p.Width && p.columns[j].lives() {
			times[j]++
		}
	}
	own := &col.sets[set]
	own.slots = firstInput
	if n := times[i]; n > 0 {
		own.in = append(own.in, edge{column: i, steps: col.shift(1), times: n, slot: slotOwn})
		delete(times, i)
	}
	for _, j := range slices.Sorted(maps.Keys(times)) {
		from := &p.columns[j]
		own.in = append(own.in, edge{column: j, steps: from.shift(1), times: times[j], slot: own.slots})
		from.sets[set].out = append(from.sets[set].out, edge{column: i, steps: col.shift(-1), slot: own.slots})
		own.slots++
	}
}

// others returns the inputs that are other columns' outputs.
func (e *edges) others() []edge {
	if len(e.in) > 0 && e.in[0].slot == slotOwn {
		return e.in[1:]
	}
	return e.in
}

// choose decides how columns are linked, and how far ahead EDTs are created.
func (p *plan) choose(window int) {
	switch p.links = p.kindOfLinks(); p.links {
	case alone:
		p.ahead, p.ring = 1, 2
	case recorded:
		p.ring = 2
	case mutual:
		p.ahead = p.period + 1
		p.ring = powerOfTwo(p.ahead)
	case announced:
		p.half = powerOfTwo(max(window, 2)) / 2
		p.ahead = 2 * p.half
		// More than are ahead, so that no name is overwritten while a producer reads it: it reads those of the half window
		// that follows on its step, and this column is at most period-1 steps past that.
		p.ring = powerOfTwo(p.ahead + p.period)
		p.linkConsumers()
	}
}

func powerOfTwo(atLeast int) int { return 1 << bits.Len(uint(atLeast-1)) }

func (p *plan) kindOfLinks() links {
	if p.recorded {
		return recorded
	}
	kind := alone
	for _, col := range p.living() {
		for k := range col.sets {
			switch in, out := col.sets[k].others(), col.sets[k].out; {
			case len(in)+len(out) == 0:
			case p.Type.growsOrShrinks() || !slices.EqualFunc(in, out, func(a, b edge) bool { return a.column == b.column }):
				return announced
			default:
				kind = mutual
			}
		}
	}
	return kind
}

// linkConsumers lists which columns announce their EDTs to which.
func (p *plan) linkConsumers() {
	for j, col := range p.living() {
		for _, set := range col.sets {
			for _, out := range set.out {
				col.consumers = append(col.consumers, out.column)
			}
		}
		slices.Sort(col.consumers)
		col.consumers = slices.Compact(col.consumers)
		for place, i := range col.consumers {
			p.columns[i].producers = append(p.columns[i].producers, producer{j, place})
		}
	}
}

// inFlight returns the most steps that a column is ahead of its consumers.
func (p *plan) inFlight() int {
	if p.links == announced {
		return p.ahead
	}
	return p.ring
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

// mostEdges returns the most inputs or outputs that a task has.
func (p *plan) mostEdges() int {
	most := 0
	for _, col := range p.living() {
		for _, set := range col.sets {
			most = max(most, len(set.in), len(set.out))
		}
	}
	return most
}

const (
	wordBytes = 8
	guidWords = 2
	lineWords = 64 / wordBytes
)

func alignWords(n int) int { return (n + lineWords - 1) &^ (lineWords - 1) }

// layOut deals the columns out to tiles, and places everything in the tiles' blocks. The columns of a tile share one
// block, which their tasks hold in mode RW, and tasks of other tiles that take their outputs in mode RO. In words of 8
// bytes, a column has there:
//
//	stepAt     recorded: the next step
//	peersAt    EDTs of other columns that will take this column's outputs
//	outputAt   ring of buffers: that of step t at place t modulo their number
//	scratch    of the kernel
//
// A buffer is the GUID of the EDT that the task has created, of step t+ahead, and the output. With mutual links the
// receiver of the output will next send to that EDT; (t+ahead-1,i) finds there which task follows on it. Outputs and
// scratch begin on lines of their own: readers do not share lines with words that only the column uses.
func (p *plan) layOut(tiles int) {
	p.stride = alignWords(guidWords + p.outputWords())
	p.tiles = make([]int, tiles)
	for i, col := range p.living() {
		col.tile = i * tiles / p.Width
		at := p.tiles[col.tile]
		col.stepAt, col.peersAt = at, at+1
		col.outputAt = alignWords(col.peersAt + p.peerWords(col))
		col.scratch = col.outputAt + p.ring*p.stride
		col.end = col.scratch + p.Scratch/wordBytes
		p.tiles[col.tile] = alignWords(col.end)
	}
	for i, col := range p.living() {
		peer := col.peersAt
		for k := range col.sets {
			peer = p.layOutEdges(i, &col.sets[k], peer)
		}
	}
}

// peerWords returns the words for GUIDs of other columns' EDTs: with announcements those of half a window for each
// consumer, with mutual links one for each input, whose place is also that of the output to the same column.
func (p *plan) peerWords(col *column) int {
	switch p.links {
	case announced:
		return guidWords * p.half * len(col.consumers)
	case mutual:
		words := 0
		for _, set := range col.sets {
			words += guidWords * len(set.in)
		}
		return words
	}
	return 0
}

// layOutEdges places the edges of a column by one set, and with mutual links GUIDs from a word on. It returns the next
// word.
func (p *plan) layOutEdges(i int, set *edges, peer int) int {
	col := &p.columns[i]
	for k := range set.in {
		in := &set.in[k]
		in.at, in.source = p.columns[in.column].outputAt, p.columns[in.column].source
		in.mode = p.passing(in.column, i)
		if p.links == mutual {
			in.peer = peer
			peer += guidWords
		}
	}
	for k := range set.out {
		out := &set.out[k]
		out.mode, out.listed = p.passing(i, out.column), k
		switch p.links {
		case mutual:
			out.peer, out.listed = set.others()[k].peer, len(set.in)-len(set.out)+k
		case announced:
			place, _ := slices.BinarySearch(col.consumers, out.column)
			out.peer = col.peersAt + guidWords*p.half*place
		}
	}
	// Those to other workers' tasks take longer.
	slices.SortStableFunc(set.out, func(a, b edge) int { return cmp.Compare(a.mode, b.mode) })
	return peer
}

// passing returns the mode in which an output is passed on.
func (p *plan) passing(from, to int) datablock.Mode {
	if p.columns[from].tile == p.columns[to].tile {
		return datablock.Null
	}
	return datablock.RO
}

// name returns the word where a column notes its EDT of step t.
func (p *plan) name(col *column, t int) int { return col.outputAt + p.buffer(t-p.ahead) }

// peerOf returns how many words after an edge's first GUID that is which the output of step t goes to.
func (p *plan) peerOf(t int) int {
	if p.links == announced {
		return guidWords * (t & (p.half - 1))
	}
	return 0
}

// buffer returns the word, from a column's first output buffer on, where the buffer of step t is.
func (p *plan) buffer(t int) int { return p.stride * (t & (p.ring - 1)) }
