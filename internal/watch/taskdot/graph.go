package taskdot

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/guid"
)

// DefaultLimit is how many EDTs are drawn by default.
const DefaultLimit = 2000

// A Graph is the drawing of one run.
//
// Concurrency: all fields but total and done are under mu.
type Graph struct {
	limit int
	clock func() int64 // ns
	total atomic.Uint64
	done  atomic.Bool // nothing more is to be recorded

	mu     sync.Mutex
	nodes  []*node
	byEDT  map[guid.GUID]*node
	events map[guid.GUID]*event
	scopes map[guid.GUID]*scope
	dead   []guid.GUID // destroyed events that are still remembered
	open   int         // nodes that have not ended
}

// A node is an EDT.
type node struct {
	number   int // from 1, in the order of creation
	guid     guid.GUID
	template string
	about    string // the template's description of it, once it has begun
	worker   int    // -1: never ran
	began    int64
	took     time.Duration
	returned bool
	in       *scope // nil for the scope of the run
	opens    *scope // scope of a finish EDT
	into     []edge // from the EDTs that created it and satisfied its slots
	level    int    // from 1, once the graph is drawn: number of nodes on the longest path to it
	box      *box   // in the latest drawing
}

// A scope is a finish scope: its finish EDT, and the EDT in it whose body returned last.
type scope struct {
	around       *scope
	finish, last *node
}

// An edge leads from an EDT to another.
type edge struct {
	from *node
	slot int    // -1: creation
	via  string // name of the event in between
}

// An event is remembered by its causes: the EDTs from which its trigger follows.
type event struct {
	name    string
	channel bool
	sources []*node   // none for a channel
	queue   [][]*node // of a channel: the sources of each satisfaction
}

// New makes an empty graph of at most limit EDTs. It calls clock twice for each EDT.
func New(limit int, clock func() int64) *Graph {
	return &Graph{
		limit: limit, clock: clock,
		byEDT: map[guid.GUID]*node{}, events: map[guid.GUID]*event{}, scopes: map[guid.GUID]*scope{},
	}
}

// Observe returns the observer of a worker; it is for [ocr/runtime.Observe].
func (g *Graph) Observe(w *edt.Worker) edt.Observer { return &worker{graph: g, id: w.Number()} }

// Size returns how many EDTs were created, and how many of them are drawn.
func (g *Graph) Size() (created uint64, drawn int) { return g.total.Load(), len(g.nodes) }

// record calls f under the lock, unless the graph is at its limit and all its EDTs have ended.
func (g *Graph) record(f func(g *Graph)) {
	if !g.done.Load() {
		g.mu.Lock()
		defer g.mu.Unlock()
		f(g)
	}
}

// addNode adds an EDT that creator has created; creator is nil for the runtime.
func (g *Graph) addNode(e guid.GUID, template string, creator *node) {
	n := &node{number: len(g.nodes) + 1, guid: e, template: template, worker: -1}
	if creator != nil {
		n.in = cmp.Or(creator.opens, creator.in)
		n.into = []edge{{creator, -1, ""}}
	}
	g.nodes = append(g.nodes, n)
	g.byEDT[e] = n
	g.open++
}

// ended counts an EDT that has ended: it gets no more edges.
func (g *Graph) ended() {
	g.open--
	if g.open == 0 && len(g.nodes) == g.limit {
		g.done.Store(true)
	}
}

// maxDead is how many destroyed events are remembered: they may still satisfy slots of their waiters.
const maxDead = 1 << 14

func (g *Graph) bury(e guid.GUID) {
	if len(g.dead) == maxDead {
		for _, old := range g.dead[:maxDead/2] {
			delete(g.events, old)
		}
		g.dead = g.dead[:copy(g.dead, g.dead[maxDead/2:])]
	}
	g.dead = append(g.dead, e)
}

// pass returns the causes of one satisfaction, and removes them from a channel's queue.
func (e *event) pass() []*node {
	if !e.channel {
		return e.sources
	}
	if len(e.queue) == 0 {
		return nil
	}
	first := e.queue[0]
	e.queue = e.queue[1:]
	return first
}

// add adds the causes of a satisfaction: a channel queues them, another event keeps each once.
func (e *event) add(sources []*node) {
	if e.channel {
		e.queue = append(e.queue, sources)
		return
	}
	for _, s := range sources {
		if !slices.Contains(e.sources, s) {
			e.sources = append(e.sources, s)
		}
	}
}
