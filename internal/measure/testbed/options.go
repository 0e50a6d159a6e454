package testbed

import (
	"slices"

	"go.uber.org/zap"

	"ocr/internal/show/report"
	"ocr/runtime"
)

// RunOptions are how graphs are run. The zero value runs them on the pool, without observers.
type RunOptions struct {
	Check   *Checks          // check mode, and its findings; nil without
	Observe *Watch           // observes the run; nil for nothing
	Inspect *Inspection      // reports on the running graph; nil for nothing
	Log     *zap.Logger      // of the runtime; nil for none
	Extra   []runtime.Option // of the suite, such as runtime.Spin
}

// With returns the options with more options of the runtime.
func (o RunOptions) With(extra ...runtime.Option) RunOptions {
	o.Extra = slices.Concat(o.Extra, extra)
	return o
}

func (o RunOptions) runtime() []runtime.Option {
	opts := slices.Concat(o.Inspect.options(), o.Check.options(), o.Observe.options(), o.Extra)
	if o.Log != nil {
		opts = append(opts, runtime.Logger(o.Log))
	}
	return opts
}

// GraphRun is the runtime's report of one run of a graph.
type GraphRun struct {
	Placement []int // processor of each worker, rank after rank, as read back
	Counters  runtime.Counters
	Ranks     []report.Rank // nil if there is one
	Warnings  []string
}

// ended makes a GraphRun of the report of an ended run.
func (o RunOptions) ended(told *runtime.Report, err error) (GraphRun, error) {
	o.Observe.ended(err)
	g := GraphRun{
		Placement: told.Placement, Counters: told.Counters,
		Warnings: slices.Concat(told.Warnings, o.Check.ended(told.Findings)),
	}
	if len(told.Ranks) > 1 {
		g.Placement = nil
		for _, r := range told.Ranks {
			g.Placement = append(g.Placement, r.Placement...)
			g.Ranks = append(g.Ranks, report.Rank{Placement: r.Placement, EDTs: r.Counters.EDTRun})
		}
	}
	if !told.Pinned {
		g.Warnings = append(g.Warnings, "workers are not pinned: their processors are those they began on")
	}
	return g, err
}
