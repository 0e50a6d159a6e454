package shmem

import (
	"bytes"
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// MaxPEs is the largest number of PEs of a world: each has a cell for every other.
const MaxPEs = 512

// Config says what a World is like.
type Config struct {
	PEs   int // 1 to MaxPEs, and no more than the run has workers
	Bytes int // of each PE's segment, 1 or more
	Wait  Waiter
	// Arg is for the program: all PEs can read it.
	Arg []byte
	// Done, when closed, ends all PEs at their next wait or [PE.Check]: the Done channel of the run's context. The PEs
	// may see it before the run does: then EDTs that wait for their end still run. PEs of rank 0 check it. It may be
	// nil.
	Done <-chan struct{}
	// Transport makes what moves the bytes of a PE of this process, in its EDT; nil: [NewMemory], or what uses
	// [edt.Ctx.Window]. [Flow] does not use it.
	Transport func(Site) Transport

	windows func(worker int) edt.Window // for tests: in the place of the run's
}

// A World is the symmetric segments of a number of PEs. It belongs to one run. Other ranks make their own from the
// set-up, a block, when their first PE begins.
type World struct {
	cfg    Config
	layout layout
	bounds bounds
	number int // in worlds
	blocks []guid.GUID
	held   []guid.GUID // the blocks that EDTs acquire: all, or Null if the windows are in that of the run
	own    *Program    // without a name

	perRank int        // PEs on each rank, if the windows are in that of the run; else 0
	window  edt.Window // of the run, on the rank that made the world

	flows []*Flow // by PE; of those on this rank, each used on its worker alone

	setup  guid.GUID   // what the world is made from
	events []guid.GUID // to be destroyed with the world
}

// NewWorld makes the segments, zeroed: one block a PE, near to its worker and on its rank, which the calling EDT does
// not hold. It ends the run with an *[Error] if the world does not fit it, and with edt.ErrMemory if memory does not
// suffice.
func NewWorld(c *edt.Ctx, cfg Config) *World {
	switch {
	case cfg.PEs < 1 || cfg.PEs > MaxPEs:
		misuse("new world", -1, "%d PEs, must be 1 to %d", cfg.PEs, MaxPEs)
	case cfg.PEs > c.Workers():
		misuse("new world", -1, "%d PEs, but %d workers: each PE is a worker of its own", cfg.PEs, c.Workers())
	case cfg.Bytes < 1 || cfg.Bytes > datablock.MaxSize/2:
		misuse("new world", -1, "segments of %d bytes, must be 1 to %d", cfg.Bytes, datablock.MaxSize/2)
	}
	cfg.Wait = cfg.Wait.settled(c.Places() < cfg.PEs)
	w := newWorld(cfg)
	w.takeWindow(c)
	for pe := range cfg.PEs {
		segment := c.NewBlockNear(w.layout.segment+cfg.Bytes, c.Place(pe))
		c.Synchronised(segment) // by flags and barriers, while PEs run
		w.blocks[pe] = segment
	}
	w.settle()
	w.enter()
	w.setup = w.makeSetup(c)
	return w
}

func newWorld(cfg Config) *World {
	return &World{
		cfg: cfg, layout: newLayout(cfg.PEs), bounds: bounds{uint(cfg.PEs), uint(cfg.Bytes)},
		blocks: make([]guid.GUID, cfg.PEs), flows: make([]*Flow, cfg.PEs),
	}
}

// settle decides how PEs reach windows, and which blocks EDTs acquire.
func (w *World) settle() {
	w.held = w.blocks
	if w.perRank > 0 {
		w.held = make([]guid.GUID, len(w.blocks))
	}
	switch {
	case w.cfg.Transport != nil:
	case w.perRank > 0:
		w.cfg.Transport = newOneSided
	default:
		w.cfg.Transport = NewMemory
	}
}

// worlds are those of this process. EDTs find theirs by its number, which rank 0 gives. The world of a cancelled run is
// overwritten when its number comes again.
var (
	worlds [1 << 12]atomic.Pointer[World]
	latest atomic.Int64
	making sync.Mutex // of worlds that rank 0 has numbered
)

// enter gives a world a number.
func (w *World) enter() {
	for range worlds {
		w.number = int(latest.Add(1)) % len(worlds)
		if worlds[w.number].CompareAndSwap(nil, w) {
			return
		}
	}
	worlds[w.number].Store(w)
}

// A setup is the head of the block that worlds of other ranks are made from. Behind it are the windows' GUIDs and the
// argument.
type setup struct{ PEs, Bytes, Polls, PerRank int }

func (w *World) makeSetup(c *edt.Ctx) guid.GUID {
	head := setup{w.cfg.PEs, w.cfg.Bytes, w.cfg.Wait.Polls, w.perRank}
	size, list := int(unsafe.Sizeof(head)), len(w.blocks)*int(unsafe.Sizeof(guid.Null))
	block, b := c.NewBlock(size + list + len(w.cfg.Arg))
	datablock.ElementsOf[setup](b[:size])[0] = head
	copy(datablock.ElementsOf[guid.GUID](b[size:size+list]), w.blocks)
	copy(b[size+list:], w.cfg.Arg)
	c.Release(block)
	return block
}

// worldOf returns this process's world of a number, made from the set-up if need be.
func worldOf(number int, d *datablock.Dep) *World {
	b := d.Bytes()
	head := datablock.ElementsOf[setup](b)[0]
	b = b[unsafe.Sizeof(head):]
	list := head.PEs * int(unsafe.Sizeof(guid.Null))
	blocks := datablock.ElementsOf[guid.GUID](b[:list])
	making.Lock()
	defer making.Unlock()
	if w := worlds[number].Load(); w != nil && w.blocks[0] == blocks[0] {
		return w
	}
	w := newWorld(Config{
		PEs: head.PEs, Bytes: head.Bytes, Wait: Waiter{Polls: head.Polls}.settled(false), Arg: bytes.Clone(b[list:]),
	})
	copy(w.blocks, blocks)
	w.number, w.perRank = number, head.PerRank
	w.settle()
	worlds[number].Store(w)
	return w
}

// Blocks returns the windows of all PEs: a control area and the segment. An EDT
// that has one as a dependence finds the segment with [World.Segment].
func (w *World) Blocks() []guid.GUID { return w.blocks }

// Segment returns the segment in a dependence on one of [World.Blocks].
func (w *World) Segment(d *datablock.Dep) []byte { return d.Bytes()[w.layout.segment:] }

// Run starts a program on every PE. The event that it returns triggers when all have ended; it is sticky, and
// [World.Destroy] destroys it. The next program is run after that.
//
// In the direct form one EDT a PE, bound to its worker, has all segments in RW mode. A panic or misuse in one body ends
// the run, and stops the other PEs.
func (w *World) Run(c *edt.Ctx, p *Program) (ended guid.GUID) {
	ended = c.NewEvent(edt.Sticky)
	all := c.NewLatch(int64(w.cfg.PEs))
	w.events = append(w.events, ended)
	if p.number == 0 {
		w.own = p
	}
	which := uint64(w.number) | uint64(p.number)<<programAt
	if w.perRank > 0 {
		w.startInWindow(c, which, all, ended)
		return ended
	}
	c.AddDependence(all, ended, 0, datablock.Null)
	w.start(c, which, all)
	return ended
}

// start starts the PEs of a program, which satisfy all when they end.
func (w *World) start(c *edt.Ctx, which uint64, all guid.GUID) {
	if w.program(int(which>>programAt)).build != nil {
		w.startFlows(c, which, all)
		return
	}
	if c.Ranks() > 1 && w.perRank == 0 && w.cfg.PEs > c.Workers()/c.Ranks() {
		misuse("run", -1, "PEs of several ranks need a window, see runtime.Window")
	}
	for pe := range w.cfg.PEs {
		c.Spawn(peTemplate, &edt.Spec{
			Params: edt.Params(which), Deps: append(sources(w.held), edt.From(w.setup, datablock.RO)),
			OutputEvent: all, Hint: edt.Hint{Affinity: c.Bind(pe)},
		})
	}
}

// programAt is where a parameter has the program's number, behind the world's.
const programAt = 32

// Sources returns dependences on all [World.Blocks], in RW mode.
func (w *World) Sources() []edt.Source { return sources(w.blocks) }

func sources(blocks []guid.GUID) []edt.Source {
	list := make([]edt.Source, len(blocks), len(blocks)+1)
	for i, b := range blocks {
		list[i] = edt.From(b, datablock.RW)
	}
	return list
}

var peTemplate *edt.Template

func init() {
	peTemplate = edt.NewTemplate("shmem.pe", 1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worldOf(int(uint32(in.Param(0))), in.Dep(len(in.Deps())-1))
		w.runPE(c, in, w.program(int(in.Param(0)>>programAt)).body)
		return guid.Null
	})
}

