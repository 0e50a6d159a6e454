package edt

import (
	"context"
	"sync"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
	"ocr/internal/graph/site"
)

// Config is for hosts: the options of a run's graph.
type Config struct {
	// Workers is the number of workers.
	Workers int
	// Places is how many workers have a processor of their own: workers 0 to Places-1. 0 means all.
	Places int
	// Memory bounds the bytes of all data blocks together; 0 is no limit.
	Memory uint64
	// Sites records where every object was created and every event was satisfied or destroyed, for reports and errors.
	// Each of these calls then walks the stack.
	Sites bool
	// Observe makes the observer of each worker; nil is none.
	Observe func(*Worker) Observer
	// Join returns the position at which the next EDT joins the queue of a block: 0 to its argument, the queue's length.
	// nil means last. It is for hosts that look for programs which rely on that order. It must not call the graph.
	Join func(waiting int) int
	// Bell is called, on any goroutine, when there is [Graph.Mail]: a worker must then soon call
	// [Worker.Receive]. If it is nil the host takes nothing from outside.
	Bell func()
	// Outside is called by each goroutine before it calls a function given to [Blocking.Call]. The goroutine calls leave,
	// the result of Outside, after the function has returned. If Outside is nil, nothing is called.
	Outside func() (leave func())
	// Context is the parent of [Ctx.Context]; nil is context.Background.
	Context context.Context
	// Ranks makes the graph one rank of several; nil means that there is no other rank.
	Ranks *Ranks
}

// A Graph is for hosts: it has all objects of one run, see [Host].
type Graph struct {
	edts   ids.Table[edtRecord]
	events ids.Table[event]
	nodes  ids.Table[node]
	places ids.Table[spillPlace]
	memory *memory
	spills *spills      // memory.spills
	blocks *block.Store // memory.blocks

	space                         ids.Space
	workersInAll, placesInAll     int           // on all ranks
	ranks                         *ranks        // nil: this is the only rank
	total                         *RemoteReport // of all ranks, when the run has ended; else nil
	highEDT, highEvent, highBlock uint64
	config                        Config
	channels                      record.Channels
	deferred                      word.Uint64 // number of deferred calls, for observers
	sites                         *site.Log
	local                         *localTemplates
	mail                          *mailbox
	ctxs                          []word.Pointer[Ctx] // by worker, nil until the worker is made
	argBlock                      guid.GUID
	recordings                    word.Uint32 // number of recordings made so far
	end                           ending
	closed                        word.Bool // the run is over: for misuses after it
}

