package taskbench

import "ocr/apps/taskbench/kernel"

// Totals are Task Bench's figures of a configuration, all graphs together.
type Totals struct{ Tasks, Dependencies, Flops, Bytes int64 }

// Totals returns the tasks of all graphs, their inputs, and what their kernels do by
// Task Bench's formulas. It takes time with the number of edges between columns,
// and for load_imbalance with the number of tasks.
func (c *Config) Totals() Totals {
	var sum Totals
	for _, g := range c.numbered().Graphs {
		one := newPlan(g, c.Window).totals()
		sum.Tasks += one.Tasks
		sum.Dependencies += one.Dependencies
		sum.Flops += one.Flops
		sum.Bytes += one.Bytes
	}
	return sum
}

// totals counts tasks, inputs and what the kernels do.
func (p *plan) totals() Totals {
	var sum Totals
	for i := range p.columns {
		col := &p.columns[i]
		sum.Tasks += int64(col.active().count())
		for set := range p.period {
			for _, in := range col.inputs[set] {
				sum.Dependencies += int64(in.times * p.countOf(set, col.active().and(in.there)))
			}
		}
	}
	sum.Flops = p.flops(sum.Tasks)
	sum.Bytes = p.Kernel.Bytes(p.Scratch) * sum.Tasks
	return sum
}

func (s steps) count() int { return max(0, s.last-s.first+1) }

// countOf returns how many of the steps follow a set.
func (p *plan) countOf(set int, in steps) int {
	if in.count() == 0 {
		return 0
	}
	before := (set - p.setOf(in.first) + p.period) % p.period
	return (in.count() - before + p.period - 1) / p.period
}

// flops adds up the kernels. Only load_imbalance differs from task to task.
func (p *plan) flops(tasks int64) int64 {
	if p.Kernel.Kind != kernel.LoadImbalance {
		return tasks * p.Kernel.Flops(int64(p.number), 0, 0)
	}
	sum := int64(0)
	for i := range p.columns {
		for t := p.columns[i].first; t <= p.columns[i].last; t++ {
			sum += p.Kernel.Flops(int64(p.number), int64(t), int64(i))
		}
	}
	return sum
}
