package overhead

import (
	"context"
	"fmt"
	goruntime "runtime"
	"sync"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// independentAll is how long all EDTs of a graph compute together.
const independentAll = 4 * time.Millisecond

func independentRows() []*Row {
	var one, tree []*Row
	for _, body := range []time.Duration{
		500 * time.Nanosecond, time.Microsecond, 5 * time.Microsecond, 20 * time.Microsecond,
	} {
		one = append(one, independent("one", "all made by one more", madeByOne, 1, body))
		tree = append(tree, independent("tree", "each makes two before it computes, down a tree", madeInATree, 0, body))
	}
	return append(one, tree...)
}

// independent is a row of EDTs that have nothing to do with each other, and compute for the time of a body each. The
// EDT root makes them, and more EDTs that do not compute.
func independent(by, what string, root *edt.Template, more int, body time.Duration) *Row {
	calibrated := sync.OnceValue(func() computing { return computingFor(body) })
	return &Row{
		Name: fmt.Sprintf("independent/by=%s/us=%v", by, float64(body)/float64(time.Microsecond)),
		What: fmt.Sprintf("one of EDTs that compute for %v each and wait for nothing: %s, in a finish scope", body, what),
		measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
			n, x := b.sized(int(independentAll/body), 8), calibrated()
			return graph{
				parts:  n,
				counts: plus(scopeCounts, ran(n-1+more)),
				build:  func(c *edt.Ctx, end guid.GUID) { inScope(c, end, root, uint64(n), x.steps, x.result) },
			}.measure(ctx, b, workers)
		},
		Peers: []Peer{computeLoops(calibrated)},
	}
}

// computing is a loop of a number of steps, and what it comes to.
type computing struct{ steps, result uint64 }

// computingFor returns a loop that takes the time d on a processor that has nothing else to do.
func computingFor(d time.Duration) computing {
	const steps, tries = 20_000, 200
	all := computing{steps, compute(steps)}
	best := int64(1 << 62)
	for range tries {
		start := trial.Now()
		all.check()
		best = min(best, trial.Now()-start)
	}
	n := uint64(steps * d.Nanoseconds() / max(best, 1))
	return computing{n, compute(n)}
}

// compute does some steps of a random number generator, each of which needs the one before.
//
//go:noinline
func compute(steps uint64) uint64 {
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// check computes and ends the run if the result is wrong.
func (x computing) check() { expect("what a body computes", x.result, compute(x.steps)) }

// The parameters of the templates are how many EDTs there are to be, and the steps and the result
// of each.
var madeByOne, madeInATree, justCompute *edt.Template

func init() {
	justCompute = edt.NewTemplate("overhead.compute", 2, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
		computing{in.Param(0), in.Param(1)}.check()
		return guid.Null
	})
	madeByOne = edt.NewTemplate("overhead.made-by-one", 3, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		for range in.Param(0) {
			c.NewEDT(justCompute, in.Params()[1:])
		}
		return guid.Null
	})
	madeInATree = edt.NewTemplate("overhead.made-in-a-tree", 3, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		below := in.Param(0) - 1
		for _, n := range []uint64{below / 2, below - below/2} {
			if n > 0 {
				c.NewEDT(madeInATree, edt.Params(n, in.Param(1), in.Param(2)))
			}
		}
		computing{in.Param(1), in.Param(2)}.check()
		return guid.Null
	})
}

// computeLoops do what the EDTs do in plain loops, one on each processor, at most as many as there are
// workers: what the processors give. As of a graph, the time is wall time.
func computeLoops(calibrated func() computing) Peer {
	return Peer{Name: "loops", measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		loops := min(workers, goruntime.NumCPU())
		x := calibrated()
		s, err := peerBench{loops, b.sized(100, 4), func() peerRound {
			return func(n int) (int, int64) {
				for range n {
					x.check()
				}
				return n, 0
			}
		}}.measure(ctx, b, loops)
		if s.Rate > 0 {
			s.Busy = time.Duration(float64(s.Ops) / s.Rate * 1e9)
		}
		return s, err
	}}
}
