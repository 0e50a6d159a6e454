//go:build explore

package runtime

import (
	"testing"
	"time"

	"ocr/edt"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
	link "ocr/internal/rank"
	"ocr/internal/rank/remote"
)

// An exploredEngine is the engine of rank 1 of two.
type exploredEngine struct {
	link.Engine
	arrived word.Uint32 // messages in the loop that have arrived
	woken   word.Uint32
	sent    word.Uint32
	onSend  func()
}

func (e *exploredEngine) Arrived() bool { return e.arrived.Load() > 0 }

func (e *exploredEngine) Poll(_ int, handle func(from int, m *link.Message) bool) int {
	n := e.Engine.Poll(int(e.arrived.Load()), handle)
	e.arrived.Add(-uint32(n))
	return n
}

func (e *exploredEngine) Send(to int, m *link.Message) {
	e.onSend()
	e.Engine.Send(to, m)
	e.sent.Add(1)
}

func (e *exploredEngine) Sleep(time.Duration) {
	e.woken.Await(func(v uint32) bool { return v != 0 })
	e.woken.Store(0)
}

func (e *exploredEngine) Wake() { e.woken.Store(1) }

// A firstReady keeps the EDT that has become ready.
type firstReady struct{ edt edt.Ready }

func (f *firstReady) Ready(k edt.Ready) { f.edt = k }
func (f *firstReady) Stop()             {}

// sendTo makes rank 0 of a loop send CREATE, if creates is set, and then PROBE to rank 1. It returns the number of
// messages that wait there.
func sendTo(rank1 *edt.Graph, loop *link.Loop, run uint32, creates bool) (messages uint32) {
	var host firstReady
	var graph *edt.Graph
	graph = edt.NewGraph(edt.Config{Workers: 1, Ranks: remote.New(remote.Config{Engine: loop.Engine(0), Run: run,
		Await: func() {
			rank1.Deliver(nil)
			graph.Deliver(nil)
		}}).Ranks()})
	defer graph.Close()
	w := graph.NewWorker(&host)
	graph.Begin(starting(func(c *edt.Ctx) {
		if creates {
			c.NewEDTAt(c.Bind(1), rankTree, edt.Params(0))
		}
	}), nil)
	w.Execute(host.edt)
	graph.Passive(func() bool { return true })
	return uint32(loop.Engine(1).Waiting(0))
}

// A rank's only worker parks while its poller handles PROBE, or CREATE and PROBE. The rank answers PROBE, but not while
// the EDT that CREATE has made is ready.
func TestExploredPassive(t *testing.T) {
	for _, tc := range []struct {
		name    string
		heldUp  int
		creates bool
	}{{"PROBE", holdUps(), false}, {"CREATE, PROBE", 1, true}} {
		t.Run(tc.name, func(t *testing.T) {
			explore.Bounded(t, tc.heldUp, func(r *explore.Run) {
				loop, number := link.NewLoop(2, nil), ids.NewRun()
				e := &exploredEngine{Engine: loop.Engine(1), onSend: func() {}}
				e.arrived.Init(1 << 20)
				c := newCrew(r, 1)
				part := remote.New(remote.Config{Engine: e, Run: number})
				graph := edt.NewGraph(edt.Config{Workers: 1, Ranks: part.Ranks()})
				r.Cleanup(graph.Close)
				c.attach(graph, part, true)
				waiting := sendTo(graph, loop, number, tc.creates)
				e.arrived.Init(0)
				e.sent.Init(0)
				if tc.creates {
					e.onSend = func() { r.Fail("a rank with a ready EDT says that it is passive") }
				}
				r.Go("poller", func() {
					e.arrived.Store(waiting)
					e.Wake()
					s := &poller{run: &run{Pool: &Pool{pool: c.pool, settings: &settings{ranks: part}}, graph: graph}}
					s.handle()
					if !tc.creates {
						e.sent.Await(func(n uint32) bool { return n == 1 })
						c.stop()
					}
				})
				c.until(0, 1, anyEDT) // if it finds no EDT, it runs until the poller stops it
			})
		})
	}
}
