package edttest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"ocr/edt"
	"ocr/internal/core/ids"
	"ocr/internal/rank"
	"ocr/internal/rank/remote"
)

// A job is the ranks of a host with several ranks. All are in this process and take turns on one goroutine. Handling a
// message is a step too, which the schedule chooses as it chooses a ready EDT.
type job struct {
	h       *Host
	loop    *rank.Loop
	graphs  []*edt.Graph
	parts   []*remote.Part
	pending [][]bool // by sender and receiver: the sender's next message is among the ready entries
	early   []entry  // messages that were refused, and wait until another message is handled
	left    []bool   // by rank: it has left the run
	handing bool     // a rank handles messages, or sends messages that it has held back
	ran     []int    // EDTs, by rank
}

// NewRanks is [New] for a run of several ranks, each with the workers of the configuration. The host's graph is that of
// rank 0, which has the results of all ranks after the run. EDTs without an affinity are spread over the ranks.
func NewRanks(seed uint64, ranks int, cfg edt.Config) *Host {
	return newRanks(seed, ranks, cfg, rand.New(rand.NewPCG(seed, 3)))
}

// NewApart is [NewRanks] with ranks like processes: EDTs without an affinity are on their creator's rank, and templates
// of the run exist only on the rank that has made them.
func NewApart(seed uint64, ranks int, cfg edt.Config) *Host { return newRanks(seed, ranks, cfg, nil) }

// newRanks makes the graphs of several ranks, and their workers. spread draws the rank of an EDT without an affinity.
func newRanks(seed uint64, n int, cfg edt.Config, spread *rand.Rand) *Host {
	atLeast("Config.Workers", cfg.Workers, 1)
	j := &job{left: make([]bool, n), ran: make([]int, n)}
	j.loop = rank.NewLoop(n, j.arrived)
	for range n {
		j.pending = append(j.pending, make([]bool, n))
	}
	h := &Host{order: newDrawn(seed, seed%2 != 0), limit: -1, bell: make(chan struct{}, 1),
		job: j, stopped: make([]bool, n), workersEach: cfg.Workers}
	j.h, cfg.Bell, cfg.Join = h, h.ring, h.order.join
	run := ids.NewRun()
	for k := range n {
		config := remote.Config{Engine: j.loop.Engine(k), Run: run, Await: j.await}
		if spread != nil {
			config.Spread = func() int { return spread.IntN(n) }
			if k > 0 {
				config.Beside = j.graphs[0]
			}
		}
		part := remote.New(config)
		cfg.Ranks = part.Ranks()
		g := edt.NewGraph(cfg)
		j.parts = append(j.parts, part)
		j.graphs = append(j.graphs, g)
		for range cfg.Workers {
			h.workers = append(h.workers, g.NewWorker(rankHost{h, k}))
		}
	}
	h.Graph = j.graphs[0]
	return h
}

// Traffic returns how many messages a rank has sent, and the bytes of their words and tails.
func (h *Host) Traffic(rank int) (messages, bytes uint64) { return h.job.loop.Engine(rank).Traffic() }

// Ran returns how many EDTs each rank has run.
func (h *Host) Ran() []int { return slices.Clone(h.job.ran) }

// arrived adds a message to the ready entries, if it is the next one of its sender.
func (j *job) arrived(from, to int) {
	if !j.pending[from][to] {
		j.pending[from][to] = true
		j.add(entry{rank: to, from: from + 1})
	}
}

func (j *job) add(e entry) {
	e.arrival = j.h.arrived
	j.h.arrived++
	j.h.ready = append(j.h.ready, e)
}

// deliver makes a rank handle a message.
func (j *job) deliver(w int, e entry) {
	engine, from := j.loop.Engine(e.rank), e.from-1
	before := engine.Waiting(from)
	j.handing = true
	engine.Offer(from)
	j.h.receive(w)
	j.handing = false
	after := engine.Waiting(from)
	if after == before {
		j.early = append(j.early, e)
		return
	}
	if j.pending[from][e.rank] = after > 0; after > 0 {
		j.add(entry{rank: e.rank, from: e.from})
	}
	for k := 0; k < len(j.early); {
		if other := j.early[k]; other.rank == e.rank || other.rank == from {
			j.early = slices.Delete(j.early, k, k+1)
			j.add(other)
			continue
		}
		k++
	}
	j.handing = true
	for k, g := range j.graphs { // they may send messages that they have held back
		if k == from || g.Mail() && !g.Letters() {
			j.h.receive(k * j.h.workersEach)
		}
	}
	j.handing = false
}

