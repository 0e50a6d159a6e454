package taskbench

import (
	"slices"
	"testing"

	"ocr/apps/taskbench/kernel"
	"ocr/internal/proof/testrun"
)

// times returns how often the output of column j of step t-1 is an input of (t,i), by the definitions in words, one
// pair of columns at a time. It shares no code with pattern.go.
func times(g Graph, t, j, i int) int {
	w, far := g.Width, j-i
	one := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	inRange := func() bool { return far >= -(g.Radix/2) && far <= (g.Radix-1)/2 && g.Radix > 0 }
	switch g.Type {
	case NoComm:
		return one(far == 0)
	case Stencil1D:
		return one(far*far <= 1)
	case Stencil1DPeriodic:
		return one(far*far <= 1 || far == w-1 || far == 1-w)
	case Dom:
		return one(far == 0 || far == -1)
	case Tree:
		return one(j == i/2)
	case FFT:
		levels := 0
		for 1<<levels < w {
			levels++
		}
		d := 1 << ((t - 1) % levels)
		return one(far == 0 || far == d || far == -d)
	case AllToAll:
		return 1
	case Nearest:
		return one(inRange())
	case Spread:
		n := one(far == 0)
		for k := 1; k < g.Radix; k++ {
			n += one((j-i-k*w/g.Radix-t%g.Period)%w == 0)
		}
		return n
	case RandomNearest:
		if far == 0 {
			return one(g.Radix > 0)
		}
		u := float64(kernel.Hash(int64(g.number), int64(g.Radix), int64(t%g.Period), int64(j),
			int64(i))) / (1 << 32) / (1 << 32)
		return one(inRange() && u < g.Fraction)
	}
	return 0
}

// columnsOf says which columns a step has, from the definition of each pattern's shape.
func columnsOf(g Graph, t int) (columns []int) {
	for i := range g.Width {
		in := true
		switch g.Type {
		case Tree:
			in = t >= 30 || i < 1<<t
		case Dom:
			offset := max(0, t+g.Width-g.Steps)
			in = i >= offset && i < offset+min(g.Width, t+1, g.Steps-t)
		}
		if in {
			columns = append(columns, i)
		}
	}
	return columns
}

// variants adds radixes, periods and fractions to the shapes.
func variants(f func(Graph)) {
	eachShape(func(g Graph) {
		if g.Steps > 12 {
			g.Steps = 12
		}
		if !g.Type.UsesRadix() {
			f(g)
			return
		}
		for radix := range g.Width + 1 {
			if g.Type == Spread && radix == 0 {
				continue
			}
			g.Radix = radix
			f(g)
			if g.Type.Period() > 0 {
				g.Period, g.Fraction, g.number = 1+radix%5, 0.6, 7
				f(g)
			}
		}
	})
}

// TestDependences: the plan of a graph has the tasks and edges of the definitions, at both ends of each edge, and
// producers know no others.
func TestDependences(t *testing.T) {
	variants(func(g Graph) {
		p := newPlan(g)
		edges := map[[3]int]int{}
		for step := range g.Steps {
			present := columnsOf(g, step)
			for i := range g.Width {
				if p.columns[i].has(step) != slices.Contains(present, i) {
					t.Fatalf("%v: (%d,%d) is there: %t, want one of %v", &g, step, i, p.columns[i].has(step), present)
				}
			}
			for _, i := range present {
				var want []int
				if step > 0 {
					for _, j := range columnsOf(g, step-1) {
						for range times(g, step, j, i) {
							want = append(want, j)
						}
						if times(g, step, j, i) > 0 && j != i {
							edges[[3]int{step, j, i}]++
						}
					}
				}
				if got := inputsOf(p, step, i); !slices.Equal(got, want) {
					t.Fatalf("%v: inputs of (%d,%d): %v, want %v", &g, step, i, got, want)
				}
			}
		}
		checkMirror(t, p, edges)
	})
}

// inputsOf lists the inputs of a task by its plan, in order.
func inputsOf(p *plan, step, i int) (columns []int) {
	for _, in := range p.links(p.columns[i], step) {
		if in.has(step - 1) {
			columns = append(columns, slices.Repeat([]int{in.column}, int(in.times))...)
		}
	}
	slices.Sort(columns)
	return columns
}

// checkMirror holds that the other end of each link has the same link, in the slot that the link names, and subtracts
// the outputs of the plan from the edges. None must be left, on either side.
func checkMirror(t *testing.T, p *plan, edges map[[3]int]int) {
	t.Helper()
	for step := range p.Steps {
		for _, j := range columnsOf(p.Graph, step) {
			for k, out := range p.links(p.columns[j], step+1) {
				back := p.links(p.columns[out.column], step+1)[out.to]
				if back.column != j || back.to != k {
					t.Fatalf("%v: link %d of column %d is %+v, and at the other end %+v", &p.Graph, k, j, out, back)
				}
				if k != slotOwn && out.has(step+1) && back.times > 0 {
					edges[[3]int{step + 1, j, out.column}]--
				}
			}
		}
	}
	for edge, n := range edges {
		if n != 0 {
			t.Fatalf("%v: %d more edges to (%d,%d) from %d than its column's links", &p.Graph, n, edge[0], edge[2], edge[1])
		}
	}
}

func TestTotals(t *testing.T) {
	variants(func(g Graph) {
		g.Kernel = kernel.Kernel{Kind: kernel.LoadImbalance, Iterations: 100, Imbalance: 1.5}
		var want Totals
		for step := range g.Steps {
			for _, i := range columnsOf(g, step) {
				want.Tasks++
				want.Flops += g.Kernel.Flops(int64(g.number), int64(step), int64(i))
				if step == 0 {
					continue
				}
				for _, j := range columnsOf(g, step-1) {
					want.Dependencies += int64(times(g, step, j, i))
				}
			}
		}
		var got Totals
		newPlan(g).addTo(&got)
		testrun.Equal(t, want, got, "%v", &g)
	})
}

func TestTotalsOfSeveralGraphs(t *testing.T) {
	c := Defaults()
	c.Graphs = []Graph{shape(Stencil1D, 2, 1000), shape(Trivial, 4, 10)}
	c.Graphs[0].Kernel = kernel.Kernel{Kind: kernel.ComputeBound, Iterations: 1024}
	c.Graphs[1].Kernel = kernel.Kernel{Kind: kernel.MemoryBound, Iterations: 3, Samples: 2}
	c.Graphs[1].Scratch = 64
	// The first is the example of Task Bench's output.
	want := Totals{Tasks: 2040, Dependencies: 3996, Flops: 262272000, Bytes: 40 * 3 * 64 / 2}
	testrun.Equal(t, want, c.Totals(), "totals")
}
