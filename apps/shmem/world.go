package shmem

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// MaxPEs is the largest number of PEs: each PE has a word for every other.
const MaxPEs = 512

// Config is what [Run] needs beside the program.
type Config struct {
	PEs   int    // 1 to MaxPEs, and no more than the run has workers
	Bytes int    // of each PE's segment
	Arg   []byte // for the program: all PEs can read it
	// Done, when closed, ends all PEs of the direct form at their next wait or [PE.Check]: the Done channel of the run's
	// context. The PEs may see it before the run does. It may be nil.
	Done <-chan struct{}
	// End is called with the segment of PE 0 when all PEs have ended, in an EDT on the rank that has called Run.
	End func(segment []byte)

	windows func(worker int) edt.Window // for tests: replaces the run's windows
}

// A Program is the code of every PE. PEs may be on several ranks, which are processes: a PE has its own state, and
// communicates only by segments, notifications and [Config.Arg]. Programs are variables of a package: the ranks
// identify them by the order in which they were made.
type Program struct {
	number int
	direct func(c *edt.Ctx, pe *PE)
	flow   func(c *edt.Ctx, f *Flow)
}

// Direct makes a program of the direct form: body runs in one EDT on each PE.
func Direct(body func(c *edt.Ctx, pe *PE)) *Program { return enter(&Program{direct: body}) }

// InFlow makes a program of the graph form: begin makes the steps of a PE and starts the first. The PE ends with
// [Flow.End].
func InFlow(begin func(c *edt.Ctx, f *Flow)) *Program { return enter(&Program{flow: begin}) }

var (
	mu       sync.Mutex // guards programs, and worldOf
	programs []*Program
)

func enter(p *Program) *Program {
	mu.Lock()
	defer mu.Unlock()
	p.number = len(programs)
	programs = append(programs, p)
	return p
}

// A world is one run of a program, on one rank. All ranks but the one that calls [Run] make it from the setup's block.
type world struct {
	setup
	cfg    Config
	layout layout
	number int         // the index in worlds
	block  guid.GUID   // the block of the setup
	held   []guid.GUID // windows that EDTs acquire; Null if they are in the run's window
	pes    []*PE       // of this rank, each used on its worker alone
	flows  []*Flow     // of these PEs
}

// A setup is the head of the block from which other ranks make their worlds; [Config.Arg] follows it.
type setup struct {
	PEs, Bytes, Polls, Program int
	PerRank                    int       // PEs of a rank, if the windows are in the run's window; else 0
	Ended                      guid.GUID // latch of the PEs that have not ended
}

// worlds are the worlds of this process. An EDT finds its world by number, which the rank that calls [Run] assigns. A
// run that completes drops its world on that rank; others stay until another world takes their number.
var (
	worlds [1 << 12]atomic.Pointer[world]
	latest atomic.Uint64
)

// Run starts a program on all PEs. It ends the run if the configuration is out of bounds, and with edt.ErrMemory if
// there is no memory for the segments. A panic in one PE ends the run, and stops the other PEs.
func Run(c *edt.Ctx, cfg Config, p *Program) {
	w := newWorld(c, cfg, p)
	last := append([]edt.Source{edt.From(w.Ended, datablock.Null)}, sources(w.held[:1])...)
	trial.When(c, "shmem.end", last, func(c *edt.Ctx, in edt.Args) { w.end(c, in) })

	opened, params := c.NewLatch(int64(w.PEs)), edt.Params(uint64(w.number))
	for pe := range w.PEs { // first, so that they wait before the latch is counted down
		begin := edt.Spec{
			Params: params, Deps: []edt.Source{edt.From(opened, datablock.Null)}, Hint: edt.Hint{Affinity: c.Bind(pe)},
		}
		if p.direct != nil {
			begin.Deps, begin.OutputEvent = append(begin.Deps, sources(w.held)...), w.Ended
		}
		c.Spawn(beginTemplate, &begin)
	}
	for pe := range w.PEs {
		c.Spawn(openTemplate, &edt.Spec{
			Params: params, Deps: []edt.Source{edt.From(w.block, datablock.RO)}, OutputEvent: opened,
			Hint: edt.Hint{Affinity: c.Bind(pe)},
		})
	}
}

func sources(windows []guid.GUID) (list []edt.Source) {
	for _, b := range windows {
		mode := datablock.RW
		if b.IsNull() {
			mode = datablock.Null
		}
		list = append(list, edt.From(b, mode))
	}
	return list
}

// newWorld makes the world on the rank that calls [Run]. It creates blocks for the windows, unless they are in the
// run's window.
func newWorld(c *edt.Ctx, cfg Config, p *Program) *world {
	if cfg.PEs < 1 || cfg.PEs > min(MaxPEs, c.Workers()) {
		misuse("%d PEs, must be 1 to %d, and no more than the %d workers", cfg.PEs, MaxPEs, c.Workers())
	}
	s := setup{PEs: cfg.PEs, Bytes: cfg.Bytes, Polls: pollsAlone, Program: p.number, Ended: c.NewLatch(int64(cfg.PEs))}
	if c.Places() < cfg.PEs {
		s.Polls = pollsShared
	}
	if cfg.windows != nil {
		s.PerRank = 1
	} else if c.Ranks() > 1 {
		s.PerRank = c.Workers() / c.Ranks()
		checkWindow(c, cfg, s.PerRank)
	}
	w := &world{setup: s, number: int(latest.Add(1) % uint64(len(worlds)))}
	w.settle(cfg)
	if s.PerRank == 0 {
		for pe := range w.held {
			w.held[pe] = c.NewBlockNear(w.layout.segment+cfg.Bytes, c.Place(pe))
			c.Synchronised(w.held[pe]) // PEs synchronise by words in it
		}
	}
	w.block = s.write(c, cfg.Arg)
	worlds[w.number].Store(w)
	return w
}