// await makes some rank handle a message while an EDT waits for an answer.
func (j *job) await() {
	h := j.h
	var mail []int
	for k, e := range h.ready {
		if e.from != 0 {
			mail = append(mail, k)
		}
	}
	if len(mail) == 0 {
		panic("edttest: an EDT waits for another rank, and there is no message")
	}
	k := mail[0]
	if d, ok := h.order.(*drawn); ok {
		k = mail[d.rng.IntN(len(mail))]
	}
	e := h.pick(k)
	j.deliver(e.rank*h.workersEach, e)
}

// part makes the ranks that have stopped leave the run, and reports whether all have left.
func (j *job) part() bool {
	all := true
	for k, g := range j.graphs {
		if j.h.stopped[k] && !j.left[k] && g.Leave() {
			j.left[k] = true
		}
		all = all && j.left[k]
	}
	return all
}

// rest tells the ranks that nothing is ready. It reports whether there is anything to do, or may be later.
func (j *job) rest() bool {
	h := j.h
	arrived, expects := h.arrived, false
	for k, g := range j.graphs {
		switch {
		case j.h.stopped[k]:
		case g.Mail() || g.Expects():
			expects = true
		case g.Passive(func() bool { return true }):
			j.h.stopped[k] = true
		}
	}
	if h.arrived == arrived && expects && len(j.early) == 0 && !slices.Contains(h.stopped, true) {
		<-h.bell
	}
	return expects || h.arrived != arrived || slices.Contains(h.stopped, true)
}

// restsAlone makes a rank report that it is passive while other ranks are busy, in a quarter of the steps.
func (j *job) restsAlone() {
	d, draws := j.h.order.(*drawn)
	if !draws || d.rng.IntN(4) != 0 {
		return
	}
	k := d.rng.IntN(len(j.graphs))
	for w := range j.h.workersEach {
		j.h.idle(k*j.h.workersEach + w)
	}
	runs := slices.ContainsFunc(j.h.ready, func(e entry) bool { return e.rank == k && e.from == 0 })
	if g := j.graphs[k]; !j.h.stopped[k] && !runs && !g.Mail() && !g.Expects() {
		j.h.stopped[k] = g.Passive(func() bool { return true })
	}
}

// takesMail handles letters on each rank that has some, if they come before the next step.
func (j *job) takesMail() (took bool) {
	d, draws := j.h.order.(*drawn)
	for k, g := range j.graphs {
		if g.Letters() && !j.h.stopped[k] && (draws && d.rng.IntN(2) == 0 || len(j.h.ready) == 0) {
			j.h.receive(k * j.h.workersEach)
			took = true
		}
	}
	return took
}

// mostIdle is how often in a row the ranks may say that they have something to do while nothing is ready.
const mostIdle = 100

// run runs EDTs and handles messages until all ranks have left the run.
func (j *job) run() error {
	h := j.h
	for idle := 0; !j.part(); idle++ {
		if j.takesMail() {
			continue
		}
		j.restsAlone()
		if h.more() {
			idle = 0
			if err := h.step(); err != nil {
				return err
			}
		} else if busy := j.rest(); idle > mostIdle || !busy {
			return fmt.Errorf("edttest: %d ranks neither run nor end; messages too early: %v", len(j.graphs), j.early)
		}
	}
	for _, p := range j.parts {
		if n := p.Kept(); n != 0 && h.Graph.Ended() == nil {
			return fmt.Errorf("edttest: the run is over, and a rank of %d keeps %d blocks that are destroyed", len(j.graphs), n)
		}
	}
	for _, g := range j.graphs[1:] {
		g.Close()
	}
	return nil
}

// A rankHost is the [edt.Host] of one rank.
type rankHost struct {
	h    *Host
	rank int
}

// Ready implements [edt.Host].
func (r rankHost) Ready(k edt.Ready) { r.h.take(entry{task: k, rank: r.rank}) }

// Stop implements [edt.Host].
func (r rankHost) Stop() { r.h.stop(r.rank) }