// runPE runs a body. If it ends early the other PEs are stopped: they may wait for it.
func (w *World) runPE(c *edt.Ctx, in edt.Args, body func(c *edt.Ctx, pe *PE)) {
	var windows [][]byte
	if w.perRank > 0 {
		windows = w.near(c)
	} else {
		for i := range w.blocks {
			windows = append(windows, in.Dep(i).Bytes())
		}
	}
	site := w.site(c, windows)
	pe := &PE{t: w.cfg.Transport(site), site: site, rank: site.Rank, bounds: w.bounds, arg: w.cfg.Arg}
	ended := false
	defer func() {
		if ended {
			return
		}
		pe.t.Stop()
		if v := recover(); v != nil && v != errStopped {
			panic(v)
		}
	}()
	body(c, pe)
	if w.perRank > 0 {
		pe.t.Flush() // in memory the end of the EDT does that
	}
	ended = true
}

// site returns what a PE's transport is made for.
func (w *World) site(c *edt.Ctx, windows [][]byte) Site {
	s := Site{
		Rank: c.Worker(), PEs: w.cfg.PEs, Windows: windows, Control: w.layout.segment,
		Wait: w.cfg.Wait, Done: w.cfg.Done, perRank: w.perRank, layout: &w.layout,
	}
	if w.perRank > 0 {
		s.Window = w.windowOf(c)
	}
	return s
}

// Destroy destroys the segments and what belongs to them. No EDT of the world may be left to start.
func (w *World) Destroy(c *edt.Ctx) {
	for _, b := range w.blocks {
		c.DestroyBlock(b)
	}
	c.DestroyBlock(w.setup)
	for _, e := range w.events {
		c.DestroyEvent(e)
	}
	worlds[w.number].CompareAndSwap(w, nil)
	holder.CompareAndSwap(w, nil)
}
