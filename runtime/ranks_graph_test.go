package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/internal/core/ids"
	"ocr/internal/proof/chaos"
	"ocr/internal/proof/graphtest"
	link "ocr/internal/rank"
	"ocr/internal/rank/remote"
)

// rankEngines are the engines of random graphs, with all ranks in this process.
var rankEngines = []struct {
	name string
	open func(ranks int, seed uint64) []link.Engine
}{
	{"loop", func(ranks int, _ uint64) []link.Engine { return loopEngines(ranks) }},
	{"late loop", func(ranks int, seed uint64) []link.Engine { return late(loopEngines(ranks), seed, 100) }},
	{"later loop", func(ranks int, seed uint64) []link.Engine { return late(loopEngines(ranks), seed, 500) }},
}

func loopEngines(ranks int) (all []link.Engine) {
	loop := link.NewLoop(ranks, nil)
	for k := range ranks {
		all = append(all, loop.Engine(k))
	}
	return all
}

func late(all []link.Engine, seed uint64, longest int) []link.Engine {
	for k := range all {
		all[k] = chaos.New(all[k], seed, longest)
	}
	return all
}

// A rankSetup is the number of ranks, the engine and the options of a graph. They follow from the graph's seed.
type rankSetup struct {
	ranks, engine int
	opts          []Option
	name          string
}

func rankSetupOf(seed uint64) rankSetup {
	rng := rand.New(rand.NewPCG(seed, 6))
	workers := 1 + rng.IntN(4)/3 // each is a thread, and there are few processors
	s := rankSetup{ranks: [...]int{2, 2, 3, 3, 4}[rng.IntN(5)], engine: rng.IntN(len(rankEngines)),
		opts: []Option{Workers(workers), Bind(BindNone)}}
	s.name = fmt.Sprintf("%d ranks, workers=%d, %s", s.ranks, workers, rankEngines[s.engine].name)
	if rng.IntN(4) > 0 {
		s.opts = append(s.opts, Spin(0))
		s.name += ", parks"
	}
	return s
}

// TestGraphsOverRanks runs random graphs over 2 to 4 ranks, each with a pool of its own, and over each engine. EDTs
// without an affinity are spread over the ranks.
func TestGraphsOverRanks(t *testing.T) {
	n, first := uint64(sized(12, 750)), *firstGraph
	if *graphs > 0 {
		n = *graphs
	}
	if *graph >= 0 {
		first, n = uint64(*graph), 1
	}
	var seed atomic.Uint64
	dog := watch(t, func() string { return fmt.Sprintf("graph %d over %s", seed.Load(), rankSetupOf(seed.Load()).name) })
	for k := first; k < first+n; k++ {
		seed.Store(k)
		p := graphtest.GenerateWithout(k, 1+int(k*13%70), graphtest.Feature(*graphWithout))
		if diff := differsOverRanks(p, rankSetupOf(k)); diff != "" {
			t.Fatalf("graph %d over %s: %s\nagain: go test -run TestGraphsOverRanks ./runtime -graph %d", k, rankSetupOf(k).name,
				diff, k)
		}
		dog.progress()
	}
	t.Logf("%d graphs", n)
}

// differsOverRanks runs a plan over ranks and says how its values and counts differ from the oracle's, "" if they do
// not.
func differsOverRanks(p *graphtest.Plan, s rankSetup) string {
	x := p.NewExecution()
	x.Shutdown, x.Ranks = p.Seed%3 == 0, s.ranks
	engines, run := rankEngines[s.engine].open(s.ranks, p.Seed), ids.NewRun()
	var spread atomic.Uint64
	var r Report
	var joined, ended sync.WaitGroup
	first := make(chan *edt.Graph, 1)
	errs := make([]error, s.ranks)
	start := func(k int, config remote.Config, opts ...Option) {
		ended.Go(func() {
			config.Engine, config.Run = engines[k], run
			config.Spread = func() int { return int(spread.Add(1) * 0x9e3779b97f4a7c15 >> 40 % uint64(s.ranks)) }
			errs[k] = Run(context.Background(), x.Main, append(append(opts, s.opts...), onRank(remote.New(config)))...)
		})
	}
	joined.Add(s.ranks - 1)
	start(0, remote.Config{}, Into(&r), LeakReport(), prepared(func(p *pool) {
		first <- p.graph
		joined.Wait()
	}))
	beside := <-first
	for k := 1; k < s.ranks; k++ {
		start(k, remote.Config{Beside: beside}, prepared(func(*pool) { joined.Done() }))
	}
	ended.Wait()
	for k, err := range errs {
		if err != nil {
			return fmt.Sprintf("rank %d: %v", k, err)
		}
	}
	for _, e := range engines {
		e.Close()
	}
	return judge(x, &r, p)
}
