package shmem

import (
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
	// Done, when closed, ends all PEs at their next wait or [PE.Check]: the Done
	// channel of the context that the run gets. The PEs may be quicker than the run
	// to see it, and what waits for their end then still runs. nil never ends them.
	Done <-chan struct{}
	// Transport makes what moves the bytes of a PE, in its EDT; nil: [NewMemory]. One
	// that is not memory leaves [PE.Pointer] nil, unless SharedMemory says that all
	// windows are in this memory all the same. It is not used by [Flow].
	Transport    func(Site) Transport
	SharedMemory bool
}

// A World is the symmetric segments of a number of PEs. It is made in one EDT, and
// belongs to that run.
type World struct {
	cfg       Config
	layout    layout
	bounds    bounds
	blocks    []guid.GUID
	events    []guid.GUID // to be destroyed with the world
	templates []*edt.Template
}

// NewWorld makes the segments, zeroed: one block a PE, near to its worker, which the
// calling EDT does not hold. It ends the run with an *[Error] if the world does
// not fit it, and with edt.ErrMemory if it does not fit into memory.
func NewWorld(c *edt.Ctx, cfg Config) *World {
	switch {
	case cfg.PEs < 1 || cfg.PEs > MaxPEs:
		misuse("new world", -1, "%d PEs, must be 1 to %d", cfg.PEs, MaxPEs)
	case cfg.PEs > c.Workers():
		misuse("new world", -1, "%d PEs, but %d workers: each PE is a worker of its own", cfg.PEs, c.Workers())
	case cfg.Bytes < 1 || cfg.Bytes > datablock.MaxSize/2:
		misuse("new world", -1, "segments of %d bytes, must be 1 to %d", cfg.Bytes, datablock.MaxSize/2)
	}
	if cfg.Transport == nil {
		cfg.Transport, cfg.SharedMemory = NewMemory, true
	}
	cfg.Wait = cfg.Wait.settled(c.Places() < cfg.PEs)
	w := &World{cfg: cfg, layout: newLayout(cfg.PEs), bounds: bounds{uint(cfg.PEs), uint(cfg.Bytes)}}
	for pe := range cfg.PEs {
		segment := c.NewBlockNear(w.layout.segment+cfg.Bytes, c.Place(pe))
		c.Synchronised(segment) // by flags and barriers, while PEs run
		w.blocks = append(w.blocks, segment)
	}
	return w
}

// Blocks returns the windows of all PEs: a control area and the segment. An EDT
// that has one as a dependence finds the segment with [World.Segment].
func (w *World) Blocks() []guid.GUID { return w.blocks }

// Segment returns the segment in a dependence on one of [World.Blocks].
func (w *World) Segment(d *datablock.Dep) []byte { return d.Bytes()[w.layout.segment:] }

// Run starts one EDT per PE, bound to its worker, with all segments in RW mode. The
// event that it returns triggers when all have ended; it is sticky, and
// [World.Destroy] destroys it.
//
// A panic or misuse in one body ends the run, as in every EDT, and stops the other
// PEs.
func (w *World) Run(c *edt.Ctx, body func(c *edt.Ctx, pe *PE)) (ended guid.GUID) {
	ended = c.NewEvent(edt.Sticky)
	all := c.NewLatch(int64(w.cfg.PEs))
	c.AddDependence(all, ended, 0, datablock.Null)
	t := c.NewTemplate("shmem.pe", 1, w.cfg.PEs, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w.runPE(c, in, body)
		return guid.Null
	})
	for pe := range w.cfg.PEs {
		c.Spawn(t, &edt.Spec{
			Params: edt.Params(uint64(pe)), Deps: w.Sources(),
			OutputEvent: all, Hint: edt.Hint{Affinity: c.Bind(pe)},
		})
	}
	w.events, w.templates = append(w.events, ended), append(w.templates, t)
	return ended
}

// Sources returns dependences on all [World.Blocks], in RW mode.
func (w *World) Sources() []edt.Source {
	list := make([]edt.Source, len(w.blocks))
	for i, b := range w.blocks {
		list[i] = edt.From(b, datablock.RW)
	}
	return list
}

// runPE runs a body. Whatever ends it early stops the others, which may wait for it.
func (w *World) runPE(c *edt.Ctx, in edt.Args, body func(c *edt.Ctx, pe *PE)) {
	windows := make([][]byte, len(w.blocks))
	for i := range windows {
		windows[i] = in.Dep(i).Bytes()
	}
	site := Site{
		Rank: int(in.Param(0)), PEs: w.cfg.PEs, Windows: windows, Control: w.layout.segment,
		Wait: w.cfg.Wait, Done: w.cfg.Done, layout: &w.layout,
	}
	pe := &PE{t: w.cfg.Transport(site), site: site, rank: site.Rank, shared: w.cfg.SharedMemory, bounds: w.bounds}
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
	ended = true
}

// Destroy destroys the segments and what belongs to them. No EDT of the world may
// be left to start.
func (w *World) Destroy(c *edt.Ctx) {
	for _, b := range w.blocks {
		c.DestroyBlock(b)
	}
	for _, e := range w.events {
		c.DestroyEvent(e)
	}
	for _, t := range w.templates {
		c.DestroyTemplate(t)
	}
}
