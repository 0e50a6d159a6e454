package edt

import (
	"sync"

	"ocr/internal/core/block"
)

// A graph's directory of spills takes 128 KiB, of which a small program uses a few
// words. So graphs that were closed are kept, for runs to come.
var stock struct {
	mu     sync.Mutex
	graphs []*Graph
}

// stockLimit is how many graphs are kept: for runs at the same time.
const stockLimit = 8

// takeGraph returns a graph with empty tables, to be opened.
func takeGraph() *Graph {
	stock.mu.Lock()
	defer stock.mu.Unlock()
	last := len(stock.graphs) - 1
	if last < 0 {
		return &Graph{blocks: new(block.Store)}
	}
	g := stock.graphs[last]
	stock.graphs = stock.graphs[:last]
	return g
}

// putGraph takes a graph that was closed.
func putGraph(g *Graph) {
	g.runState = runState{} // what it refers to may go
	stock.mu.Lock()
	defer stock.mu.Unlock()
	if len(stock.graphs) < stockLimit {
		stock.graphs = append(stock.graphs, g)
	}
}

// endedGraph is the graph of each [Ctx] whose run has ended, for ever closed and
// empty: a goroutine that strays must not get at the graph of a later run.
var endedGraph = sync.OnceValue(func() *Graph {
	g := NewGraph(Config{Workers: 1})
	g.NewWorker(noHost{})
	g.closeTables()
	return g
})

// noHost is the host of a run that has ended.
type noHost struct{}

func (noHost) Ready(Ready) {}
func (noHost) Stop()       {}
