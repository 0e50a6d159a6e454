package taskbench

import (
	"context"

	"ocr/apps/taskbench/kernel"
)

// Totals are Task Bench's figures of a configuration, all graphs together.
type Totals struct {
	Tasks, Dependencies, Flops, Bytes int64
}

// Totals returns the number of tasks and inputs of all graphs, and the work of their kernels by Task Bench's formulas.
// It takes time in proportion to the edges between columns, and for load_imbalance to the tasks. The error is the cause
// of the context's cancellation.
func (c *Config) Totals(ctx context.Context) (Totals, error) {
	var sum Totals
	for _, g := range c.numbered().Graphs {
		one := newPlan(g).totals(ctx)
		if ctx.Err() != nil {
			return Totals{}, context.Cause(ctx)
		}
		sum.Tasks += one.Tasks
		sum.Dependencies += one.Dependencies
		sum.Flops += one.Flops
		sum.Bytes += one.Bytes
	}
	return sum, nil
}

// totals counts tasks and inputs, and adds up the work of the kernels.
func (p *plan) totals(ctx context.Context) Totals {
	var sum Totals
	for i := range p.columns {
		col := p.columns[i]
		sum.Tasks += int64(col.count())
		for set := range col.sets {
			for _, in := range col.sets[set] {
				sum.Dependencies += int64(in.times) * int64(p.countOf(set, col.and(in.shift(1))))
			}
		}
	}
	sum.Flops = p.flops(ctx, sum.Tasks)
	sum.Bytes = p.Kernel.Bytes(p.Scratch) * sum.Tasks
	return sum
}

// countOf returns how many of the steps use a set.
func (p *plan) countOf(set int, in steps) int {
	if in.count() == 0 {
		return 0
	}
	before := (set - p.setOf(in.first) + p.period) % p.period
	return (in.count() - before + p.period - 1) / p.period
}

// askSteps is the number of steps of a column between two checks of the context.
const askSteps = 1 << 16

// flops adds up the kernels. Only load_imbalance differs from task to task. The result is wrong if the context is
// cancelled.
func (p *plan) flops(ctx context.Context, tasks int64) int64 {
	if p.Kernel.Kind != kernel.LoadImbalance {
		return tasks * p.Kernel.Flops(int64(p.number), 0, 0)
	}
	sum := int64(0)
	for i := range p.columns {
		for t := p.columns[i].first; t <= p.columns[i].last; t++ {
			if t%askSteps == 0 && ctx.Err() != nil {
				return 0
			}
			sum += p.Kernel.Flops(int64(p.number), int64(t), int64(i))
		}
	}
	return sum
}
