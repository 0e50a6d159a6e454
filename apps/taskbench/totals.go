package taskbench

import "ocr/apps/taskbench/kernel"

// Totals are Task Bench's figures of a configuration, all graphs together.
type Totals struct {
	Tasks, Dependencies, Flops, Bytes int64
}

// Totals returns the number of tasks and inputs of all graphs, and the work of their kernels by Task Bench's formulas.
// It takes time in proportion to the edges between columns, and for load_imbalance to the tasks.
func (c *Config) Totals() (sum Totals) {
	for _, g := range c.numbered().Graphs {
		newPlan(g).addTo(&sum)
	}
	return sum
}

func (p *plan) addTo(sum *Totals) {
	tasks := int64(0)
	for _, col := range p.columns {
		tasks += int64(col.count())
		for set, links := range col.sets {
			for _, in := range links {
				sum.Dependencies += int64(in.times) * int64(p.countOf(set, col.and(in.shift(1))))
			}
		}
	}
	sum.Tasks += tasks
	sum.Flops += p.flops(tasks)
	sum.Bytes += p.Kernel.Bytes(p.Scratch) * tasks
}

// countOf returns how many of the steps use a set.
func (p *plan) countOf(set int, in steps) int {
	if in.count() == 0 {
		return 0
	}
	before := (set - p.setOf(in.first) + p.period) % p.period
	return (in.count() - before + p.period - 1) / p.period
}

// flops adds up the operations of all kernels. Only those of load_imbalance differ from task to task.
func (p *plan) flops(tasks int64) (sum int64) {
	if p.Kernel.Kind != kernel.LoadImbalance {
		return tasks * p.Kernel.Flops(int64(p.number), 0, 0)
	}
	for i, col := range p.columns {
		for t := col.first; t <= col.last; t++ {
			sum += p.Kernel.Flops(int64(p.number), int64(t), int64(i))
		}
	}
	return sum
}