func (w *world) settle(cfg Config) {
	w.cfg, w.layout = cfg, newLayout(w.PEs)
	w.held, w.pes, w.flows = make([]guid.GUID, w.PEs), make([]*PE, w.PEs), make([]*Flow, w.PEs)
}

const setupBytes = int(unsafe.Sizeof(setup{}))

func (s setup) write(c *edt.Ctx, arg []byte) guid.GUID {
	block, b := c.NewBlock(setupBytes + len(arg))
	datablock.ElementsOf[setup](b[:setupBytes])[0] = s
	copy(b[setupBytes:], arg)
	c.Release(block)
	return block
}

// worldOf returns this process's world of a number; without a world, or with an older run's, it makes one from setup d.
func worldOf(number uint64, d *datablock.Dep) *world {
	mu.Lock()
	defer mu.Unlock()
	if w := worlds[number].Load(); w != nil && w.block == d.GUID() {
		return w
	}
	b := d.Bytes()
	w := &world{setup: datablock.ElementsOf[setup](b[:setupBytes])[0], number: int(number), block: d.GUID()}
	w.settle(Config{Arg: bytes.Clone(b[setupBytes:])})
	worlds[number].Store(w)
	return w
}

var openTemplate, beginTemplate *edt.Template

func init() {
	openTemplate = edt.NewTemplate("shmem.open", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worldOf(in.Param(0), in.Dep(0))
		pe := w.newPE(c)
		w.pes[pe.rank], w.flows[pe.rank] = pe, newFlow(w, pe)
		if pe.window != nil {
			clear(pe.windows[pe.rank][:w.layout.segment])
		}
		return guid.Null
	})
	beginTemplate = edt.NewTemplate("shmem.begin", 1, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
		w := worlds[in.Param(0)].Load()
		pe, p := w.pes[c.Worker()], programs[w.Program]
		if p.flow != nil {
			p.flow(c, w.flows[pe.rank])
			return guid.Null
		}
		if pe.window == nil {
			for k := range pe.windows {
				pe.windows[k] = in.Dep(1 + k).Bytes()
			}
		}
		pe.run(c, p.direct)
		return guid.Null
	})
}

func (w *world) newPE(c *edt.Ctx) *PE {
	p := &PE{
		rank: c.Worker(), arg: w.cfg.Arg, layout: w.layout, windows: make([][]byte, w.PEs), polls: w.Polls,
		done: w.cfg.Done, sent: make([]uint64, w.PEs), received: make([]uint64, w.PEs),
		perRank: w.PerRank, size: w.layout.segment + w.Bytes,
	}
	if w.PerRank == 0 {
		return p
	}
	if p.window = c.Window(); w.cfg.windows != nil {
		p.window = w.cfg.windows(p.rank)
	}
	p.unsettled = make([]bool, (w.PEs+w.PerRank-1)/w.PerRank)
	near := p.rank / w.PerRank * w.PerRank // the first PE of this rank
	for k := range min(w.PerRank, w.PEs-near) {
		p.windows[near+k] = p.window.Bytes()[k*pad(p.size):][:p.size:p.size]
	}
	return p
}

// run runs a body. If it ends early, run stops the other PEs, which may wait for this one.
func (p *PE) run(c *edt.Ctx, body func(c *edt.Ctx, pe *PE)) {
	ended := false
	defer func() {
		if ended {
			return
		}
		if p.stop(); !p.left {
			return // another panic goes on, with the stack of its line
		}
		if v := recover(); v != nil && v != errStopped {
			panic(v)
		}
	}()
	body(c, p)
	p.settle()
	ended = true
}

func (w *world) end(c *edt.Ctx, in edt.Args) {
	if w.cfg.End != nil {
		window := in.Dep(1).Bytes()
		if w.PerRank > 0 {
			window = w.pes[0].windows[0]
		}
		w.cfg.End(window[w.layout.segment:])
	}
	for _, b := range w.held {
		if !b.IsNull() {
			c.DestroyBlock(b)
		}
	}
	c.DestroyBlock(w.block)
	worlds[w.number].CompareAndSwap(w, nil)
}

// WindowBytes returns the argument of runtime.Window for each rank, for a run with perRank PEs on each.
func WindowBytes(cfg Config, perRank int) int {
	return perRank * pad(newLayout(cfg.PEs).segment+cfg.Bytes)
}

func checkWindow(c *edt.Ctx, cfg Config, perRank int) {
	need := WindowBytes(cfg, perRank)
	switch window := c.Window(); {
	case window == nil:
		misuse("PEs of several ranks need a window, see runtime.Window")
	case need > len(window.Bytes()):
		misuse("the program needs %d bytes of each rank's window, which has %d, see WindowBytes", need,
			len(window.Bytes()))
	}
}

func misuse(format string, args ...any) { panic(fmt.Errorf("shmem: "+format, args...)) }
