package runtime

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
	link "ocr/internal/rank"
	"ocr/internal/rank/remote"
	"ocr/task"
	"ocr/task/par"
)

// runRanks runs main over ranks in this process, each with a pool of its own. It returns the error of rank 0.
func runRanks(t *testing.T, ranks, workers int, main edt.Func, opts ...Option) error {
	t.Helper()
	return runRanksUntil(t, t.Context(), ranks, workers, main, opts...)
}

// runRanksUntil is runRanks with a context for rank 0.
func runRanksUntil(t *testing.T, ctx context.Context, ranks, workers int, main edt.Func, opts ...Option) error {
	t.Helper()
	return runEngines(t, ctx, loopEngines(ranks), workers, main, opts...)
}

// runEngines is runRanksUntil over these engines.
func runEngines(t *testing.T, ctx context.Context, job []link.Engine, workers int, main edt.Func,
	opts ...Option) error {
	t.Helper()
	ranks, run := len(job), ids.NewRun()
	errs := make([]error, ranks)
	var all sync.WaitGroup
	for k := range ranks {
		all.Go(func() {
			own := []Option{Workers(workers), Bind(BindNone), onRank(remote.New(remote.Config{Engine: job[k], Run: run}))}
			on := context.Background()
			if k == 0 {
				on, own = ctx, append(own, opts...)
			}
			errs[k] = Run(on, main, own...)
		})
	}
	all.Wait()
	for k, err := range errs[1:] {
		if err != nil && errs[0] == nil {
			t.Errorf("rank %d: %v", k+1, err)
		}
	}
	return errs[0]
}

// counted is the number of bodies of these tests that have run, on all ranks.
var counted atomic.Int64

var (
	// rankTree creates two EDTs like itself on other workers, to the depth in its parameter.
	rankTree *edt.Template
	// rankHop creates itself on the next worker, for a number of hops.
	rankHop   *edt.Template
	rankStuck = edt.NewTemplate("runtime_test.rankStuck", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
)

func init() {
	rankTree = edt.NewTemplate("runtime_test.rankTree", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		counted.Add(1)
		if depth := in.Param(0); depth > 0 {
			for k := range 2 {
				c.NewEDTAt(c.Place((c.Worker()+1+k)%c.Workers()), rankTree, edt.Params(depth-1))
			}
		}
	}))
	rankHop = edt.NewTemplate("runtime_test.rankHop", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		counted.Add(1)
		if left := in.Param(0); left > 0 {
			e := c.NewEvent(edt.Once)
			next := c.NewEDTAt(c.Bind((c.Worker()+1)%c.Workers()), rankHop, edt.Params(left-1))
			if !c.Exists(next) {
				panic("the EDT that was made on another rank does not exist")
			}
			c.AddDependence(e, next, 0, datablock.Null)
			c.Satisfy(e, guid.Null)
		}
	}))
}

// An EDT that waits on another rank makes the run a stuck one. An EDT of a template that is not registered cannot be
// created there.
func TestRanksStuckAndClosure(t *testing.T) {
	err := runRanks(t, 2, 1, does(func(c *edt.Ctx, _ edt.Args) {
		e := c.NewEvent(edt.Sticky)
		c.NewEDTAt(c.Bind(1), rankStuck, nil, edt.From(e, datablock.Null))
	}))
	testrun.Equal(t, 1, testrun.As[*edt.StuckError](t, err).Count, "EDTs that wait")
	testrun.Contains(t, err.Error(), "sticky event")
	err = runRanks(t, 2, 1, does(func(c *edt.Ctx, _ edt.Args) {
		c.NewEDTAt(c.Bind(1), c.NewTemplate("closure", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }), nil)
	}))
	testrun.Is(t, err, edt.ErrTemplate)
}

// rankAdd adds one to its block, releases the block, and satisfies a latch.
var rankAdd = edt.NewTemplate("runtime_test.rankAdd", 2, 1, does(func(c *edt.Ctx, in edt.Args) {
	datablock.Slice[uint64](in.Dep(0))[0]++
	c.Release(in.Dep(0).GUID())
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
}))

// TestCountersOfRanks: the report has the sums of the ranks' counts.
func TestCountersOfRanks(t *testing.T) {
	var report Report
	counted.Store(0)
	err := runRanks(t, 2, 2, does(func(c *edt.Ctx, _ edt.Args) {
		c.NewEDTAt(c.Bind((c.Worker()+1)%c.Workers()), rankHop, edt.Params(40), edt.From(guid.Null, datablock.Null))
	}), Into(&report))
	testrun.OK(t, err)
	testrun.Equal(t, 41, counted.Load(), "hops")
	var sum Counters
	for k, part := range report.Ranks {
		if part.Counters.Received == 0 {
			t.Errorf("rank %d: nothing has come from one worker to another", k)
		}
		sum.Steals += part.Counters.Steals
		sum.Parks += part.Counters.Parks
		sum.Received += part.Counters.Received
	}
	if all := report.Counters; sum.Steals != all.Steals || sum.Parks != all.Parks || sum.Received != all.Received {
		t.Errorf("steals, parks and received %d, %d, %d, the ranks have %d, %d, %d", all.Steals, all.Parks, all.Received,
			sum.Steals, sum.Parks, sum.Received)
	}
}

var (
	rankSum  = par.DefineReduce("runtime_test.rankSum", func(into, from *int) { *into += *from })
	rankAdds = task.Declare0[int]("runtime_test.rankAdds")
	rankTake = task.Define1("runtime_test.rankTake", func(c *edt.Ctx, _ task.Nothing, v par.Value[int]) {
		counted.Store(int64(v.Take(c)))
	})
)

// rankAdds adds one, and creates two EDTs like itself on other workers, to the depth in its parameter.
var _ = rankAdds.Body(func(c *edt.Ctx, depth int) {
	*rankSum.Value(c)++
	if depth > 0 {
		for k := range 2 {
			rankAdds.New(c, depth-1, task.Opt{At: c.Place((c.Worker() + 1 + k) % c.Workers())})
		}
	}
})

// TestReduceOverRanks: a sum has what two threads of each rank add, while values from the other rank are merged.
func TestReduceOverRanks(t *testing.T) {
	testrun.OK(t, runRanks(t, 2, 2, starting(func(c *edt.Ctx) {
		sum := par.Future[int](c)
		rankTake.New(c, task.Nothing{}, sum.From())
		rankAdds.New(c, 9, rankSum.Group(c, 0, sum))
	})))
	testrun.Equal(t, 1023, counted.Load(), "the sum")
}