// A memory is what a closed graph leaves to later runs: the blocks' memory, and a directory of spills. The directory
// has 128 KiB, though a small program uses a few words.
type memory struct {
	spills spills
	blocks block.Store
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// closedMemory is the empty memory of all closed graphs: so a goroutine that outlives its run does not reach the memory
// of a later run.
var closedMemory memory

// NewGraph makes the empty graph of a run.
func NewGraph(cfg Config) *Graph {
	if cfg.Places == 0 {
		cfg.Places = cfg.Workers
	}
	run, me := ids.NewRun(), 0
	if r := cfg.Ranks; r != nil {
		run, me = r.Run, r.Rank
	}
	g := &Graph{
		config: cfg, space: ids.NewSpace(run, me),
		mail:         newMailbox(&cfg),
		ctxs:         make([]word.Pointer[Ctx], cfg.Workers),
		workersInAll: cfg.Workers, placesInAll: cfg.Places,
	}
	g.use(memories.Get().(*memory))
	g.local = &localTemplates{graphs: []*Graph{g}}
	g.highEDT = g.high(guid.KindEDT)
	g.highEvent = g.high(guid.KindEvent)
	g.highBlock = g.high(guid.KindBlock)
	g.edts.Init(&edtStock)
	g.events.Init(&eventStock)
	g.nodes.Init(&nodeStock)
	g.places.Init(&spillStock)
	g.blocks.Open(cfg.Memory)
	g.blocks.Join = cfg.Join
	if cfg.Sites {
		g.sites = site.NewLog()
		g.config.Observe = ObserveAll(observeSites, cfg.Observe)
	}
	if cfg.Ranks != nil {
		g.joinRanks()
	}
	return g
}

// NewWorker makes the next worker. EDTs that become ready on it go to h. Workers are numbered from 0.
func (g *Graph) NewWorker(h Host) *Worker {
	k, w := 0, new(Worker)
	for g.ctxs[k].Load() != nil {
		k++
	}
	g.Enlist(w, k, h)
	return w
}

// Enlist makes w worker number k of the run, as NewWorker does. If k is not 0 and the run has no observers, the
// worker's goroutine may call it after the run has begun.
func (g *Graph) Enlist(w *Worker, k int, h Host) {
	c := &w.ctx
	g.setUp(c, k, h)
	g.observe(w)
	if g.ranks != nil {
		c.joinRanks()
	}
	g.ctxs[k].Store(c)
	if g.ranks != nil && k == len(g.ctxs)-1 { // the courier's observer comes after those of all workers
		g.observe(g.ranks.worker)
	}
}

// observe makes the observer of a worker, or of the courier.
func (g *Graph) observe(w *Worker) {
	c := &w.ctx
	if g.config.Observe != nil {
		c.obs = g.config.Observe(w)
	}
	if c.obs != nil {
		c.atReady = readyReports
	}
}

// setUp makes c a Ctx of the graph, for worker k.
func (g *Graph) setUp(c *Ctx, k int, h Host) {
	c.g, c.host, c.worker, c.local = g, h, k, g.local
	c.nearby, c.nullLink = g.config.Workers, filledNull
	c.highEDT, c.highEvent, c.highBlock = g.highEDT, g.highEvent, g.highBlock
	c.self = BindTo(c.worker)
	c.inUse = viewCount
	c.nextSlot.EDT = &alwaysFull
	c.edts.Init(&g.edts, &c.owner)
	c.events.Init(&g.events, &c.owner)
	c.nodes.Init(&g.nodes, &c.owner)
	c.places.Init(&g.places, &c.owner)
	c.blocks.Init(g.blocks, &c.owner)
}

// workers yields the Ctx of each worker that was made so far, and of the courier if there is one.
func (g *Graph) workers(yield func(c *Ctx) bool) {
	if g.ranks != nil && !yield(g.ranks.courier) {
		return
	}
	for k := range g.ctxs {
		if c := g.ctxs[k].Load(); c != nil && !yield(c) {
			return
		}
	}
}

// Begin creates the main EDT on worker 0. Its one dependence is a block that holds argv; see [Argv]. The host then runs
// the EDTs that become ready. If a template has a fault, or the argument block does not fit into memory, Begin panics
// as [Worker.Execute] does.
func (g *Graph) Begin(main Func, argv []string) {
	c := g.ctxs[0].Load()
	if faults.Load() != 0 {
		if err := refused(); err != nil {
			c.blame(err)
		}
	}
	t := &Template{name: "main", paramc: 0, depc: 1, fn: main}
	g.local.add(t)
	encoded := encodeArgv(argv)
	block, bytes := c.NewBlock(len(encoded))
	copy(bytes, encoded)
	c.Release(block)
	c.created = c.created[:0]
	g.argBlock = block
	c.spawnHere(0, 0, t, &Spec{Deps: []Source{From(block, datablock.RW)}})
	c.n = Counters{}
}

// high returns the high GUID word of the run's objects of a kind.
func (g *Graph) high(k guid.Kind) uint64 { return g.space.High(uint8(k)) }

// Observed reports whether the run has observers or records sites: then the host makes all workers before the run.
func (g *Graph) Observed() bool { return g.config.Observe != nil }

// Counters returns the sum of all workers' counters. No worker may be running.
func (g *Graph) Counters() Counters {
	if all := g.total; all != nil {
		return all.Counters
	}
	var sum Counters
	for c := range g.workers {
		sum.Add(&c.n)
	}
	return sum
}

// Close gives the graph's memory back. Neither the graph nor a block's bytes may be used afterwards: a call on a [Ctx]
// by a goroutine that outlives the run is a misuse.
func (g *Graph) Close() {
	g.mail.end()
	g.closed.Store(true)
	g.edts.Close()
	g.events.Close()
	g.nodes.Close()
	g.places.Close()
	g.spills.close()
	g.blocks.Close()
	for c := range g.workers {
		c.retire()
	}
	g.local.forget(g)
	if m := g.memory; m != &closedMemory {
		g.use(&closedMemory)
		memories.Put(m)
	}
	g.config.Observe, g.config.Context = nil, nil // the garbage collector may free what they refer to
}

func (g *Graph) use(m *memory) { g.memory, g.spills, g.blocks = m, &m.spills, &m.blocks }

func (g *Graph) edtGUID(i uint32, t *edtRecord) guid.GUID {
	return guid.FromWords(g.highEDT, t.Low(i))
}

// eventGUID returns the GUID of the event with this low word, Null for 0.
func (g *Graph) eventGUID(lo uint64) guid.GUID {
	if lo == 0 {
		return guid.Null
	}
	return guid.FromWords(g.highEvent, lo)
}

// blockGUID returns the GUID of the block with this low word, Null for 0.
func (g *Graph) blockGUID(lo uint64) guid.GUID {
	if lo == 0 || g.ranks != nil {
		return g.blockGUIDSlow(lo)
	}
	return guid.FromWords(g.highBlock, lo)
}

// blockGUIDSlow is the general case of blockGUID. Over ranks the word may be that of a proxy.
func (g *Graph) blockGUIDSlow(lo uint64) guid.GUID {
	if lo == 0 {
		return guid.Null
	}
	if r := g.blocks.Lookup(lo); g.ranks != nil && (r == nil || r.Proxy()) {
		return g.ranks.Name(lo)
	}
	return guid.FromWords(g.highBlock, lo)
}

// noHost is the courier's host until a host handles messages, and after the run.
type noHost struct{}

func (noHost) Ready(Ready) {}
func (noHost) Stop()       {}

func low(g guid.GUID) uint64 {
	_, lo := g.Words()
	return lo
}
